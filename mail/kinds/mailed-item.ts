// What a mail says about one item of an inbox.
import type { Line, Pen } from '../content.ts'
import { oneLine, personIn } from '../content.ts'

export interface MailedItem {
  project_id: number
  project_name: string
  reason: string
  count: number
  actor_name: string | null
  /** Whether they have closed their account and have no name any more. */
  is_former: boolean
  card_id: number | null
  card_title: string | null
  board_id: number | null
  board_title: string | null
  excerpt: string | null
  status: string | null
  ends_at: string | null
  ends_on_date: boolean
  product: string | null
}

/** The dates of a mail are those of its reader. */
export interface DatedPen extends Pen {
  timeZone: string
}

const statuses = {
  open: 'Open',
  in_progress: 'In progress',
  to_check: 'To check',
  blocked: 'Blocked',
  closed: 'Done',
} as const

function statusIn(status: string, { say }: Pen): string {
  const known = statuses[status as keyof typeof statuses]
  return known === undefined ? oneLine(status) : say(known)
}

/** A date, with its time unless it is the whole day. */
export function dateIn(iso: string, isDate: boolean, { locale, timeZone }: DatedPen): string {
  const day = { weekday: 'short', month: 'short', day: 'numeric' } as const
  return new Date(iso).toLocaleString(
    locale,
    // A day without a time is the same day everywhere.
    isDate ? { ...day, timeZone: 'UTC' } : { ...day, hour: 'numeric', minute: '2-digit', timeZone },
  )
}

export const cardPath = ({
  project_id,
  board_id,
  card_id,
}: Pick<MailedItem, 'project_id' | 'board_id' | 'card_id'>) =>
  `/p/${project_id}/boards/${board_id}/cards/${card_id}`

function nameIn({ actor_name: name, is_former: isFormer }: MailedItem, { say }: Pen): string {
  if (name === null) return say('Someone')
  return isFormer ? say('Former member') : personIn(name, say)
}

/** The item as one sentence; also the subject of a mail that has no other. */
export function sentenceOf(item: MailedItem, pen: DatedPen): string {
  const { say } = pen
  const { count } = item
  const title = oneLine(item.card_title ?? '')
  const project = oneLine(item.project_name)
  const name = nameIn(item, pen)
  const date = item.ends_at === null ? '' : dateIn(item.ends_at, item.ends_on_date, pen)
  const several = { count, title, name }
  switch (item.reason) {
    case 'assigned':
      return say(':name assigned “:title” to you', { name, title })
    case 'mentioned':
      return count > 1
        ? say(':count mentions in “:title”, the last by :name', several)
        : say(':name mentioned you in “:title”', { name, title })
    case 'replied':
      return count > 1
        ? say(':count replies to you in “:title”, the last by :name', several)
        : say(':name replied to you in “:title”', { name, title })
    case 'commented':
      return count > 1
        ? say(':count comments on “:title”, the last by :name', several)
        : say(':name commented on “:title”', { name, title })
    case 'status_changed':
      return say('“:title” is now: :status', { title, status: statusIn(item.status ?? '', pen) })
    case 'template_changed':
      return say('A rollout changed “:title”', { title })
    case 'due_soon':
      return say('“:title” is due :date', { title, date })
    case 'overdue':
      return say('“:title” has been overdue since :date', { title, date })
    case 'theme_deadline':
      return say('“:title” has to be done by :date', { title, date })
    case 'trial_ending':
      return say('The :product trial of :project ends :date', { product: item.product ?? '', project, date })
    case 'invitation_accepted':
      return say(':name accepted your invitation to :project', { name, project })
    default:
      throw new Error(`There is no sentence for the reason ${item.reason}.`)
  }
}

export function lineOf(item: MailedItem, pen: DatedPen): Line {
  const { project_id, card_id, board_title, project_name, excerpt } = item
  const page = item.reason === 'trial_ending' ? 'subscription' : 'members'
  return {
    text: sentenceOf(item, pen),
    url: pen.url(card_id === null ? `/p/${project_id}/${page}` : cardPath(item)),
    detail: [board_title, project_name].flatMap((one) => (one === null ? [] : oneLine(one))).join(' · '),
    ...(excerpt !== null && { quote: oneLine(excerpt, 200) }),
  }
}

/** How to get fewer of these mails. */
export const endingNote = ({ say }: Pen) =>
  say('You choose on the account page what you get by email. The link below ends these emails at once.')
