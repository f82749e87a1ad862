import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { dueOnDay } from '#boards/card/due.ts'
import { IconButton } from '../../ui/button.tsx'
import { Absent } from '../../ui/choose.tsx'
import { useTimely } from '../../ui/clock.ts'
import { addDays, nextMonday } from '../../ui/date/calendar-date.ts'
import { DatePicker, type Suggestion } from '../../ui/date/date-picker.tsx'
import { dates } from '../../ui/date/date-words.ts'
import { momentOf, type TypedDate, typedDateOf } from '../../ui/date/typed-date.ts'
import { usePopover } from '../../ui/popover.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import type { Card } from '../types.ts'
import './moment.css'

interface Kind {
  name: string
  /** Shown instead of a date that the person cannot add. */
  absent: string
  remove: string
  removed: string
  /** As in the picker. */
  time: 'optional' | '08:00'
  suggestions(): Suggestion[]
  /** Why it cannot be this date, or undefined. */
  refusalOf?(typed: TypedDate): string | undefined
  read(card: Pick<Card, 'due_date' | 'due_is_date' | 'snoozed_until'>): TypedDate | null
  /** The fields of the card that have this date. */
  write(typed: TypedDate | null): Partial<Card>
}

interface MomentProps {
  of: Kind
  card: Card
  icon: ReactNode
  refusal: string | undefined
  note?: ReactNode
  /** Without words of its own, the change is named after its card. */
  onChange(fields: Partial<Card>, said?: string): void
}

/** An optional date of a card, perhaps with a time. */
export function Moment({ of, card, icon, refusal, note, onChange }: MomentProps) {
  const { name } = of
  const state = usePopover()
  const value = of.read(card)
  const date = useTimely(() => (value === null ? '' : dates.short(value)))
  const change = (next: TypedDate | null) => onChange(of.write(next), next === null ? of.removed : undefined)
  const content =
    value === null ? (
      <Absent icon={icon}>{refusal === undefined ? t('Add date') : of.absent}</Absent>
    ) : (
      <>
        {icon} {date}
      </>
    )
  const shown = (
    <>
      <span className="visually-hidden">{name}: </span>
      {content}
    </>
  )
  const tip = value === null ? undefined : dates.full(value)
  return (
    <div>
      <dt>{name}</dt>
      <dd className="field-moment">
        {refusal === undefined ? (
          <DatePicker
            state={state}
            label={name}
            value={value}
            time={of.time}
            suggestions={of.suggestions}
            refusalOf={of.refusalOf}
            onChange={change}
            trigger={(trigger) => (
              <button type="button" className="field-value numbers" data-tip={tip} {...trigger}>
                {shown}
              </button>
            )}
          />
        ) : refusal === viewOnly ? (
          <span className="field-value field-still numbers" data-tip={tip}>
            {content}
          </span>
        ) : (
          <button
            type="button"
            className="field-value field-still numbers"
            aria-disabled
            aria-description={refusal}
            data-tip={refusal}
          >
            {shown}
          </button>
        )}
        {value !== null && refusal === undefined && (
          <IconButton
            label={of.remove}
            icon={<X />}
            onClick={() => {
              change(null)
              state.anchor.current?.focus()
            }}
          />
        )}
        {note}
      </dd>
    </div>
  )
}

const today = () => typedDateOf(new Date()).date

export const due: Kind = {
  name: t('Due date'),
  absent: t('No due date'),
  remove: t('Remove due date'),
  removed: t('Due date removed'),
  time: 'optional',
  suggestions: () => [
    { label: t('Today'), typed: { date: today() } },
    { label: t('Tomorrow'), typed: { date: addDays(today(), 1) } },
    { label: t('Next week'), typed: { date: nextMonday(today()) } },
  ],
  read({ due_date, due_is_date }) {
    if (due_date === null) return null
    return due_is_date ? { date: due_date.slice(0, 10) } : typedDateOf(new Date(due_date))
  },
  write(typed) {
    if (typed === null) return { due_date: null, due_is_date: false }
    const { date, time } = typed
    return time === undefined
      ? { due_date: dueOnDay(date), due_is_date: true }
      : { due_date: momentOf({ date, time }).toISOString(), due_is_date: false }
  },
}

/** The card is back in the morning. */
const morning = '08:00'

export const snooze: Kind = {
  name: t('Snooze'),
  absent: t('Not snoozed'),
  remove: t('Remove snooze'),
  removed: t('Snooze removed'),
  time: morning,
  suggestions: () => [
    { label: t('Tomorrow'), typed: { date: addDays(today(), 1), time: morning } },
    { label: t('Next week'), typed: { date: nextMonday(today()), time: morning } },
  ],
  refusalOf: (typed) =>
    momentOf({ time: morning, ...typed }).getTime() > Date.now()
      ? undefined
      : t('This time is past. Choose a later one.'),
  read: ({ snoozed_until }) => (snoozed_until === null ? null : typedDateOf(new Date(snoozed_until))),
  write: (typed) => ({
    snoozed_until: typed && momentOf({ time: morning, ...typed }).toISOString(),
  }),
}
