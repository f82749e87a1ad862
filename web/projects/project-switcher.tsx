import { Building2, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../data/project.tsx'
import { loadable } from '../ui/loadable.tsx'
import { usePopover } from '../ui/popover.tsx'
import { countText } from '../ui/tab-title.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import './project-switcher.css'

const ProjectList = loadable(() => import('./project-list.tsx'))

const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>

/** How many unread items the inboxes of other projects have. */
const Unread = ({ count }: { count: number }) => (
  <span className="project-unread numbers">
    {rich('{count}<hidden> unread in other projects</hidden>', { count: countText(count), hidden })}
  </span>
)

/** The project's name, which opens a list of projects. `unread` has the unread items of other projects. */
export function ProjectSwitcher({ unread, onOpen }: { unread: ReadonlyMap<number, number>; onOpen(): void }) {
  const { me, isOperator } = useProject()
  const state = usePopover()
  const unreadCount = [...unread.values()].reduce((sum, count) => sum + count, 0)
  return (
    <>
      <button
        type="button"
        className="project-switcher"
        aria-haspopup="listbox"
        {...state.triggerProps}
        onPointerEnter={ProjectList.preload}
        onClick={() => {
          onOpen()
          state.triggerProps.onClick()
        }}
      >
        <span className="project-mark" aria-hidden="true">
          {isOperator ? <Building2 /> : [...(me.current_project?.name ?? '?')][0]}
        </span>
        <span className="truncate" dir="auto">
          {isOperator ? t('All projects') : me.current_project?.name}
        </span>
        {unreadCount > 0 && <Unread count={unreadCount} />}
        <ChevronsUpDown aria-hidden="true" />
      </button>
      {state.isOpen && <ProjectList unread={unread} state={state} />}
    </>
  )
}
