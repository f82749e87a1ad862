import { Calendar, CircleCheck, EyeOff, MoonStar } from 'lucide-react'
import type { Card, Member, Tag } from '../data/types.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Dot, PrioritySign, StatusSign, statusName } from '../ui/signs.tsx'
import { dayName, fullTime } from '../ui/time.tsx'
import './card-face.css'

export interface CardContext {
  tags: ReadonlyMap<number, Tag>
  members: ReadonlyMap<number, Member>
  unread: ReadonlyMap<number, number>
}

/** The row below the title: what has to be known without opening the card. */
export function CardMeta({ card, context }: { card: Card; context: CardContext }) {
  const tag = card.tag_id === null ? undefined : context.tags.get(card.tag_id)
  const owner = card.owner_id === null ? undefined : context.members.get(card.owner_id)
  const unread = context.unread.get(card.id)
  const isSnoozed = card.snoozed_until !== null && new Date(card.snoozed_until).getTime() > Date.now()
  return (
    <div className="card-meta">
      <PrioritySign priority={card.priority} />
      {card.status === 'closed' && <CircleCheck className="card-closed" role="img" aria-label="Closed" />}
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
          <Dot color={tag.color} />
          <span className="truncate" dir="auto">
            {tag.name}
          </span>
        </span>
      )}
      {card.due_date && <Due date={card.due_date} isOverdue={card.is_overdue} />}
      {isSnoozed && card.snoozed_until && (
        <span className="card-note" data-tip={`Snoozed until ${fullTime(card.snoozed_until)}`}>
          <MoonStar aria-hidden="true" />
          <span className="visually-hidden">Snoozed until </span>
          {dayName(card.snoozed_until)}
        </span>
      )}
      {!card.is_active && (
        <span className="card-note">
          <EyeOff aria-hidden="true" />
          Dismissed
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

export function Due({ date, isOverdue }: { date: string; isOverdue: boolean }) {
  return (
    <span
      className="card-due numbers"
      data-overdue={isOverdue}
      data-tip={`${isOverdue ? 'Overdue since' : 'Due'} ${fullTime(date)}`}
    >
      <Calendar aria-hidden="true" />
      <span className="visually-hidden">{isOverdue ? 'Overdue since ' : 'Due '}</span>
      {dayName(date)}
    </span>
  )
}

/** Where the date stands beside it. */
export const Overdue = () => (
  <span className="card-due" data-overdue>
    Overdue
  </span>
)
