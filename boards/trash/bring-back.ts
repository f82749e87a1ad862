// Restores boards and groups inside a change, by themselves or with something in them; each records its own event.
import { integer, list, oneOf, record } from '#contract/schema.ts'
import { keepingCoverage } from '#coverage/counts.ts'
import { eventsThatShareCards, mostBytesOfCards, mostCardsInEvent } from '#events/catalogue.ts'
import type { Change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { type Quotas, refuseGrowth } from '#quotas/quotas.ts'
import { sumOf, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { type Board, boardPayload, readBoard } from '../board/board.ts'
import { countOpen } from '../board/listing.ts'
import { cardPayloads } from '../card/card.ts'
import { type Group, groupPayload, readGroup } from '../group/group.ts'
import { listEnds, orderInProject } from '../ordering.ts'
import { compareAtNextRollout } from '../rollout.ts'
import { bringBackCards } from './bring-back-cards.ts'

const parent = record({ kind: oneOf(['board', 'group']), id: integer() })

/** The parents that were restored with a group or card, outermost first. */
export const restoredParents = list(parent)

export type Parent = (typeof parent)['static']

type Outcome = 'restored' | 'not deleted' | 'missing'

/** Restores a board with the groups and cards that were deleted at the same time. */
export async function bringBackBoard(
  queries: Change,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
): Promise<Outcome> {
  const { sql } = queries
  const present = await orderInProject(queries, 'boards', projectId)
  const [deleted] = await sql<{ deleted_at: string | null }[]>`
    select deleted_at::text as deleted_at from boards
    where project_id = ${projectId} and id = ${id} and coalesce(deleted_at > kept_since(), true)`
  if (!deleted) return 'missing'
  if (deleted.deleted_at === null) return 'not deleted'
  refuseGrowth(quotas, 'boardsPerProject', { before: present.length, after: present.length + 1 })
  const [end] = await listEnds(queries, 1)
  const [written] = await keepingCoverage(
    queries,
    { projectIds: [projectId], boardId: null },
    () => sql<{ bytes: number }[]>`
    update boards set deleted_at = null, deleted_by = null, updated_at = now(), rank = case when exists (
        select from boards other where other.project_id = ${projectId} and other.rank = boards.rank
          and other.deleted_at is null)
      then ${end as number} else rank end
    where project_id = ${projectId} and id = ${id} returning bytes`,
  )
  const groups = await sql<{ id: number; bytes: number }[]>`
    update groups set deleted_at = null, deleted_by = null, updated_at = now()
    where project_id = ${projectId} and board_id = ${id} and deleted_at = ${deleted.deleted_at}::timestamptz
    returning id, bytes`
  const ids = groups.map((group) => group.id)
  const cards = await bringBackCards(queries, projectId, ids, deleted.deleted_at)
  await compareAtNextRollout(queries, projectId, { boardIds: [id] })
  // Later boards move down, so the event concerns every board of the project.
  const data = {
    board_id: id,
    ...boardPayload((await readBoard(queries, projectId, id)) as Board),
    groups_count: groups.length,
    cards_count: cards.cards,
    ...(await countOpen(queries, projectId, id)),
  }
  await recordEvent(queries, { boardId: null, actorId, kind: 'board.restored', data })
  const bytes = cards.bytes + sumOf(groups) + (written?.bytes as number)
  await takeRoom(queries, quotas, { projectId, boardId: id }, { ...cards, groups: groups.length, bytes })
  return 'restored'
}

/** Restores a group with the cards that were deleted at the same time; its board must exist. */
export async function bringBackGroup(
  queries: Change,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
): Promise<Outcome | 'board deleted'> {
  const { sql } = queries
  const [found] = await sql<{ board_id: number }[]>`
    select board_id from groups where project_id = ${projectId} and id = ${id}`
  if (!found) return 'missing'
  const [deleted] = await sql<{ deleted_at: string | null; is_board_there: boolean }[]>`
    select g.deleted_at::text as deleted_at, b.deleted_at is null as is_board_there
    from groups g join boards b on b.project_id = ${projectId} and b.id = g.board_id
    where g.project_id = ${projectId} and g.id = ${id} and coalesce(g.deleted_at > kept_since(), true)`
  if (!deleted) return 'missing'
  if (deleted.deleted_at === null) return 'not deleted'
  if (!deleted.is_board_there) return 'board deleted'
  const [end] = await listEnds(queries, 1)
  const [written] = await sql<{ bytes: number }[]>`
    update groups set deleted_at = null, deleted_by = null, updated_at = now(), rank = case when exists (
        select from groups other where other.project_id = ${projectId} and other.board_id = groups.board_id
          and other.rank = groups.rank and other.deleted_at is null)
      then ${end as number} else rank end
    where project_id = ${projectId} and id = ${id} returning bytes`
  const cards = await bringBackCards(queries, projectId, [id], deleted.deleted_at)
  const listed = cards.cards <= mostCardsInEvent && (await cardPayloads(queries, projectId, id))
  const bytesOfCards = Buffer.byteLength(JSON.stringify(listed))
  const data = {
    ...groupPayload((await readGroup(queries, projectId, id)) as Group),
    cards_count: cards.cards,
    ...(listed && bytesOfCards <= (await bytesLeft(queries)) && { cards: listed }),
  }
  await recordEvent(queries, { boardId: found.board_id, actorId, kind: 'group.restored', data })
  const bytes = cards.bytes + (written?.bytes as number)
  await takeRoom(queries, quotas, { projectId, boardId: found.board_id }, { ...cards, groups: 1, bytes })
  return 'restored'
}

/** How many bytes of cards the event of a restored group may still list, so that restoring again and again does not fill the disk. */
async function bytesLeft({ projectId, sql }: Change): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(octet_length((e.data -> 'cards')::text)), 0)::bigint as bytes from events e
    where e.project_id = ${projectId} and e.kind = 'group.restored'
      and e.id > (select version from project_versions where project_id = ${projectId}) - ${eventsThatShareCards}::bigint`
  return mostBytesOfCards - (row?.bytes as number)
}

/** The board first, because a group needs its board. */
export async function bringBackParents(
  queries: Change,
  quotas: Quotas,
  { projectId, actorId, boardId, groupId }: Omit<Action, 'id'> & { boardId: number; groupId?: number },
): Promise<Parent[]> {
  const restored: Parent[] = []
  if ((await bringBackBoard(queries, quotas, { projectId, id: boardId, actorId })) === 'restored')
    restored.push({ kind: 'board', id: boardId })
  if (groupId === undefined) return restored
  if ((await bringBackGroup(queries, quotas, { projectId, id: groupId, actorId })) === 'restored')
    restored.push({ kind: 'group', id: groupId })
  return restored
}
