import { type ReactNode, type RefObject, useRef } from 'react'
import { useProject } from '../data/project.tsx'
import { useGuessedTimeZone } from '../identity/guess-time-zone.ts'
import { isArchived } from '../identity/permissions.ts'
import { loadable } from '../ui/loadable.tsx'
import { useRail } from '../ui/rail-state.tsx'
import { t } from '../words/words.ts'
import './shell.css'
import { NotAnswering } from './skeleton.tsx'

const ArchivedBar = loadable(() => import('./archived-bar.tsx'))
const Keys = loadable(() => import('./keys.tsx'))
const RecoveryCodesWarning = loadable(() => import('../identity/recovery-codes.tsx'))
const WrongCodesWarning = loadable(() => import('../identity/wrong-codes.tsx'))

/** As in the warning of sign-in. */
const fewCodes = 3

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
  const { me, isConnected } = useProject()
  const { wrong_codes: wrongCodes, recovery_codes_left: codesLeft } = me.user
  const { isDrawn } = useRail()
  const content = useRef<HTMLDivElement>(null)
  return (
    <div className="shell">
      <a className="skip-link" href="#content" inert={isDrawn}>
        {t('Skip to content')}
      </a>
      {skipLinks}
      <div className="shell-top">
        {isConnected ? (
          <NotAnswering />
        ) : (
          <div className="offline" role="status">
            {t("You're offline. Editing resumes when you reconnect.")}
          </div>
        )}
        {banner}
        {isArchived(me) && <ArchivedBar />}
      </div>
      {rail(content)}
      <div ref={content} className="shell-content" id="content" tabIndex={-1} inert={isDrawn}>
        {wrongCodes && <WrongCodesWarning codes={wrongCodes} />}
        {codesLeft !== null && codesLeft < fewCodes && <RecoveryCodesWarning left={codesLeft} />}
        {children}
      </div>
      {aside}
      <Keys />
    </div>
  )
}
