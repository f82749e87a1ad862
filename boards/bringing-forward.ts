// Brings the kept JSON of a usual board up to date by reading only the cards that changed.
import type { Database } from '#database/connect.ts'
import { epoch, versionOf } from '#database/epoch.ts'
import type { EventKind } from '#events/catalogue.ts'
import { nextDue } from './board/whole.ts'
import { cardColumns } from './card/card.ts'

/** These change nothing on a board but the card that they are about. */
const kindsOfOneCard: EventKind[] = [
  'card.updated',
  'card.evaluated',
  'card.updates_stopped',
  'card.updates_taken',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'comment.restored',
]

/** After more events in the project the board is read anew. */
const mostEvents = 20

/** Each changed card is looked for in the whole text, so a longer board is read anew: that is PostgreSQL's work, and others do not wait for it. */
const longestText = 400_000

interface State {
  epoch: string
  version: number
  nextDue: string | null
}

/** $3 is the version, $4 the epoch and $5 the next due date of the kept board. No row if it must be read anew, or is of another project. */
const statement = `
  with state as (
    select ${epoch} as epoch, ${versionOf('$1')} as version
  ), news as materialized (
    select e.kind, e.card_id from events e
    where e.project_id = $1 and e.id > $3 and e.id <= $3::bigint + ${mostEvents} and (e.board_id = $2 or e.board_id is null)
  )
  select state.*, ${nextDue} as next_due, (
    select coalesce(json_agg(row_to_json(card_row)::text), '[]') from (
      select ${cardColumns('0')} from cards c join projects p on p.id = $1
      where c.project_id = $1 and c.deleted_at is null and c.id in (select card_id from news)
    ) card_row) as cards
  from state, boards b
  where b.project_id = $1 and b.id = $2 and b.deleted_at is null
    and state.epoch = $4 and state.version between $3 and $3::bigint + ${mostEvents} and now() < coalesce($5::timestamptz, 'infinity')
    and not exists (select from news where kind <> all ('{${kindsOfOneCard.join(',')}}'))`

/** Undefined if more than single cards changed, or too much, or the board is long. */
export async function bringForward(
  db: Database,
  projectId: number,
  boardId: number,
  kept: State & { json: string },
): Promise<(State & { json: string }) | undefined> {
  if (kept.json.length > longestText) return undefined
  const [row] = await db.run<{ epoch: string; version: number; next_due: string | null; cards: string[] }>(
    statement,
    [projectId, boardId, kept.version, kept.epoch, kept.nextDue],
  )
  if (!row) return undefined
  const { cards, next_due, ...state } = row
  const json = withCards(kept.json, cards)
  return json.length > longestText ? undefined : { ...state, nextDue: next_due, json }
}

/** Puts the JSON of cards in the place of their old one. In JSON no string can be mistaken for keys, since its quotes are escaped. */
function withCards(board: string, cards: readonly string[]): string {
  const places = cards
    .map((card) => ({ card, ...placeOf(board, card) }))
    // A card of an archived group is not on the board.
    .filter(({ start }) => start !== -1)
    .sort((a, b) => a.start - b.start)
  const parts: string[] = []
  let done = 0
  for (const { card, start, end } of places) {
    const position = board.indexOf('"position":', start)
    const stays = board.slice(position, board.indexOf(',', position))
    parts.push(board.slice(done, start), card.replace('"position":0', stays))
    done = end
  }
  return parts.join('') + board.slice(done)
}

function placeOf(board: string, card: string) {
  // The id is that of a card, not of a group or tag, because this key follows.
  const start = board.indexOf(`${card.slice(0, card.indexOf('"master_card_id":'))}"master_card_id":`)
  return { start, end: board.indexOf('}', board.indexOf(',"card_type":"', start)) + 1 }
}
