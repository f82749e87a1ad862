import { Calendar, CircleCheck, EyeOff, MessageSquare, MoonStar, TextAlignStart } from 'lucide-react'
import { dueTime, isOverdue } from '#boards/card/due.ts'
import type { Member } from '../../projects/types.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useTimely } from '../../ui/clock.ts'
import { midnight } from '../../ui/days.ts'
import { Sign } from '../../ui/sign.tsx'
import { dateName, fullDay, fullTime } from '../../ui/time.tsx'
import { hidden } from '../../words/hidden.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { isSnoozed } from '../arrangement.ts'
import { PrioritySign, StatusSign, statusName } from '../signs.tsx'
import type { Card, Personal, Tag } from '../types.ts'
import './card-face.css'

export interface CardContext {
  tags: ReadonlyMap<number, Tag>
  members: ReadonlyMap<number, Member>
  /** Of the cards that have comments. */
  comments: ReadonlyMap<number, Personal['cards'][number]>
}

/** The row below the title, with what people need to see without opening the card. */
export function CardMeta({ card, context }: { card: Card; context: CardContext }) {
  const tag = card.tag_id === null ? undefined : context.tags.get(card.tag_id)
  const owner = card.owner_id === null ? undefined : context.members.get(card.owner_id)
  const counts = context.comments.get(card.id)
  const isAsleep = useTimely(() => isSnoozed(card))
  return (
    <div className="card-meta">
      <PrioritySign priority={card.priority} />
      {card.status === 'closed' && <CircleCheck className="card-closed" role="img" aria-label={t('Done')} />}
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
        <span className="card-tag" data-tip={tag.name}>
          <Sign icon={tag.icon} color={tag.color} />
          <span className="truncate" dir="auto">
            {tag.name}
          </span>
        </span>
      )}
      <Due of={card} />
      {isAsleep && card.snoozed_until && (
        <span
          className="card-note card-snooze"
          data-tip={t('Snooze ends {time}', { time: fullTime(card.snoozed_until) })}
        >
          <MoonStar aria-hidden="true" />
          <span className="truncate">
            {rich('<hidden>Snooze ends </hidden>{day}', { hidden, day: dateName(card.snoozed_until, true) })}
          </span>
        </span>
      )}
      {!card.is_active && (
        <span className="card-note">
          <EyeOff aria-hidden="true" />
          {t('Hidden')}
        </span>
      )}
      <span className="card-space" />
      {card.description && (
        <span
          className="card-note"
          role="img"
          aria-label={t('Has a description')}
          data-tip={t('Has a description')}
        >
          <TextAlignStart />
        </span>
      )}
      {counts && <CommentCount {...counts} />}
      {owner ? (
        <Avatar id={owner.user_id} name={owner.name} isAlone />
      ) : (
        // Keeps the room of the photo until the members are loaded.
        card.owner_id !== null && context.members.size === 0 && <span className="avatar" aria-hidden="true" />
      )}
    </div>
  )
}

function CommentCount({ comments_count: count, unread_count: unread }: Personal['cards'][number]) {
  const comments = counted(count, { one: '{count} comment', other: '{count} comments' })
  return (
    <span
      className="card-note card-comments numbers"
      data-unread={unread > 0}
      data-tip={unread === 0 ? comments : t('{comments}, {count} unread', { comments, count: unread })}
    >
      <MessageSquare aria-hidden="true" />
      <span aria-hidden="true">{count}</span>
      {hidden(comments)}
      {unread > 0 &&
        hidden(counted(unread, { one: '{count} unread comment', other: '{count} unread comments' }))}
    </span>
  )
}

/** A due date in words. */
export interface DueText {
  day: string
  isLate: boolean
  /** With the whole date. */
  tip: string
}

/** Undefined without a due date. */
export function useDueText(card: Dated): DueText | undefined {
  // The words change when the date passes, and with the day.
  useTimely(() => `${isOverdue(card)} ${midnight(0)}`)
  if (card.due_date === null) return undefined
  const date = new Date(dueTime(card)).toISOString()
  const isLate = isOverdue(card)
  const time = card.due_is_date ? fullDay(date) : fullTime(date)
  return {
    day: dateName(date, !card.due_is_date),
    isLate,
    tip: isLate ? t('Overdue since {time}', { time }) : t('Due {time}', { time }),
  }
}

type Dated = Pick<Card, 'due_date' | 'due_is_date' | 'status'>

export function Due({ of: card }: { of: Dated }) {
  const due = useDueText(card)
  if (!due) return null
  const { day, isLate, tip } = due
  return (
    <span className="card-due numbers" data-overdue={isLate} data-tip={tip}>
      <Calendar aria-hidden="true" />
      <span className="truncate">
        {isLate
          ? rich('<hidden>Overdue since </hidden>{day}', { hidden, day })
          : rich('<hidden>Due </hidden>{day}', { hidden, day })}
      </span>
    </span>
  )
}

/** For places that also show the date. */
export function Overdue({ card }: { card: Card }) {
  const isLate = useTimely(() => isOverdue(card))
  return (
    isLate && (
      <span className="card-due" data-overdue>
        {t('Overdue')}
      </span>
    )
  )
}
