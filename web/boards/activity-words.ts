// What happened on a board, as the rest of a sentence that begins with a person's name.
import type { EventKind } from '#events/catalogue.ts'
import type { Member } from '../projects/types.ts'
import { counted, t } from '../words/words.ts'
import { type Changes, changed } from './activity-changes.ts'
import { cardOf } from './arrangement.ts'
import { type RolledOut, rolledOut } from './rollout-words.ts'
import { statusName } from './signs.tsx'
import type { Activity, Board } from './types.ts'

export interface Details extends Changes, RolledOut {
  title?: string
  /** Of a tag. */
  name?: string
  group_id?: number
  from_group_id?: number
  /** If it is on another board by now. */
  card_elsewhere?: { title: string; board_id: number }
  /** Groups that the board does not show: those of other boards, and deleted or archived ones. */
  groups_elsewhere?: readonly { id: number; title: string; board_title?: string }[]
  cards_count?: number
  /** What a move changed. */
  status?: { from: string; to: string }
  passed?: boolean
  detail?: string
}

/** A deleted board has no activity list. */
type KindOnBoard =
  | Exclude<
      Extract<
        EventKind,
        `${'board' | 'group' | 'groups' | 'card' | 'cards' | 'comment' | 'template'}.${string}`
      >,
      'board.deleted'
    >
  | 'tag.deleted'
  | 'tag.restored'

interface Context {
  board: Board
  members: readonly Member[]
  entries: readonly Activity[]
  /** The card whose activity is shown; undefined for that of the board. */
  cardId: number | undefined
}

export function sentenceFor(entry: Activity, { board, members, entries, cardId }: Context): string {
  const isOfCard = cardId !== undefined
  const data = entry.data as Details
  const count = data.cards_count ?? 0
  const titleOf = (id: unknown) =>
    board.groups.find((one) => one.id === id)?.title ?? titleElsewhere(data, id)
  const groupTitle = (id: unknown) => titleOf(id) ?? t('another group')
  const group = groupTitle(data.group_id)
  const title = data.title ?? (cardOf(board, entry.card_id ?? 0) ?? data.card_elsewhere)?.title
  // Titles of items that were deleted long ago are purged.
  const theGroup = (name: string | undefined) =>
    name === undefined ? t('a group') : t('the group {title}', { title: name })
  const named = theGroup(data.title)
  const present = theGroup(titleOf(data.group_id))
  const tag = data.name === undefined ? t('a tag') : t('the tag {name}', { name: data.name })
  const titled = title === undefined ? deletedTitle(entry, entries) : t('“{title}”', { title })
  const card = isOfCard ? t('this card') : (titled ?? t('a deleted card'))
  const onCard = isOfCard
    ? t('this card', { as: 'after on' })
    : (titled ?? t('a deleted card', { as: 'after on' }))
  const words: Record<KindOnBoard, () => string> = {
    'board.created': () => t('created the board'),
    'board.updated': () => changed(data, t('the board'), board, members),
    'board.restored': () => t('restored the board'),
    'group.created': () => t('added {thing}', { thing: named }),
    'group.updated': () => changed(data, present, board, members),
    'group.deleted': () =>
      counted(
        count,
        { one: 'deleted {thing} with {count} card', other: 'deleted {thing} with {count} cards' },
        { thing: named },
      ),
    'group.restored': () => t('restored {thing}', { thing: theGroup(data.title ?? titleOf(data.group_id)) }),
    'group.archived': () =>
      counted(
        count,
        { one: 'archived {thing} with {count} card', other: 'archived {thing} with {count} cards' },
        { thing: named },
      ),
    'group.unarchived': () => t('restored {thing} from the archive', { thing: named }),
    'groups.reordered': () => t('reordered the groups'),
    'card.created': () => t('created {card} in {group}', { card, group }),
    'card.updated': () => changed(data, card, board, members),
    'card.moved': () => moved(data, card, groupTitle(data.from_group_id), group),
    'card.deleted': () => t('deleted {card}', { card: title === undefined ? t('a card') : card }),
    'card.restored': () => t('restored {card}', { card }),
    'card.evaluated': () => evaluated(data, card),
    'card.updates_stopped': () => t('stopped template updates of {card}', { card }),
    'card.updates_taken': () => t('resumed template updates of {card}', { card }),
    'card.reset': () => t('reset {card} to its template', { card }),
    'template.rolled_out': () => rolledOut(data, { isCopy: board.master_board_id !== null }),
    'template.kept': () => rolledOut(data, { isCopy: true }),
    'cards.reordered': () => t('reordered the cards of {group}', { group }),
    'cards.dismissed': () => t('dismissed the tour'),
    'cards.reactivated': () => t('brought the tour back'),
    'comment.created': () => t('commented on {card}', { card }),
    'comment.updated': () => t('edited a comment on {card}', { card: onCard }),
    'comment.deleted': () => t('deleted a comment on {card}', { card: onCard }),
    'comment.restored': () => t('restored a comment on {card}', { card: onCard }),
    'tag.deleted': () => t('deleted {thing}', { thing: tag }),
    'tag.restored': () => t('restored {thing}', { thing: tag }),
  }
  return words[entry.kind as KindOnBoard]?.() ?? entry.kind.replace('.', ' ')
}

function titleElsewhere({ groups_elsewhere: groups }: Details, id: unknown): string | undefined {
  const { title, board_title: board } = groups?.find((one) => one.id === id) ?? {}
  return title !== undefined && board !== undefined ? t('{group} on {board}', { group: title, board }) : title
}

/** The title of a card that is no longer on the board, which the event of its deletion has. */
function deletedTitle({ card_id }: Activity, entries: readonly Activity[]): string | undefined {
  const deletion = entries.find((other) => other.card_id === card_id && other.kind === 'card.deleted')
  const title = (deletion?.data as Details | undefined)?.title
  return title === undefined ? undefined : t('“{title}” (since deleted)', { title })
}

function moved(data: Details, card: string, from: string, to: string): string {
  if (data.from_group_id === data.group_id) return t('moved {card} within {group}', { card, group: to })
  return data.status
    ? t('moved {card} from {from} to {to} and set its status to {status}', {
        card,
        from,
        to,
        status: statusName(data.status.to),
      })
    : t('moved {card} from {from} to {to}', { card, from, to })
}

/** The result of a check, and what it changed. */
function evaluated({ passed, detail, changes }: Details, card: string): string {
  const note = detail === undefined ? '' : ` (${detail})`
  const to = changes?.['status']?.to
  if (to === undefined)
    return passed
      ? t('reported that the check of {card} passed{note}', { card, note })
      : t('reported that the check of {card} failed{note}', { card, note })
  const status = statusName(String(to))
  return passed
    ? t('reported that the check of {card} passed{note}, and set the status to {status}', {
        card,
        note,
        status,
      })
    : t('reported that the check of {card} failed{note}, and set the status to {status}', {
        card,
        note,
        status,
      })
}
