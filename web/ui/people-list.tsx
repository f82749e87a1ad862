// Suggests people after an `@` in a text. The focus stays in the text; the list is below it, and the text names the active entry.
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { counted, t } from '../words/words.ts'
import { Avatar } from './avatar.tsx'
import './people-list.css'

export interface Person {
  id: number
  name: string
}

const mostShown = 6

/** An `@` that begins a word, and up to four words after it. */
const asking = /(?:^|[^\p{L}\p{M}\p{N}_@])@([\p{L}\p{M}\p{N}'’.-]*(?: [\p{L}\p{M}\p{N}'’.-]+){0,3} ?)$/u

interface Options {
  people: readonly Person[]
  /** Replaces the last `length` characters before the cursor by the text. */
  insert(text: string, length: number): void
  onMention(person: Person): void
}

export function usePeopleList({ people, insert, onMention }: Options) {
  const id = useId()
  const [query, setQuery] = useState<string>()
  const [place, setPlace] = useState(0)
  /** Where the list was closed with Esc; it stays closed for that `@`. */
  const closedAt = useRef(-1)
  const found = query === undefined ? [] : matching(people, query)
  const active = Math.min(place, found.length - 1)
  const isOpen = found.length > 0

  /** To be called with the text before the cursor whenever it changes. */
  function look(before: string) {
    const asked = asking.exec(before)?.[1]
    const at = before.length - (asked?.length ?? 0)
    if (asked === undefined) closedAt.current = -1
    setPlace(0)
    setQuery(asked === undefined || closedAt.current === at ? undefined : asked)
    start.current = at
  }
  const start = useRef(0)

  function choose(person: Person) {
    insert(`@${person.name} `, (query ?? '').length + 1)
    onMention(person)
    setQuery(undefined)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    const next: Record<string, number> = {
      ArrowDown: (active + 1) % found.length,
      ArrowUp: (active - 1 + found.length) % found.length,
    }
    const to = next[event.key]
    if (to !== undefined) setPlace(to)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(found[active] as Person)
    else if (event.key === 'Escape') {
      closedAt.current = start.current
      setQuery(undefined)
    } else return
    // Otherwise the text, or the panel around it, would take the key.
    event.preventDefault()
    event.stopPropagation()
  }

  const list: ReactNode = isOpen && (
    <div id={id} role="listbox" aria-label={t('People')} tabIndex={-1} className="people-list">
      {found.map((person, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the text, which names the active one.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text hears the keys.
        <div
          key={person.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={`menu-item ${index === active ? 'picker-active' : ''}`}
          // The text keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(person)}
        >
          <Avatar id={person.id} name={person.name} />
          <span className="menu-label truncate" dir="auto">
            {person.name}
          </span>
        </div>
      ))}
    </div>
  )
  return {
    look,
    close: () => setQuery(undefined),
    onKeyDown,
    /** For the text. */
    textProps: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${active}` : undefined,
    } as const,
    list: (
      <>
        {list}
        <span role="status" className="visually-hidden">
          {isOpen && counted(found.length, { one: '{count} person found', other: '{count} people found' })}
        </span>
      </>
    ),
  }
}

/** Those with a word that begins like this, or whose name goes on like this. */
function matching(people: readonly Person[], query: string): Person[] {
  const typed = query.toLowerCase()
  return people
    .filter(({ name }) => {
      const lowered = name.toLowerCase()
      return lowered.startsWith(typed) || lowered.split(/\s+/).some((word) => word.startsWith(typed))
    })
    .slice(0, mostShown)
}
