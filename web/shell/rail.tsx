import { PanelLeftClose, Terminal } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { subscriptionWarnings, useSubscriptions } from '../billing/subscriptions.ts'
import { useBoards } from '../boards/board-list.ts'
import { useProject } from '../data/project.tsx'
import { useUnreadCount, useUnreadElsewhere } from '../inbox/unread.ts'
import { ProjectSwitcher } from '../projects/project-switcher.tsx'
import { byTool } from '../projects/tools.ts'
import { TourEntry } from '../tour/state.tsx'
import { IconButton } from '../ui/button.tsx'
import { isAnythingFloating } from '../ui/floating.ts'
import { narrowPage, useRail } from '../ui/rail-state.tsx'
import { shortcutOf } from '../ui/shortcuts.ts'
import { OptionalSign } from '../ui/sign.tsx'
import { countText, setUnreadInTitle } from '../ui/tab-title.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { entries } from './entries.tsx'
import './rail.css'

/** The sidebar; `content` is the page beside it. */
export function Rail({ content }: { content: RefObject<HTMLElement | null> }) {
  const unread = useUnreadElsewhere()
  const { isFolded, isDrawn, fold, draw } = useRail()
  const [location] = useLocation()
  // The sidebar closes when a page is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of address that closes it.
  useEffect(() => draw(false), [location])
  const first = useRef<HTMLAnchorElement>(null)
  useDrawer(isDrawn, draw, first, content)
  return (
    <>
      {isDrawn && (
        <button
          type="button"
          className="rail-veil"
          aria-label={t('Close sidebar')}
          onClick={() => draw(false)}
        />
      )}
      <nav aria-label={t('Main')} className="rail" data-folded={isFolded} data-drawn={isDrawn}>
        <div className="rail-top">
          <ProjectSwitcher unread={unread} />
          <IconButton
            className="rail-fold"
            label={t('Collapse sidebar')}
            icon={<PanelLeftClose />}
            onClick={() => (isDrawn ? draw(false) : fold(true))}
          />
        </div>
        <div className="rail-middle">
          <button
            type="button"
            className="rail-link rail-commands"
            aria-keyshortcuts="Control+K Meta+K"
            onClick={() => shortcutOf('commands')?.()}
          >
            <Terminal />
            <span className="truncate">{t('Commands')}</span>
          </button>
          <Section name="project" first={first} />
          <Boards />
          <Section name="superadmin" title={t('All projects')} />
        </div>
        <div className="rail-foot">
          <TourEntry />
          <Section name="foot" />
        </div>
      </nav>
    </>
  )
}

/** While the sidebar covers the page it holds the focus; Esc closes it, and so does a wider window. */
function useDrawer(
  isDrawn: boolean,
  draw: (isDrawn: boolean) => void,
  first: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
) {
  useEffect(() => {
    if (!isDrawn) return
    const opener = document.activeElement as HTMLElement | null
    first.current?.focus()
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isAnythingFloating()) return
      // Keeps Escape from also closing the panel below.
      event.preventDefault()
      draw(false)
    }
    const narrow = matchMedia(narrowPage)
    const onWidth = () => draw(false)
    document.addEventListener('keydown', onKeyDown, { capture: true })
    narrow.addEventListener('change', onWidth)
    return () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true })
      narrow.removeEventListener('change', onWidth)
      // A page that was opened from the sidebar has replaced the button.
      ;(opener?.isConnected ? opener : content.current)?.focus()
    }
  }, [isDrawn, draw, first, content])
}

interface SectionProps {
  name: 'project' | 'superadmin' | 'foot'
  title?: string
  /** For its first link. */
  first?: RefObject<HTMLAnchorElement | null>
}

function Section({ name, title, first }: SectionProps) {
  const { me, base } = useProject()
  const { data } = useSubscriptions()
  const [location] = useLocation()
  const shown = entries.filter(({ section, isFor }) => section === name && (isFor?.(me) ?? true))
  if (shown.length === 0) return null
  // These two entries show more than the name of their page.
  const labels: Record<string, string[]> = {
    '/account': [me.user.name],
    '/subscription': subscriptionWarnings(data?.subscriptions ?? []),
  }
  const linesOf = (path: string, label: string) => (labels[path]?.length ? labels[path] : [label])
  // A board has its own link; a template or a rollout belongs to its list.
  const isHere = (path: string) =>
    location === path || (name === 'superadmin' && location.startsWith(`${path}/`))
  return (
    <>
      {title && <h2 className="rail-heading">{title}</h2>}
      <ul>
        {shown.map(({ label, path, icon }, index) => (
          <li key={path}>
            <Link
              ref={index === 0 ? first : undefined}
              href={base + path}
              className="rail-link"
              aria-current={isHere(base + path) ? 'page' : undefined}
            >
              {icon}
              <span className="rail-lines">
                {linesOf(path, label).map((line) => (
                  <span key={line} className="truncate">
                    {line}{' '}
                  </span>
                ))}
              </span>
              {path === '/inbox' && <UnreadBadge />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** How many unread items the inbox has, also in the tab's title. */
function UnreadBadge() {
  const count = useUnreadCount()
  useEffect(() => setUnreadInTitle(count), [count])
  useEffect(() => () => setUnreadInTitle(0), [])
  if (count === 0) return null
  return (
    <span className="rail-unread numbers">
      {rich('{count}<hidden> unread</hidden>', {
        count: countText(count),
        hidden: (text) => <span className="visually-hidden">{text}</span>,
      })}
    </span>
  )
}

function Boards() {
  const { base } = useProject()
  const [location] = useLocation()
  const { data } = useBoards()
  return byTool(data?.boards ?? []).map(({ tool, boards }) => (
    <section key={tool}>
      <h2 className="rail-heading">{tool}</h2>
      <ul>
        {boards.map((board) => {
          const path = `${base}/boards/${board.id}`
          const isHere = location === path || location.startsWith(`${path}/`)
          return (
            <li key={board.id}>
              <Link href={path} className="rail-link" aria-current={isHere ? 'page' : undefined}>
                <OptionalSign icon={board.icon} color={board.color} />
                <span className="truncate" dir="auto">
                  {board.title}
                </span>
                {board.overdue_cards_count > 0 && (
                  <span
                    className="rail-count numbers"
                    data-tip={t('{count} overdue', { count: board.overdue_cards_count })}
                  >
                    {rich('{count}<hidden> overdue</hidden>', {
                      count: board.overdue_cards_count,
                      hidden: (text) => <span className="visually-hidden">{text}</span>,
                    })}
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  ))
}
