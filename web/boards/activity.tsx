import { area } from '../data/client.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import type { Member } from '../projects/types.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Ago, dayName } from '../ui/time.tsx'
import { priorityNames, statusName } from './signs.tsx'
import type { Activity, Board } from './types.ts'
import './activity.css'

interface Props {
  board: Board
  members: readonly Member[]
  /** Of this card alone. */
  cardId?: number
}

/** Who did what, the newest first. */
export function ActivityList({ board, members, cardId }: Props) {
  const input = { board_id: board.id, ...(cardId !== undefined && { card_id: cardId }) }
  const query = usePages(`${area}/activity/list`, input)
  const activity = query.data?.pages.flatMap((page) => page.activity)
  return (
    <>
      <Reading query={{ ...query, data: activity }} failed="The history could not be loaded">
        {(entries) =>
          entries.length === 0 ? (
            <p className="activity-empty">Nothing has happened here yet.</p>
          ) : (
            <ol className="activity">
              {entries.map((entry) => (
                <Entry
                  key={entry.id}
                  entry={entry}
                  words={wordsFor(entry, board, members, cardId !== undefined)}
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
  changes?: Record<string, { from: unknown; to: unknown }>
  /** Long texts that changed, by name. */
  texts?: string[]
}

function wordsFor(entry: Activity, board: Board, members: readonly Member[], isOfCard: boolean): string {
  const data = entry.data as Details
  const group = (id: unknown) => board.groups.find((one) => one.id === id)?.title ?? 'another group'
  const title =
    data.title ?? board.groups.flatMap(({ cards }) => cards).find(({ id }) => id === entry.card_id)?.title
  // The words of what was deleted long ago are gone.
  const named = data.title === undefined ? 'a group' : `the group ${data.title}`
  const titled = title === undefined ? 'a deleted card' : `“${title}”`
  const card = isOfCard ? 'this card' : titled
  const words: Record<string, () => string> = {
    'board.created': () => 'created the board',
    'board.updated': () => `changed the board: ${changed(data, board, members)}`,
    'board.restored': () => 'restored the board',
    'group.created': () => `added ${named}`,
    'group.updated': () =>
      Object.keys(data.changes ?? {}).join() === 'is_collapsed'
        ? `${changed(data, board, members)} the group ${group(data.group_id)}`
        : `changed the group ${group(data.group_id)}: ${changed(data, board, members)}`,
    'group.deleted': () => `deleted ${named} with ${data.cards_count} cards`,
    'group.restored': () => `restored the group ${group(data.group_id)}`,
    'groups.reordered': () => 'reordered the groups',
    'card.created': () => `created ${card} in ${group(data.group_id)}`,
    'card.updated': () => `changed ${card}: ${changed(data, board, members)}`,
    'card.moved': () =>
      data.from_group_id === data.group_id
        ? `moved ${card} within ${group(data.group_id)}`
        : `moved ${card} from ${group(data.from_group_id)} to ${group(data.group_id)}`,
    'card.deleted': () => `deleted ${title === undefined ? 'a card' : card}`,
    'card.restored': () => `restored ${card}`,
    'card.reset': () => `reset ${card} to its template`,
    'template.pushed': () => 'brought the board up to date with its template',
    'cards.dismissed': () => 'dismissed the tour',
    'comment.created': () => `commented on ${card}`,
    'comment.updated': () => `changed a comment on ${card}`,
    'comment.deleted': () => `deleted a comment on ${card}`,
    'comment.restored': () => `restored a comment on ${card}`,
  }
  return words[entry.kind]?.() ?? entry.kind.replace('.', ' ')
}

const fieldNames: Record<string, string> = {
  title: 'title',
  description: 'description',
  short_description: 'short description',
  position: 'place',
  color: 'colour',
}

const fieldName = (field: string) => fieldNames[field] ?? field.replaceAll('_', ' ')

function changed({ changes = {}, texts = [] }: Details, board: Board, members: readonly Member[]): string {
  const parts = Object.entries(changes).map(([field, { to }]) => {
    if (field === 'status') return `status to ${statusName(String(to))}`
    if (field === 'priority') return `priority to ${priorityNames[to as keyof typeof priorityNames]}`
    if (field === 'title') return `title to “${to}”`
    if (field === 'owner_id')
      return to === null
        ? 'no owner'
        : `owner to ${members.find((one) => one.user_id === to)?.name ?? 'somebody'}`
    if (field === 'tag_id')
      return to === null ? 'no tag' : `tag to ${board.tags.find((one) => one.id === to)?.name ?? 'another'}`
    if (field === 'due_date') return to === null ? 'no due date' : `due date to ${dayName(String(to))}`
    if (field === 'snoozed_until') return to === null ? 'woken up' : `snoozed until ${dayName(String(to))}`
    if (field === 'is_collapsed') return to ? 'collapsed' : 'expanded'
    if (field === 'is_active') return to ? 'brought back' : 'dismissed'
    return fieldName(field)
  })
  return [...parts, ...texts.map(fieldName)].join(', ') || 'its text'
}
