// The dialog of the command menus of a project and of the operator's area.
import { Building2, Keyboard, LogOut, Search, SquareKanban, SunMoon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useProject } from '../data/project.tsx'
import { appearances, chooseAppearance } from '../identity/appearance.ts'
import type { CommandChoice, CommandSection } from '../ui/commands.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { MenuAction } from '../ui/menu.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { counted, t } from '../words/words.ts'
import './command-menu.css'
import type { Entry } from './entries.tsx'
import { keepRecent, type Recent, readRecent } from './recent.ts'

export interface MenuProps {
  /** The actions of the page, such as those of the focused card. */
  sections: readonly CommandSection[]
  /** What it asks for first. */
  asking?: CommandChoice | undefined
  /** Called once it has the focus. */
  onShown(): void
  onKeys(): void
  onNewCard(): void
  onSignOut(): void
  onClose(): void
}

export interface Command {
  id: string
  section: string
  label: string
  /** Where it belongs, such as the board of a card. */
  detail?: string
  icon: ReactNode
  hint?: string | undefined
  refusal?: string | undefined
  /** The address it leads to, what it does, or what it asks for next. */
  act: string | (() => void) | CommandChoice
}

const mostOfSection = 6

interface Props {
  text: string
  onText(text: string): void
  /** Filtered by what is typed. */
  all: readonly Command[]
  /** Found by what is typed. */
  found?: readonly Command[]
  asking?: CommandChoice | undefined
  onShown(): void
  onClose(): void
}

export function CommandDialog({ text, onText, all, found = [], asking: first, onShown, onClose }: Props) {
  const { id: projectId, me } = useProject()
  const [, navigate] = useLocation()
  const [asking, setAsking] = useState(first)
  const [recent] = useState(() => readRecent(me.user.id, projectId))
  useEffect(onShown, [onShown])
  const shown = asking ? choicesOf(asking, text) : fitting(text, all.filter(isOffered), found, recent)
  const choose = (command: Command) => {
    if (command.refusal !== undefined) return
    if (typeof command.act === 'object') {
      setAsking(command.act)
      return onText('')
    }
    onClose()
    if (typeof command.act === 'function') return void afterClosing(command.act)
    const { label, detail, act: to } = command
    keepRecent(me.user.id, projectId, { id: command.id.replace(recentPrefix, ''), label, detail, to })
    navigate(to)
  }
  return (
    <Dialog title={t('Commands')} onClose={onClose}>
      <CommandList
        key={asking?.label}
        label={asking?.label ?? t('Search or run a command')}
        text={text}
        onText={onText}
        found={shown}
        onChoose={choose}
      />
    </Dialog>
  )
}

/** People who may only look see nothing that others may do. */
const isOffered = ({ refusal }: Command) => refusal !== viewOnly

/** Apart from the same command in its own section. */
const recentPrefix = 'recent '

/** Once the dialog has given the focus back, which the action may move. */
const afterClosing = (act: () => void) => requestAnimationFrame(act)

/** The choices of a command that fit what is typed. */
function choicesOf({ label, choices }: CommandChoice, text: string): Command[] {
  const words = wordsOf(text)
  const fitting = Array.isArray(choices)
    ? choices.filter((choice) => hasWords(words, choice.label))
    : choices(text)
  return fitting.map((choice) => ({
    icon: null,
    ...choice,
    id: choice.label,
    section: label,
    act: choice.onSelect,
  }))
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)
const hasWords = (words: string[], text: string) => words.every((word) => text.toLowerCase().includes(word))

function fitting(
  text: string,
  all: readonly Command[],
  found: readonly Command[],
  recent: readonly Recent[],
): Command[] {
  const words = wordsOf(text)
  if (words.length === 0) return [...recent.flatMap((one) => recentCommand(one, all)), ...shortened(all)]
  const isMatch = ({ label, section }: Command) => hasWords(words, `${section} ${label}`)
  const matching = all.flatMap((command) => [
    ...(isMatch(command) ? [command] : []),
    ...choicesByName(command, words),
  ])
  return [...shortened(matching), ...found]
}

/** The choices of a command that are typed at once, such as “urgent” or “due tomorrow”. */
function choicesByName({ id, section, refusal, act }: Command, words: string[]): Command[] {
  if (typeof act !== 'object') return []
  const name = act.label.replace('…', '')
  const left = words.filter((word) => !hasWords([word], name))
  if (left.length === 0) return []
  const labelOf = ({ label, fullLabel }: MenuAction) =>
    fullLabel ?? t('{name}: {value}', { name, value: label })
  const choices = Array.isArray(act.choices)
    ? act.choices.filter((choice) => hasWords(words, `${name} ${labelOf(choice)}`))
    : act.choices(left.join(' '))
  return choices.slice(0, mostOfSection).map((choice, index) => ({
    icon: null,
    ...choice,
    refusal: refusal ?? choice.refusal,
    id: `${id} ${index}`,
    section,
    label: labelOf(choice),
    act: choice.onSelect,
  }))
}

