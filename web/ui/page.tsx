import { Menu as MenuIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { pageHeading } from './keep-focus.ts'
import { narrowPage, useRail } from './rail-state.tsx'
import { countText, TabTitle, useUnreadInTitle } from './tab-title.tsx'
import './page.css'

interface Props {
  /** The title of the browser tab, and of the page unless `heading` is set. */
  title: string
  heading?: ReactNode
  /** The primary action comes last. */
  actions?: ReactNode
  /** A second row, such as filters. */
  below?: ReactNode
  /** Lists and forms have a comfortable width; a board uses all of it. */
  width?: 'list' | 'form' | 'all'
  children: ReactNode
}

export function Page({ title, heading, actions, below, width = 'list', children }: Props) {
  const { isFolded, fold, draw } = useRail()
  const unread = useUnreadInTitle()
  return (
    <main className="page" data-width={width}>
      <TabTitle title={title} />
      <header className="page-header">
        <IconButton
          className="page-rail-button"
          data-folded={isFolded}
          data-unread={unread > 0}
          aria-description={
            unread > 0 ? t('{count} unread in the inbox', { count: countText(unread) }) : undefined
          }
          label={t('Open sidebar')}
          icon={<MenuIcon />}
          onClick={() => (matchMedia(narrowPage).matches ? draw(true) : fold(false))}
        />
        <h1 ref={pageHeading} className="page-title truncate">
          {heading ?? title}
        </h1>
        <div className="page-actions">{actions}</div>
      </header>
      {below && <div className="page-below">{below}</div>}
      {width === 'all' ? (
        children
      ) : (
        <div className="page-body slim-scroll">
          <div className="page-measure">{children}</div>
        </div>
      )}
    </main>
  )
}
