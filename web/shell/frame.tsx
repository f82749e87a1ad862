import { type ReactNode, type RefObject, useRef } from 'react'
import { useProject } from '../data/project.tsx'
import { useGuessedTimeZone } from '../identity/guess-time-zone.ts'
import { RecoveryCodesWarning } from '../identity/recovery-codes.tsx'
import { WrongCodesWarning } from '../identity/wrong-codes.tsx'
import { loadable } from '../ui/loadable.tsx'
import { useRail } from '../ui/rail-state.tsx'
import { t } from '../words/words.ts'
import './shell.css'

const Keys = loadable(() => import('./keys.tsx'))

interface Props {
  rail(content: RefObject<HTMLElement | null>): ReactNode
  /** Above everything, on every page. */
  banner?: ReactNode
  /** After the link to the content. */
  skipLinks?: ReactNode
  /** Beside the content. */
  aside?: ReactNode
  children: ReactNode
}

/** A sidebar and a page beside it. */
export function Frame({ rail, banner, skipLinks, aside, children }: Props) {
  useGuessedTimeZone()
  const { isConnected } = useProject()
  const { isDrawn } = useRail()
  const content = useRef<HTMLDivElement>(null)
  return (
    <div className="shell">
      <a className="skip-link" href="#content" inert={isDrawn}>
        {t('Skip to content')}
      </a>
      {skipLinks}
      <div className="shell-top">
        {!isConnected && (
          <div className="offline" role="status">
            {t("You're offline. Editing resumes when you reconnect.")}
          </div>
        )}
        {banner}
      </div>
      {rail(content)}
      <div ref={content} className="shell-content" id="content" tabIndex={-1} inert={isDrawn}>
        <WrongCodesWarning />
        <RecoveryCodesWarning />
        {children}
      </div>
      {aside}
      <Keys />
    </div>
  )
}
