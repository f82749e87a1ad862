import { area } from '../data/client.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import type { Member } from '../projects/types.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Ago, dayInText } from '../ui/time.tsx'
import { counted } from '../words/words.ts'
import { priorityNames, statusName } from './signs.tsx'
import type { Activity, Board } from './types.ts'
import './activity.css'

interface Props {
  board: Board
  members: readonly Member[]
  /** Shows the activity of this card only. */
  cardId?: number
}

/** Who did what, newest first. */
export function ActivityList({ board, members, cardId }: Props) {
  const input = { board_id: board.id, ...(cardId !== undefined && { card_id: cardId }) }
  const query = usePages(`${area}/activity/list`, input)
  const activity = query.data?.pages.flatMap((page) => page.activity)
  return (
    <>
      <Reading query={{ ...query, data: activity }} failed="The history could not be loaded">
        {(entries) =>
          entries.length === 0 ? (
            <p className="activity-empty">No activity yet.</p>
          ) : (
            <ol className="activity">
              {entries.map((entry) => (
                <Entry
                  key={entry.id}
                  entry={entry}
                  words={sentenceFor(entry, { board, members, entries, isOfCard: cardId !== undefined })}
                />
              ))}
            </ol>
          )
        }
      </Reading>
      <ShowMore query={query} label="Show older" />
    </>
  )
}

const Entry = ({ entry, words }: { entry: Activity; words: string }) => (
  <li>
    <Avatar id={entry.actor_id ?? 0} name={entry.actor_name ?? 'Cardinal'} />
    <p>
      <strong dir="auto">{entry.actor_name ?? 'Cardinal'}</strong> {words} <Ago at={entry.created_at} />
    </p>
  </li>
)

type Details = Record<string, unknown> & {
  title?: string
  group_id?: number
  from_group_id?: number
  cards_count?: number
  /** What a move changed. */
  status?: { from: string; to: string }
  passed?: boolean
  detail?: string
  changes?: Record<string, { from: unknown; to: unknown }>
  /** Long texts that changed, by name. */
  texts?: string[]
}

interface Context {
  board: Board
  members: readonly Member[]
  entries: readonly Activity[]
  isOfCard: boolean
}

function sentenceFor(entry: Activity, { board, members, entries, isOfCard }: Context): string {
  const data = entry.data as Details
  const group = (id: unknown) => board.groups.find((one) => one.id === id)?.title ?? 'another group'
  const title =
    data.title ?? board.groups.flatMap(({ cards }) => cards).find(({ id }) => id === entry.card_id)?.title
  // Titles of items that were deleted long ago are purged.
  const named = data.title === undefined ? 'a group' : `the group ${data.title}`
  const titled = title === undefined ? deletedTitle(entry, entries) : `“${title}”`
  const card = isOfCard ? 'this card' : titled
  const words: Record<string, () => string> = {
    'board.created': () => 'created the board',
    'board.updated': () => changed(data, 'the board', board, members),
    'board.restored': () => 'restored the board',
    'group.created': () => `added ${named}`,
    'group.updated': () => changed(data, `the group ${group(data.group_id)}`, board, members),
    'group.deleted': () =>
      counted(
        data.cards_count ?? 0,
        { one: 'deleted {thing} with {count} card', other: 'deleted {thing} with {count} cards' },
        { thing: named },
      ),
    'group.restored': () => `restored the group ${group(data.group_id)}`,
    'group.archived': () =>
      counted(
        data.cards_count ?? 0,
        { one: 'archived {thing} with {count} card', other: 'archived {thing} with {count} cards' },
        { thing: named },
      ),
    'group.unarchived': () => `restored ${named} from the archive`,
    'groups.reordered': () => 'reordered the groups',
    'card.created': () => `created ${card} in ${group(data.group_id)}`,
    'card.updated': () => changed(data, card, board, members),
    'card.moved': () =>
      data.from_group_id === data.group_id
        ? `moved ${card} within ${group(data.group_id)}`
        : `moved ${card} from ${group(data.from_group_id)} to ${group(data.group_id)}${
            data.status ? ` and set its status to ${statusName(data.status.to)}` : ''
          }`,
    'card.deleted': () => `deleted ${title === undefined ? 'a card' : card}`,
    'card.restored': () => `restored ${card}`,
    'card.evaluated': () => evaluated(data, card),
    'card.reset': () => `reset ${card} to its template`,
    'template.pushed': () => 'brought the board up to date with its template',
    'cards.reordered': () => `reordered the cards of ${group(data.group_id)}`,
    'cards.dismissed': () => 'dismissed the tour',
    'cards.reactivated': () => 'brought the tour back',
    'comment.created': () => `commented on ${card}`,
    'comment.updated': () => `edited a comment on ${card}`,
    'comment.deleted': () => `deleted a comment on ${card}`,
    'comment.restored': () => `restored a comment on ${card}`,
  }
  return words[entry.kind]?.() ?? entry.kind.replace('.', ' ')
}

