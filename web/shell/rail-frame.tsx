// What the sidebars of a project and of the operator have in common.
import { PanelLeftClose, Terminal } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { useProject } from '../data/project.tsx'
import { IconButton } from '../ui/button.tsx'
import { isAnythingFloating } from '../ui/floating.ts'
import { narrowPage, useRail } from '../ui/rail-state.tsx'
import { shortcutOf } from '../ui/shortcuts.ts'
import { t } from '../words/words.ts'
import type { Entry } from './entries.tsx'
import './rail.css'

interface FrameProps {
  /** The page beside it. */
  content: RefObject<HTMLElement | null>
  /** The link that has the focus first while the sidebar covers the page. */
  first: RefObject<HTMLAnchorElement | null>
  top: ReactNode
  children: ReactNode
  foot: ReactNode
}

export function RailFrame({ content, first, top, children, foot }: FrameProps) {
  const { isFolded, isDrawn, fold, draw } = useRail()
  const [location] = useLocation()
  // The sidebar closes when a page is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of address that closes it.
  useEffect(() => draw(false), [location])
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
          {top}
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
          {children}
        </div>
        <div className="rail-foot">{foot}</div>
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

interface LinksProps {
  entries: readonly Entry[]
  section: Entry['section']
  /** For its first link. */
  first?: RefObject<HTMLAnchorElement | null>
  /** Lines instead of the name of a page, by its path. */
  labels?: Readonly<Record<string, string[]>>
  /** At the end of a link. */
  beside?(path: string): ReactNode
}

export function RailLinks({ entries, section, first, labels = {}, beside }: LinksProps) {
  const { me, base, isOperator } = useProject()
  const [location] = useLocation()
  const shown = entries.filter((entry) => entry.section === section && (entry.isFor?.(me) ?? true))
  const linesOf = (path: string, label: string) => (labels[path]?.length ? labels[path] : [label])
  // A board has its own link; a template, a rollout or a project belongs to its list.
  const isHere = (path: string) =>
    location === path || (isOperator && path !== base && location.startsWith(`${path}/`))
  return (
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
            {beside?.(path)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
