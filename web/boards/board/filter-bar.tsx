import { Calendar, CircleUser, Eye, LayoutTemplate, ListFilter, Search, Tag, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { priorities } from '#boards/card/priorities.ts'
import type { Member } from '../../projects/types.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { type Choice, Picker } from '../../ui/picker.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Sign } from '../../ui/sign.tsx'
import { t } from '../../words/words.ts'
import { PrioritySign, priorityNames } from '../signs.tsx'
import type { Board } from '../types.ts'
import './filter-bar.css'
import { dueNames, typeNames } from './filters.ts'

const ManageTags = loadable(() => import('../tag/manage-tags.tsx'))

interface Props {
  board: Board
  members: readonly Member[]
  isNothingFound: boolean
}

/** Filters as removable chips; they are stored in the address. */
export function FilterBar({ board, members, isNothingFound }: Props) {
  const [search, setSearch] = useSearchParams()
  const [isManaging, setManaging] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current?.focus())
  const choices = choicesOf(board, members)
  const chosen = [...search].filter(([name]) => name !== 'text').map(([name, value]) => `${name}=${value}`)
  const change = (edit: (next: URLSearchParams) => void) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        edit(next)
        return next
      },
      { replace: true },
    )
  const toggle = (id: string) => {
    const [name, value] = id.split('=') as [string, string]
    change((next) => (next.has(name, value) ? next.delete(name, value) : next.append(name, value)))
  }
  return (
    <search className="filter-bar" aria-label={t('Filter the board')}>
      <label className="filter-text">
        <Search aria-hidden="true" />
        <span className="visually-hidden">{t('Filter by title')}</span>
        <input
          ref={field}
          type="search"
          placeholder={t('Filter by title')}
          value={search.get('text') ?? ''}
          onChange={(event) => {
            const text = event.target.value
            change((next) => (text === '' ? next.delete('text') : next.set('text', text)))
          }}
        />
      </label>
      <Picker
        label={t('Filter by')}
        isMultiple
        choices={choices}
        chosen={chosen}
        manage={{ label: t('Manage tags'), onSelect: () => setManaging(true) }}
        onChoose={toggle}
        trigger={(props) => (
          <Button {...props} look="quiet" icon={<ListFilter />}>
            {t('Filter')}
          </Button>
        )}
      />
      <ul className="chips" aria-label={t('Filters in use')}>
        {chosen.map((id) => {
          const choice = choices.find((one) => one.id === id)
          const label = choice ? `${choice.section}: ${choice.label}` : unknownLabel(id)
          return (
            <li key={id} className="chip">
              {choice?.icon}
              <span className="truncate">{label}</span>
              <button
                type="button"
                aria-label={t('Remove the filter {label}', { label })}
                onClick={() => toggle(id)}
              >
                <X />
              </button>
            </li>
          )
        })}
      </ul>
      {isManaging && <ManageTags board={board} onClose={() => setManaging(false)} />}
      {isNothingFound && <span className="filter-nothing">{t('No cards match')}</span>}
      {search.size > 0 && (
        <Button look="quiet" onClick={() => setSearch({}, { replace: true })}>
          {t('Clear')}
        </Button>
      )}
    </search>
  )
}

/** The label of a filter whose tag or assignee is deleted or not loaded yet. */
function unknownLabel(id: string): string {
  if (id.startsWith('tag=')) return t('Tag: deleted')
  return id.startsWith('owner=') ? t('Assignee: …') : id
}

function choicesOf(board: Board, members: readonly Member[]): Choice<string>[] {
  const used = new Set(board.groups.flatMap(({ cards }) => cards.map(({ tag_id }) => tag_id)))
  return [
    { id: 'show=all', section: t('Show'), label: t('Snoozed and hidden'), icon: <Eye /> },
    ...members.map(({ user_id, name }) => ({
      id: `owner=${user_id}`,
      section: t('Assignee'),
      label: name,
      icon: <Avatar id={user_id} name={name} />,
    })),
    { id: 'owner=none', section: t('Assignee'), label: t('Unassigned'), icon: <CircleUser /> },
    ...board.tags
      .filter(({ id, is_active }) => is_active || used.has(id))
      .map(({ id, name, color, icon }) => ({
        id: `tag=${id}`,
        section: t('Tag'),
        label: name,
        icon: <Sign icon={icon} color={color} />,
      })),
    { id: 'tag=none', section: t('Tag'), label: t('No tag'), icon: <Tag /> },
    ...priorities.toReversed().map((priority) => ({
      id: `priority=${priority}`,
      section: t('Priority'),
      label: priorityNames[priority],
      icon: <PrioritySign priority={priority} isNamed={false} />,
    })),
    ...Object.entries(dueNames).map(([due, label]) => ({
      id: `due=${due}`,
      section: t('Due'),
      label,
      icon: <Calendar />,
    })),
    ...Object.entries(typeNames).map(([type, label]) => ({
      id: `type=${type}`,
      section: t('Type'),
      label,
      icon: <LayoutTemplate />,
    })),
  ]
}
