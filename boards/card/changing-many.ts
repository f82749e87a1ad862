// Changes and moves several cards of a project, all or none.
import type { Database, Queries } from '#database/connect.ts'
import { type Change, change, changeAtOnce } from '#events/change.ts'
import { recordTogether } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeRoom } from '#quotas/room.ts'
import type { Actor } from '../action.ts'
import { type Changes, isEmpty } from '../changes.ts'
import type { Assigned } from './assigning.ts'
import type { Card } from './card.ts'
import { changesOfCard, type WantedCard } from './changing.ts'
import { ranksOfMoves } from './placing.ts'
import { missingOf } from './several.ts'

/** The short fields of a card, which all cards of a selection can share. */
type Short = Pick<
  Card,
  'status' | 'owner_id' | 'tag_id' | 'due_date' | 'due_is_date' | 'snoozed_until' | 'priority' | 'is_active'
>

interface Wanted extends Pick<WantedCard, keyof Short> {
  id: number
  group_id?: number | null | undefined
  position?: number | null | undefined
}

/** What is wrong with an entry, by field. */
interface InvalidEntry {
  id: number
  invalid: {
    id?: 'not_found'
    owner_id?: 'not_found'
    tag_id?: 'not_found' | 'inactive'
    group_id?: 'not_found' | 'archived'
  }
}

/** Fields are changed before cards are moved, in the order of the list. */
export function changeCards(
  db: Database,
  quotas: Quotas,
  { projectId, actorId }: Actor,
  wanted: readonly Wanted[],
): Promise<{ updated: number; at: string } | { entries: InvalidEntry[] }> {
  return change(db, projectId, async (queries) => {
    const ids = wanted.map(({ id }) => id)
    const present = await readPresent(queries, projectId, ids)
    const missing = missingOf(ids, present)
    if (missing.length > 0) return { entries: missing.map((id) => ({ id, invalid: { id: 'not_found' } })) }
    const byId = new Map(present.map((card) => [card.id, card]))
    const all = wanted.map(({ id, group_id, position: _position, ...fields }) => {
      const before = byId.get(id) as Present
      return { before, changes: changesOfCard(before, fields), group_id }
    })
    const entries = await invalidEntries(
      queries,
      all.map(({ before: { id }, changes: { values }, group_id }) => ({
        id,
        ...(values as Named),
        group_id,
      })),
    )
    if (entries.length > 0) return { entries }
    const changed = all.filter(({ changes }) => !isEmpty(changes))
    await store(queries, quotas, changed)
    await recordTogether(
      queries,
      changed.map(({ before: { id, board_id: boardId }, changes }) => ({
        ...{ boardId, cardId: id, actorId, kind: 'card.updated' as const, data: changes.payload },
      })),
    )
    const moves = wanted.map((entry) => ({ ...entry, from: (byId.get(entry.id) as Present).group_id }))
    const moved = await move(queries, quotas, { projectId, actorId }, moves)
    // The time of the transaction, which is the `updated_at` of all changed cards.
    const [now] = await queries.sql<{ at: string }[]>`select wire_time(now()) as at`
    const updated = new Set([...changed.map(({ before }) => before.id), ...moved]).size
    return { updated, at: now?.at as string }
  })
}

interface Present extends Short {
  id: number
  board_id: number
  group_id: number
  bytes: number
}

const readPresent = ({ sql }: Queries, projectId: number, ids: number[]) => sql<Present[]>`
  select id, board_id, group_id, bytes, status, owner_id, tag_id, wire_time(due_date) as due_date, due_is_date,
    wire_time(snoozed_until) as snoozed_until, priority, is_active
  from cards where project_id = ${projectId} and id = any(${ids}::bigint[]) and deleted_at is null`

interface Named extends Assigned {
  group_id?: number | null | undefined
}

const named = (values: readonly (number | null | undefined)[]) => [
  ...new Set(values.filter((value): value is number => typeof value === 'number')),
]

