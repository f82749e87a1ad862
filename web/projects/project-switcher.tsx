import { Building2, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { identity } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { useRead } from '../data/read.ts'
import { Picker } from '../ui/picker.tsx'
import { countText } from '../ui/tab-title.tsx'
import { locale } from '../words/locale.ts'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { usePlatforms } from './platforms.ts'
import './project-switcher.css'

const collator = new Intl.Collator(locale)

const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>

/** How many unread items the inboxes of other projects have. */
const Unread = ({ count }: { count: number }) => (
  <span className="project-unread numbers">
    {rich('{count}<hidden> unread in other projects</hidden>', { count: countText(count), hidden })}
  </span>
)

/**
 * The project's name, which opens a list of projects. The list has the first of them; typing finds any.
 * `unread` has the unread items of other projects.
 */
export function ProjectSwitcher({ unread, onOpen }: { unread: ReadonlyMap<number, number>; onOpen(): void }) {
  const { id, me, isOperator } = useProject()
  const [, navigate] = useLocation()
  const [isOpened, setOpened] = useState(false)
  const [text, setText] = useState('')
  const input = { limit: 50, ...(text.trim() !== '' && { query: text.trim() }) }
  const { data } = useRead(`${identity}/projects/list`, input, { enabled: isOpened })
  const platforms = usePlatforms(isOpened)
  const unreadCount = [...unread.values()].reduce((sum, count) => sum + count, 0)
  const choices = (data?.projects ?? []).map(({ id, name, platform_id: platformId }) => {
    const section = platforms.get(platformId)
    const count = unread.get(id)
    const label = count === undefined ? name : t('{name} ({count} unread)', { name, count: countText(count) })
    return { id, label, ...(section !== undefined && { section }) }
  })
  return (
    <Picker
      label={t('Switch to a project')}
      choices={choices.sort((a, b) => collator.compare(a.section ?? '', b.section ?? ''))}
      chosen={[id]}
      onSearch={setText}
      note={data?.next_cursor ? t('More projects match. Type to narrow it down.') : undefined}
      onChoose={(chosen) => navigate(`/p/${chosen}/home`)}
      trigger={(props) => (
        <button
          type="button"
          className="project-switcher"
          {...props}
          onClick={() => {
            setOpened(true)
            setText('')
            onOpen()
            props.onClick()
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
      )}
    />
  )
}
