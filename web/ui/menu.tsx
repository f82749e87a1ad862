import type { Placement } from '@floating-ui/dom'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import './menu.css'
import { Popover, type PopoverState, usePopover } from './popover.tsx'
import { viewOnly } from './view-only.ts'

export interface MenuAction {
  label: string
  /** Its name in the command menu, where the section is not shown. */
  fullLabel?: string
  icon?: ReactNode
  /** The keyboard shortcut. */
  hint?: string
  isDanger?: boolean
  refusal?: string | undefined
  onSelect(): void
}

export type MenuEntry = MenuAction | { section: string } | 'line'

interface Props {
  label: string
  /** Created when the menu opens, so that long lists create no hidden menus. */
  entries(): MenuEntry[]
  placement?: Placement
  trigger(props: PopoverState['triggerProps'] & { 'aria-haspopup': 'menu' }): ReactNode
}

export const Menu = (props: Props) => <MenuOf {...props} state={usePopover()} />

/** A menu that can also be opened in another way. */
export function MenuOf({
  state,
  label,
  entries,
  placement = 'bottom-end',
  trigger,
}: Props & { state: PopoverState }) {
  return (
    <>
      {trigger({ ...state.triggerProps, 'aria-haspopup': 'menu' })}
      <Popover state={state} placement={placement} className="menu-popover">
        {state.isOpen && (
          <MenuList label={label} entries={shownOf(entries())} close={state.close} anchor={state.anchor} />
        )}
      </Popover>
    </>
  )
}

/** Leaves out actions the person may not use, and headings and separators without entries. */
const shownOf = (entries: MenuEntry[]): MenuEntry[] =>
  entries
    .filter((entry) => !isAction(entry) || entry.refusal !== viewOnly)
    .filter((entry, index, all) => entry === 'line' || isAction(entry) || !isEnd(all[index + 1]))
    .filter((entry, index, all) => entry !== 'line' || (index > 0 && !isEnd(all[index + 1])))

const isEnd = (entry: MenuEntry = 'line') => entry === 'line'

const isAction = (entry: MenuEntry): entry is MenuAction => typeof entry === 'object' && !('section' in entry)

interface ListProps {
  label: string
  entries: MenuEntry[]
  close(): void
  anchor: PopoverState['anchor']
}

function MenuList({ label, entries, close, anchor }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  // A key may have opened it elsewhere than on its button.
  const [before] = useState(() => document.activeElement)
  const returnFocus = () => {
    const isUsable = before instanceof HTMLElement && before !== document.body && before.isConnected
    const target = isUsable ? before : anchor.current
    target?.focus()
  }
  useEffect(() => itemsOf(list.current)[0]?.focus(), [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation()
    if (event.key !== 'Tab') return moveFocus(event)
    // The next Tab continues from there.
    event.preventDefault()
    close()
    returnFocus()
  }
  const select = (entry: MenuAction) => {
    if (entry.refusal !== undefined) return
    close()
    returnFocus()
    entry.onSelect()
  }
  return (
    <div ref={list} role="menu" aria-label={label} className="menu" tabIndex={-1} onKeyDown={onKeyDown}>
      {entries.map((entry, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the entries of an open menu keep their places.
        if (entry === 'line') return <hr key={index} className="menu-line" />
        if ('section' in entry)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <div key={index} role="presentation" className="menu-section">
              {entry.section}
            </div>
          )
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            key={index}
            type="button"
            tabIndex={-1}
            role="menuitem"
            aria-disabled={entry.refusal !== undefined || undefined}
            aria-description={entry.refusal}
            data-tip={entry.refusal}
            className={`menu-item ${entry.isDanger ? 'menu-item-danger' : ''}`}
            onClick={() => select(entry)}
          >
            <span className="menu-icon">{entry.icon}</span>
            <span className="menu-label truncate">{entry.label}</span>
            {entry.hint && (
              <span className="menu-hint" aria-hidden="true">
                {entry.hint}
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}

const itemsOf = (list: HTMLElement | null) =>
  [...(list?.children ?? [])].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.role === 'menuitem',
  )

/** What is typed without a pause, and when. */
let typed = ''
let typedAt = 0
const pauseMilliseconds = 700

/** The arrow keys, Home, End, and the first letters of an entry, as in every menu. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const { key, timeStamp } = event
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const targets: Record<string, HTMLElement | undefined> = {
    ArrowDown: items[at + 1] ?? items[0],
    ArrowUp: items.at(at - 1),
    Home: items[0],
    End: items.at(-1),
  }
  let target = targets[key]
  if (!target && /^\S$/u.test(key)) {
    const letter = key.toLowerCase()
    typed = timeStamp - typedAt < pauseMilliseconds ? typed + letter : letter
    typedAt = timeStamp
    const nextWith = (text: string, from: number) =>
      [...items.slice(from), ...items].find((item) => item.textContent?.toLowerCase().startsWith(text))
    // The same letter again leads to the next entry.
    target = nextWith(typed, typed === letter ? at + 1 : at) ?? nextWith(letter, at + 1)
  }
  if (!target) return
  event.preventDefault()
  target.focus()
}