/** Entries that name a person who is no member, a tag that is not used, or a group that is not on a board. */
async function invalidEntries({ sql, projectId }: Change, wanted: readonly (Named & { id: number })[]) {
  const owners = named(wanted.map(({ owner_id }) => owner_id))
  const tags = named(wanted.map(({ tag_id }) => tag_id))
  const groups = named(wanted.map(({ group_id }) => group_id))
  const known = await sql<{ kind: 'owner' | 'tag' | 'group'; id: number; is_active: boolean }[]>`
    select 'owner' as kind, user_id as id, true as is_active from memberships
      where project_id = ${projectId} and user_id = any(${owners}::bigint[])
    union all select 'tag', id, is_active from tags
      where project_id = ${projectId} and id = any(${tags}::bigint[]) and deleted_at is null
    union all select 'group', id, is_active from groups
      where project_id = ${projectId} and id = any(${groups}::bigint[]) and deleted_at is null`
  const states = new Map(known.map(({ kind, id, is_active }) => [`${kind} ${id}`, is_active]))
  /** Undefined if it may be used; otherwise whether it is known at all. */
  const problem = <Inactive extends string>(
    kind: string,
    id: number | null | undefined,
    isInactive: Inactive,
  ) => {
    if (id === null || id === undefined || states.get(`${kind} ${id}`)) return undefined
    return states.has(`${kind} ${id}`) ? isInactive : ('not_found' as const)
  }
  return wanted.flatMap(({ id, owner_id, tag_id, group_id }): InvalidEntry[] => {
    const owner = problem('owner', owner_id, 'not_found')
    const tag = problem('tag', tag_id, 'inactive')
    const group = problem('group', group_id, 'archived')
    const invalid = {
      ...(owner && { owner_id: owner }),
      ...(tag && { tag_id: tag }),
      ...(group && { group_id: group }),
    }
    return Object.keys(invalid).length > 0 ? [{ id, invalid }] : []
  })
}

/** A status that a person sets stays, whatever the card's check says later. */
const storeStatement = `
  update cards c set status = r.status, owner_id = r.owner_id, tag_id = r.tag_id, due_date = r.due_date, due_is_date = r.due_is_date,
    snoozed_until = r.snoozed_until, priority = r.priority, is_active = r.is_active, updated_at = now(),
    status_before_evaluation = case when r.status = c.status then c.status_before_evaluation end
  from jsonb_to_recordset($2::text::jsonb) as r (id bigint, bytes integer, status text, owner_id bigint, tag_id bigint,
    due_date timestamptz, due_is_date boolean, snoozed_until timestamptz, priority card_priority, is_active boolean)
  where c.project_id = $1 and c.id = r.id
  returning c.board_id, c.bytes - r.bytes as bytes`

async function store(
  queries: Change,
  quotas: Quotas,
  changed: readonly { before: Present; changes: Changes<Card> }[],
) {
  if (changed.length === 0) return
  const { projectId } = queries
  const rows = changed.map(({ before, changes }) => ({ ...before, ...changes.values }))
  const grown = await queries.run<{ board_id: number; bytes: number }>(storeStatement, [
    projectId,
    JSON.stringify(rows),
  ])
  for (const [boardId, own] of Map.groupBy(grown, ({ board_id }) => board_id)) {
    const bytes = own.reduce((sum, card) => sum + card.bytes, 0)
    if (bytes !== 0) await takeRoom(queries, quotas, { projectId, boardId }, { bytes })
  }
}

const moveStatement = `
  select wanted.id, moved.outcome
  from jsonb_to_recordset($2::text::jsonb) as wanted (id bigint, group_id bigint, position bigint, rank bigint),
    lateral move_card($1, wanted.id, wanted.group_id, wanted.position, wanted.rank, $3, $4::text::jsonb) as moved`

/** The ids of the cards that have moved. Groups were checked before. */
async function move(
  queries: Queries,
  quotas: Quotas,
  { projectId, actorId }: Actor,
  wanted: readonly (Wanted & { from: number })[],
): Promise<number[]> {
  const moves = wanted.filter(({ group_id, position }) => group_id != null || position != null)
  if (moves.length === 0) return []
  const ranks = await ranksOfMoves(
    queries,
    projectId,
    moves.map(({ id, from, group_id, position = null }) => ({ id, from, to: group_id ?? from, position })),
  )
  const rows = await changeAtOnce<{ id: number; outcome: string }>(queries, projectId, moveStatement, [
    projectId,
    JSON.stringify(
      moves.map(({ id, group_id, position }) => ({ id, group_id, position, rank: ranks.get(id) })),
    ),
    actorId,
    JSON.stringify(quotas),
  ])
  return rows.filter(({ outcome }) => outcome === 'moved').map(({ id }) => id)
}