/** Cards and projects are listed as they were; everything else by its current name, unless it is gone. */
function recentCommand({ id, label, detail, to }: Recent, all: readonly Command[]): Command[] {
  const current = all.find((command) => command.id === id)
  if (!current && !/^(card|project) /.test(id)) return []
  return [
    {
      ...(current ?? { label, icon: id.startsWith('card ') ? <SquareKanban /> : <Building2 /> }),
      ...(detail !== undefined && { detail }),
      id: recentPrefix + id,
      section: t('Recent'),
      act: to,
    },
  ]
}

/** A few of each section, except the actions of what has the focus: these cannot be found elsewhere. */
function shortened(commands: readonly Command[]): Command[] {
  const bySection = Map.groupBy(commands, ({ section }) => section)
  return [...bySection.values()].flatMap((some) =>
    typeof some[0]?.act === 'string' ? some.slice(0, mostOfSection) : some,
  )
}

/** The actions of the page. */
export const pageCommands = (sections: readonly CommandSection[]): Command[] =>
  sections.flatMap(({ section, entries }) =>
    entries.flatMap((entry, index): Command[] =>
      entry === 'line' || 'section' in entry
        ? []
        : [
            {
              icon: null,
              ...entry,
              ...('key' in entry && { hint: entry.key?.toUpperCase() }),
              label: entry.fullLabel ?? entry.label,
              id: `${section} ${index}`,
              section,
              act: 'choices' in entry ? entry : entry.onSelect,
            },
          ],
    ),
  )

/** The pages of the sidebar. */
export function usePagesAsCommands(entries: readonly Entry[]): Command[] {
  const { base, me } = useProject()
  return entries
    .filter(({ isFor }) => isFor?.(me) ?? true)
    .map(({ label, path, icon }) => ({
      id: `page ${path}`,
      section: t('Pages'),
      label,
      icon,
      act: base + path,
    }))
}

/** What can be done everywhere. */
export const usualCommands = ({ onKeys, onSignOut }: MenuProps): Command[] => [
  {
    id: 'keys',
    section: t('Actions'),
    label: t('Keyboard shortcuts'),
    icon: <Keyboard />,
    hint: '?',
    act: onKeys,
  },
  {
    id: 'appearance',
    section: t('Actions'),
    label: `${t('Appearance')}…`,
    icon: <SunMoon />,
    act: {
      label: t('Appearance'),
      choices: Object.entries(appearances).map(([appearance, label]) => ({
        label,
        onSelect: () => chooseAppearance(appearance),
      })),
    },
  },
  { id: 'sign out', section: t('Actions'), label: t('Sign out'), icon: <LogOut />, act: onSignOut },
]

interface ListProps {
  label: string
  text: string
  onText(text: string): void
  found: readonly Command[]
  onChoose(command: Command): void
}

function CommandList({ label, text, onText, found, onChoose }: ListProps) {
  const id = useId()
  const [place, setPlace] = useState(0)
  const active = Math.min(place, found.length - 1)
  const sections = useMemo(() => [...Map.groupBy(found.entries(), ([, { section }]) => section)], [found])
  const onKeyDown = (event: KeyboardEvent) => {
    const next: Record<string, number> = {
      ArrowDown: (active + 1) % found.length,
      ArrowUp: (active - 1 + found.length) % found.length,
    }
    const to = next[event.key]
    const chosen = found[active]
    if (to !== undefined && found.length > 0) setPlace(to)
    else if (event.key === 'Enter' && chosen) onChoose(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div className="commands">
      <div className="commands-search">
        <Search aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just opened it to type.
          autoFocus
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
          placeholder={label}
          maxLength={255}
          dir="auto"
          value={text}
          onChange={(event) => {
            onText(event.target.value)
            setPlace(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t('Commands')}
        tabIndex={-1}
        className="commands-list"
      >
        {sections.map(([section, commands]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of choices.
          <div key={section} role="group" aria-label={section}>
            <div role="presentation" className="menu-section truncate" dir="auto">
              {section}
            </div>
            {commands.map(([index, command]) => (
              <CommandOption
                key={command.id}
                id={`${id}-${index}`}
                command={command}
                isActive={index === active}
                onChoose={() => onChoose(command)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={found.length === 0 ? 'picker-empty' : 'visually-hidden'}>
        {found.length === 0
          ? t('Nothing matches “{text}”.', { text })
          : text !== '' && counted(found.length, { one: '{count} match', other: '{count} matches' })}
      </p>
    </div>
  )
}

interface OptionProps {
  id: string
  command: Command
  isActive: boolean
  onChoose(): void
}

function CommandOption({ id, command, isActive, onChoose }: OptionProps) {
  const { label, detail, icon, hint, refusal } = command
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the search field, which names the active one.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field hears the keys.
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={refusal !== undefined || undefined}
      aria-description={refusal}
      data-tip={refusal}
      className={`menu-item ${isActive ? 'picker-active' : ''}`}
      onClick={onChoose}
    >
      <span className="menu-icon">{icon}</span>
      <span className="menu-label truncate" dir="auto">
        {label}
      </span>
      {(detail ?? hint) && <span className="menu-hint truncate">{detail ?? hint}</span>}
    </div>
  )
}
