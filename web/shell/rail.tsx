// The sidebar of a project. The operator's is operator-rail.tsx; both use rail-frame.tsx.
import { Building2, Columns3 } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { subscriptionWarnings, useSubscriptions } from '../billing/subscriptions.ts'
import { useBoards } from '../boards/board-list.ts'
import { operatorBase, useProject } from '../data/project.tsx'
import { useUnreadCount, useUnreadElsewhere } from '../data/unread.ts'
import { isSuperadmin } from '../identity/permissions.ts'
import { ProjectSwitcher } from '../projects/project-switcher.tsx'
import { byTool } from '../projects/tools.ts'
import { TourEntry } from '../tour/state.tsx'
import { Sign } from '../ui/sign.tsx'
import { countText, setUnreadInTitle } from '../ui/tab-title.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { entries } from './entries.tsx'
import { RailFrame, RailLinks } from './rail-frame.tsx'

/** The sidebar; `content` is the page beside it. A superadmin who only looks around is no superadmin in `me`. */
export function Rail({ content, isSupport }: { content: RefObject<HTMLElement | null>; isSupport: boolean }) {
  const { me } = useProject()
  const { unread, look } = useUnreadElsewhere()
  const { data } = useSubscriptions()
  const first = useRef<HTMLAnchorElement>(null)
  // These two entries show more than the name of their page.
  const labels = {
    '/account': [me.user.name],
    '/subscription': subscriptionWarnings(data?.subscriptions ?? []),
  }
  return (
    <RailFrame
      content={content}
      first={first}
      top={<ProjectSwitcher unread={unread} onOpen={look} />}
      foot={
        <>
          <TourEntry />
          <RailLinks entries={entries} section="foot" labels={labels} />
        </>
      }
    >
      {(isSupport || isSuperadmin(me)) && <ToOperator />}
      <RailLinks
        entries={entries}
        section="main"
        first={first}
        beside={(path) => path === '/inbox' && <UnreadBadge />}
      />
      <Boards />
    </RailFrame>
  )
}

const ToOperator = () => (
  <Link href={operatorBase} className="rail-link">
    <Building2 />
    <span className="truncate">{t('All projects')}</span>
  </Link>
)

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
                {board.icon || board.color ? <Sign icon={board.icon} color={board.color} /> : <Columns3 />}
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
