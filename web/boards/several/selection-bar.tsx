import {
  ArrowRightToLine,
  CalendarPlus,
  ChevronsUp,
  CircleDashed,
  CircleUser,
  MoonStar,
  Tag as TagIcon,
  Trash2,
  X,
} from 'lucide-react'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { priorities } from '#boards/card/priorities.ts'
import type { Member } from '../../projects/types.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { isTyping } from '../../ui/commands.ts'
import { DatePicker } from '../../ui/date/date-picker.tsx'
import { isAnythingFloating } from '../../ui/floating.ts'
import { type Choice, Picker } from '../../ui/picker.tsx'
import { usePopover } from '../../ui/popover.tsx'
import { Sign } from '../../ui/sign.tsx'
import { t } from '../../words/words.ts'
import { due, snooze } from '../card/moment.tsx'
import type { Selection } from '../selection.ts'
import { knownStatuses, PrioritySign, priorityNames, StatusSign, statusName } from '../signs.tsx'
import type { Board, Priority, Tag } from '../types.ts'
import './selection-bar.css'
import { refusalOfMany, type Selected, type Shared, type useSeveral } from './several.ts'

interface Props {
  /** Undefined if the cards are on several boards, where they cannot be moved. */
  board: Board | undefined
  tags: readonly Tag[]
  members: readonly Member[]
  selection: Selection
  several: ReturnType<typeof useSeveral>
  /** The selected cards that are shown, in their order. */
  cards(): Selected[]
  refusal: string | undefined
  refusalToDelete(cards: readonly Selected[]): string | undefined
  onRemove(): void
  onEnd(): void
  onMoveElsewhere(): void
}

const nothing = 0

/** What can be done with the selected cards; Esc ends the selection. */
export function SelectionBar(props: Props) {
  const {
    board,
    tags,
    members,
    selection,
    several,
    cards: selected,
    onRemove,
    onEnd,
    onMoveElsewhere,
  } = props
  useSyncExternalStore(selection.subscribe, selection.ids)
  useEndByEscape(onEnd)
  const cards = selected()
  // A card that was deleted, or that a filter hides, is not selected when it comes back.
  useEffect(() => {
    const shown = new Set(cards.map(({ id }) => id))
    if (shown.size < selection.ids().size) selection.set([...selection.ids()].filter((id) => shown.has(id)))
  })
  const refusal = props.refusal ?? refusalOfMany(cards)
  const set = (fields: Shared) => several.set(cards, fields)
  return (
    <section className="selection-bar" aria-label={t('Selected cards')}>
      <span className="selection-count numbers">{t('{count} selected', { count: cards.length })}</span>
      <div className="selection-actions">
        {board ? (
          <Pick
            label={t('Move to')}
            icon={<ArrowRightToLine />}
            refusal={refusal}
            choices={board.groups.map(({ id, title, icon, color }) => ({
              id,
              label: title,
              icon: <Sign icon={icon} color={color} />,
            }))}
            manage={{ label: t('Another board…'), onSelect: onMoveElsewhere }}
            onChoose={(id) => {
              const group = board.groups.find((one) => one.id === id)
              if (group) void several.move(cards, { groupId: group.id, before: null }, group.title)
            }}
          />
        ) : (
          <Button look="quiet" icon={<ArrowRightToLine />} refusal={refusal} onClick={onMoveElsewhere}>
            {t('Move to')}
          </Button>
        )}
        <Pick
          label={t('Assignee')}
          icon={<CircleUser />}
          refusal={refusal}
          choices={[
            { id: nothing, label: t('Unassigned'), icon: <CircleUser /> },
            ...members.map(({ user_id, name }) => ({
              id: user_id,
              label: name,
              icon: <Avatar id={user_id} name={name} />,
            })),
          ]}
          onChoose={(id) => set({ owner_id: id === nothing ? null : id })}
        />
        <Pick
          label={t('Tag')}
          icon={<TagIcon />}
          refusal={refusal}
          choices={[
            { id: nothing, label: t('No tag'), icon: <TagIcon /> },
            ...tags
              .filter(({ is_active }) => is_active)
              .map(({ id, name, icon, color }) => ({
                id,
                label: name,
                icon: <Sign icon={icon} color={color} />,
              })),
          ]}
          onChoose={(id) => set({ tag_id: id === nothing ? null : id })}
        />
        <PickDate of={due} cards={cards} icon={<CalendarPlus />} refusal={refusal} onChange={set} />
        <Pick
          label={t('Priority')}
          icon={<ChevronsUp />}
          refusal={refusal}
          choices={priorities.toReversed().map((one) => ({
            id: one,
            label: priorityNames[one],
            icon: <PrioritySign priority={one} isNamed={false} />,
          }))}
          onChoose={(priority: Priority) => set({ priority })}
        />
        <Pick
          label={t('Status')}
          icon={<CircleDashed />}
          refusal={refusal}
          choices={knownStatuses.map((one) => ({
            id: one,
            label: statusName(one),
            icon: <StatusSign status={one} />,
          }))}
          onChoose={(status) => set({ status })}
        />
        <PickDate of={snooze} cards={cards} icon={<MoonStar />} refusal={refusal} onChange={set} />
        <Button look="danger" icon={<Trash2 />} refusal={props.refusalToDelete(cards)} onClick={onRemove}>
          {t('Delete')}
        </Button>
      </div>
      <IconButton label={t('End selection')} icon={<X />} onClick={onEnd} />
    </section>
  )
}

/** Before a panel behind it hears the key. */
function useEndByEscape(end: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isAnythingFloating() || isTyping(event.target)) return
      event.preventDefault()
      end()
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [end])
}

interface PickProps<Id extends string | number> {
  label: string
  icon: ReactNode
  refusal: string | undefined
  choices: readonly Choice<Id>[]
  manage?: { label: string; onSelect(): void }
  onChoose(id: Id): void
}

function Pick<Id extends string | number>({
  label,
  icon,
  refusal,
  choices,
  manage,
  onChoose,
}: PickProps<Id>) {
  if (refusal !== undefined) return <Refused label={label} icon={icon} refusal={refusal} />
  return (
    <Picker
      label={label}
      choices={choices}
      chosen={[]}
      manage={manage}
      onChoose={onChoose}
      trigger={(trigger) => (
        <Button {...trigger} look="quiet" icon={icon} data-tip={label}>
          {label}
        </Button>
      )}
    />
  )
}

const Refused = ({ label, icon, refusal }: { label: string; icon: ReactNode; refusal: string }) => (
  <Button look="quiet" icon={icon} refusal={refusal}>
    {label}
  </Button>
)

interface PickDateProps {
  of: typeof due
  cards: readonly Selected[]
  icon: ReactNode
  refusal: string | undefined
  onChange(fields: Shared): void
}

function PickDate({ of, cards, icon, refusal, onChange }: PickDateProps) {
  const state = usePopover()
  if (refusal !== undefined) return <Refused label={of.name} icon={icon} refusal={refusal} />
  return (
    <DatePicker
      state={state}
      label={of.name}
      value={undefined}
      time={of.time}
      suggestions={() => [
        ...of.suggestions(),
        ...(cards.some((card) => of.read(card) !== null) ? [{ label: of.remove, typed: null }] : []),
      ]}
      refusalOf={of.refusalOf}
      onChange={(typed) => onChange(of.write(typed) as Shared)}
      trigger={(trigger) => (
        <Button {...trigger} look="quiet" icon={icon} data-tip={of.name}>
          {of.name}
        </Button>
      )}
    />
  )
}
