import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { counted, t } from '../words/words.ts'
import './picker.css'
import { Popover, type PopoverState, usePopover } from './popover.tsx'

export interface Choice<Id extends string | number> {
  id: Id
  label: string
  section?: string
  icon?: ReactNode
}

export interface Manage {
  label: string
  onSelect(): void
}

interface Props<Id extends string | number> {
  label: string
  choices: readonly Choice<Id>[]
  chosen: readonly Id[]
  /** Keeps the list open for another choice. */
  isMultiple?: boolean
  /** Called with the typed text if the caller filters the choices; otherwise they are filtered here. */
  onSearch?: ((text: string) => void) | undefined
  /** Whether the choices are still those of an earlier text. */
  isReading?: boolean | undefined
  /** Reads more choices, when the last ones are near. */
  onEnd?: (() => void) | undefined
  /** Creates a choice from the typed text if there is none with that name. */
  onCreate?: ((text: string) => void) | undefined
  /** Below the choices. */
  note?: string | undefined
  /** A button below the choices that opens their management. */
  manage?: Manage | undefined
  onChoose(id: Id): void
  trigger(props: PopoverState['triggerProps'] & { 'aria-haspopup': 'listbox' }): ReactNode
}

/** A list of choices with a search field. */
export function Picker<Id extends string | number>(props: Props<Id>) {
  const state = usePopover()
  return (
    <>
      {props.trigger({ ...state.triggerProps, 'aria-haspopup': 'listbox' })}
      <PickerPopover {...props} state={state} />
    </>
  )
}

/** In pixels. */
const nearEnd = 200

/** Where the choice is now: others may have been read before it. */
function placeOf<Id extends string | number>(
  { place, id }: { place: number; id?: Id | undefined },
  found: readonly Choice<Id>[],
): number {
  const now = found.findIndex((choice) => choice.id === id)
  return now < 0 ? place : now
}

/** The list alone, for a button of the caller. */
export const PickerPopover = <Id extends string | number>(props: ListProps<Id>) => (
  <Popover state={props.state} className="picker-popover">
    <PickerList {...props} />
  </Popover>
)

type ListProps<Id extends string | number> = Omit<Props<Id>, 'trigger'> & { state: PopoverState }

function PickerList<Id extends string | number>(props: ListProps<Id>) {
  const { label, choices, chosen, isMultiple, isReading = false, onChoose, onCreate, onSearch } = props
  const { onEnd, note, manage, state } = props
  const id = useId()
  const [text, setText] = useState('')
  const [moved, setMoved] = useState<{ place: number; id?: Id | undefined }>()
  // Enter was pressed before the choices were there.
  const [isAwaited, setAwaited] = useState(false)
  const found = useMemo(() => (onSearch ? choices : search(choices, text)), [choices, text, onSearch])
  // Enter alone keeps what is chosen, also while the choices are still read.
  const active = moved
    ? placeOf(moved, found)
    : isMultiple || chosen.length === 0
      ? 0
      : found.findIndex((choice) => chosen.includes(choice.id))
  const canCreate =
    onCreate !== undefined && text.trim() !== '' && !found.some((one) => one.label === text.trim())

  const isEmpty = found.length === 0 && !canCreate && !isReading

  const leave = () => {
    state.close()
    state.anchor.current?.focus()
  }
  const choose = (choice: Choice<Id> | undefined) => {
    if (choice) onChoose(choice.id)
    else if (canCreate) onCreate(text.trim())
    else return
    if (isMultiple && choice) return
    leave()
  }
  useEffect(() => {
    if (!isAwaited || isReading) return
    setAwaited(false)
    choose(found[active])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const last = found.length - 1 + (canCreate ? 1 : 0)
    const places: Record<string, number> = {
      ArrowDown: Math.min(active + 1, last),
      ArrowUp: Math.max(active - 1, 0),
    }
    const place = places[event.key]
    if (place !== undefined) {
      event.preventDefault()
      setMoved({ place, id: found[place]?.id })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isReading) setAwaited(true)
      else choose(found[active])
    }
  }

  return (
    <div className="picker">
      <div className="picker-search">
        <Search aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just opened the list to type or to choose.
          autoFocus
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={
            active >= 0 && (found.length > 0 || canCreate) ? `${id}-${active}` : undefined
          }
          placeholder={label}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setMoved({ place: 0 })
            setAwaited(false)
            onSearch?.(event.target.value)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={isMultiple}
        tabIndex={-1}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < nearEnd) onEnd?.()
        }}
      >
        {sectionsOf(found).map(({ section, first, entries }) => (
          <PickerSection key={first} id={`${id}-from-${first}`} heading={section}>
            {entries.map((choice, place) => (
              <PickerChoice
                key={choice.id}
                id={`${id}-${first + place}`}
                choice={choice}
                isActive={first + place === active}
                isChosen={chosen.includes(choice.id)}
                onChoose={() => choose(choice)}
              />
            ))}
          </PickerSection>
        ))}
        {canCreate && (
          <PickerChoice
            id={`${id}-${found.length}`}
            choice={{ id: '', label: t('Create “{text}”', { text: text.trim() }) }}
            isActive={active === found.length}
            isChosen={false}
            onChoose={() => choose(undefined)}
          />
        )}
      </div>
      <p role="status" className={isEmpty ? 'picker-empty' : 'visually-hidden'}>
        {isEmpty
          ? t('Nothing matches “{text}”.', { text })
          : text !== '' &&
            !isReading &&
            counted(found.length, { one: '{count} match', other: '{count} matches' })}
      </p>
      {note !== undefined && <p className="picker-note">{note}</p>}
      {manage && (
        <button
          type="button"
          className="menu-item picker-manage"
          onClick={() => {
            leave()
            manage.onSelect()
          }}
        >
          {manage.label}
        </button>
      )}
    </div>
  )
}

/** A group with a name for screen readers; choices without a section stand alone. */
const PickerSection = ({
  id,
  heading,
  children,
}: {
  id: string
  heading: string | undefined
  children: ReactNode
}) =>
  heading === undefined ? (
    children
  ) : (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of choices.
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className="menu-section">
        {heading}
      </div>
      {children}
    </div>
  )

interface ChoiceProps {
  id: string
  choice: Choice<string | number>
  isActive: boolean
  isChosen: boolean
  onChoose(): void
}

function PickerChoice({ id, choice, isActive, isChosen, onChoose }: ChoiceProps) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the search field, which names the active choice.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field hears the keys.
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={`menu-item ${isActive ? 'picker-active' : ''}`}
      onClick={onChoose}
    >
      {choice.icon && <span className="menu-icon">{choice.icon}</span>}
      <span className="menu-label truncate">{choice.label}</span>
      {isChosen && <Check className="picker-check" aria-hidden="true" />}
    </div>
  )
}

/** Neighbors of the same section together, with the index of the first. */
function sectionsOf<Id extends string | number>(found: readonly Choice<Id>[]) {
  const sections: { section: string | undefined; first: number; entries: Choice<Id>[] }[] = []
  for (const [index, choice] of found.entries()) {
    const last = sections.at(-1)
    if (last && last.section === choice.section) last.entries.push(choice)
    else sections.push({ section: choice.section, first: index, entries: [choice] })
  }
  return sections
}

function search<Id extends string | number>(
  choices: readonly Choice<Id>[],
  text: string,
): readonly Choice<Id>[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return choices
  return choices.filter(({ label, section = '' }) => {
    const haystack = `${section} ${label}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}