/** The result of a check, and what it changed. */
function evaluated({ passed, detail, changes }: Details, card: string): string {
  const status = changes?.['status']?.to
  const result = `reported that the check of ${card} ${passed ? 'passed' : 'failed'}`
  const said = detail === undefined ? '' : ` (${detail})`
  return `${result}${said}${status === undefined ? '' : `, and set the status to ${statusName(String(status))}`}`
}

/** The title of a card that is no longer on the board, which the event of its deletion has. */
function deletedTitle({ card_id }: Activity, entries: readonly Activity[]): string {
  const deletion = entries.find((other) => other.card_id === card_id && other.kind === 'card.deleted')
  const title = (deletion?.data as Details | undefined)?.title
  return title === undefined ? 'a deleted card' : `“${title}” (since deleted)`
}

const fieldNames: Record<string, string> = {
  title: 'title',
  description: 'description',
  short_description: 'short description',
  position: 'position',
}

const fieldName = (field: string) => fieldNames[field] ?? field.replaceAll('_', ' ')

/** What changed about a thing, as one phrase; after the first change the thing is "it". */
function changed(
  { changes = {}, texts = [] }: Details,
  thing: string,
  board: Board,
  members: readonly Member[],
): string {
  const member = (id: unknown) => members.find(({ user_id }) => user_id === id)?.name ?? 'someone'
  const tag = (id: unknown) => board.tags.find((one) => one.id === id)?.name ?? 'a deleted tag'
  const phrase = ([field, { from, to }]: [string, { from: unknown; to: unknown }], it: string): string => {
    if (field === 'status') return `set the status of ${it} to ${statusName(String(to))}`
    if (field === 'priority')
      return `set the priority of ${it} to ${priorityNames[to as keyof typeof priorityNames]}`
    if (field === 'title') return `renamed ${from ? `“${from}”` : it} to “${to}”`
    if (field === 'owner_id') return to === null ? `unassigned ${it}` : `assigned ${it} to ${member(to)}`
    if (field === 'tag_id')
      return to === null ? `removed the tag from ${it}` : `set the tag of ${it} to ${tag(to)}`
    if (field === 'due_date')
      return to === null
        ? `removed the due date from ${it}`
        : `set the due date of ${it} to ${dayInText(String(to))}`
    if (field === 'snoozed_until')
      return to === null ? `removed the snooze from ${it}` : `snoozed ${it} until ${dayInText(String(to))}`
    if (field === 'is_collapsed') return `${to ? 'collapsed' : 'expanded'} ${it}`
    if (field === 'done_closes_cards')
      return to
        ? 'let done groups close the cards moved into them'
        : 'let cards moved into done groups keep their status'
    if (field === 'is_active') return to ? `showed ${it} again` : `hid ${it}`
    return `changed the ${fieldName(field)} of ${it}`
  }
  const parts = [
    ...Object.entries(changes).map((change) => (it: string) => phrase(change, it)),
    ...texts.map((field) => (it: string) => `edited the ${fieldName(field)} of ${it}`),
  ]
  return parts.map((part, index) => part(index === 0 ? thing : 'it')).join(', ') || `edited ${thing}`
}
