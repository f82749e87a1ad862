import { Calendar, CircleCheck, EyeOff, MoonStar } from 'lucide-react'
import { isOverdue } from '#boards/card/due.ts'
import type { Member } from '../../projects/types.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useTimely } from '../../ui/clock.ts'
import { Sign } from '../../ui/sign.tsx'
import { dayName, fullTime } from '../../ui/time.tsx'
import { isSnoozed } from '../arrangement.ts'
import { PrioritySign, StatusSign, statusName } from '../signs.tsx'
import type { Card, Tag } from '../types.ts'
import './card-face.css'

export interface CardContext {
  tags: ReadonlyMap<number, Tag>
  members: ReadonlyMap<number, Member>
  unread: ReadonlyMap<number, number>
}

/** The row below the title, with what people need to see without opening the card. */
export function CardMeta({ card, context }: { card: Card; context: CardContext }) {
  const tag = card.tag_id === null ? undefined : context.tags.get(card.tag_id)
  const owner = card.owner_id === null ? undefined : context.members.get(card.owner_id)
  const unread = context.unread.get(card.id)
  const isAsleep = useTimely(() => isSnoozed(card))
  return (
    <div className="card-meta">
      <PrioritySign priority={card.priority} />
      {card.status === 'closed' && <CircleCheck className="card-closed" role="img" aria-label="Done" />}
      {card.status !== 'open' && card.status !== 'closed' && (
        <span
          className="card-status"
          role="img"
          aria-label={statusName(card.status)}
          data-tip={statusName(card.status)}
        >
          <StatusSign status={card.status} />
        </span>
      )}
      {tag && (
        <span className="card-tag">
          <Sign icon={tag.icon} color={tag.color} />
          <span className="truncate" dir="auto">
            {tag.name}
          </span>
        </span>
      )}
      <Due of={card} />
      {isAsleep && card.snoozed_until && (
        <span className="card-note" data-tip={`Snooze ends ${fullTime(card.snoozed_until)}`}>
          <MoonStar aria-hidden="true" />
          <span className="visually-hidden">Snooze ends </span>
          {dayName(card.snoozed_until)}
        </span>
      )}
      {!card.is_active && (
        <span className="card-note">
          <EyeOff aria-hidden="true" />
          Hidden
        </span>
      )}
      <span className="card-space" />
      {unread !== undefined && (
        <span className="card-unread numbers" data-tip={`${unread} unread`}>
          <span className="dot" data-hue="blue" aria-hidden="true" />
          {unread}
          <span className="visually-hidden"> unread {unread === 1 ? 'comment' : 'comments'}</span>
        </span>
      )}
      {owner && <Avatar id={owner.user_id} name={owner.name} />}
    </div>
  )
}

export function Due({ of: card }: { of: Pick<Card, 'due_date' | 'status'> }) {
  const { due_date: date } = card
  const isLate = useTimely(() => isOverdue(card))
  const day = useTimely(() => (date === null ? '' : dayName(date)))
  if (date === null) return null
  return (
    <span
      className="card-due numbers"
      data-overdue={isLate}
      data-tip={`${isLate ? 'Overdue since' : 'Due'} ${fullTime(date)}`}
    >
      <Calendar aria-hidden="true" />
      <span className="visually-hidden">{isLate ? 'Overdue since ' : 'Due '}</span>
      {day}
    </span>
  )
}

/** For places that also show the date. */
export function Overdue({ card }: { card: Card }) {
  const isLate = useTimely(() => isOverdue(card))
  return (
    isLate && (
      <span className="card-due" data-overdue>
        Overdue
      </span>
    )
  )
}
