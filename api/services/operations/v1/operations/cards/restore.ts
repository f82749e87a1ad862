import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { restoredParents, restoreParents, withParents } from '#boards/board/restoring.ts'
import { card, readCard, toldCard } from '#boards/card/card.ts'
import { restoreComments } from '#boards/comment/comment.ts'
import { forgetSync } from '#boards/syncing.ts'
import { integer, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { may } from '#identity/roles.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeRoom } from '#quotas/room.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/restore',
  summary:
    'Bring a deleted card back with the comments that went with it: members their own, admins any, also with its group and board',
  audience: 'work',
  input: { id: integer(), with_parents: withParents },
  success: 200,
  message: 'The card was restored.',
  output: record({ card, restored_parents: restoredParents }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id, with_parents }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'work', kind: 'cards', id, isDeleted: true } as const
    return inProjectOf(question, fail, ({ projectId, role }) =>
      change(db, projectId, async (queries) => {
        const before = with_parents ? await readDeleted(queries, projectId, id) : undefined
        const parents = before
          ? await restoreParents(queries, quotas, {
              projectId,
              actorId: caller.id,
              boardId: before.board_id,
              groupId: before.group_id,
            })
          : []
        if (parents.length > 0 && !may(caller, role, 'manage'))
          throw fail(403, 'Only admins and owners restore the group or board of a card.')
        const deleted = await readDeleted(queries, projectId, id)
        if (!deleted) return undefined
        if (deleted.created_by !== caller.id && !may(caller, role, 'delete any card'))
          throw fail(403, 'Members restore only the cards that they have made.')
        // It may have come back with its group or board already.
        if (deleted.deleted_at === null && parents.length === 0) throw fail(400, 'This card is not deleted.')
        const asked = { projectId, id, actorId: caller.id }
        if (deleted.deleted_at !== null && !(await restoreCard(queries, quotas, asked, deleted)))
          throw fail(400, 'The board of this card was deleted, or has no group; with_parents restores both.')
        const restored = await readCard(queries, projectId, id)
        return restored && { card: restored, restored_parents: parents }
      }),
    ).catch(refusedByState(fail))
  },
})

interface DeletedCard {
  board_id: number
  group_id: number
  created_by: number | null
  bytes: number
  /** With all its digits: the comments that went with the card have the same. */
  deleted_at: string | null
}

async function readDeleted(
  { sql }: Queries,
  projectId: number,
  id: number,
): Promise<DeletedCard | undefined> {
  const [found] = await sql<DeletedCard[]>`
    select board_id, group_id, created_by, bytes, deleted_at::text as deleted_at from cards
    where project_id = ${projectId} and id = ${id} and coalesce(deleted_at > kept_since(), true)`
  return found
}

/** False where there is no group that it could come back to. */
async function restoreCard(
  queries: Change,
  quotas: Quotas,
  { projectId, id, actorId }: { projectId: number; id: number; actorId: number },
  deleted: DeletedCard,
): Promise<boolean> {
  const { sql } = queries
  const groupId = await groupToReturnTo(queries, projectId, deleted)
  if (groupId === undefined) return false
  await sql`
    update cards set deleted_at = null, deleted_by = null, updated_at = now(), group_id = ${groupId},
      rank = case when old_place.is_free then rank else list_end() end,
      is_moved = is_moved or not old_place.is_free
    from (select c.group_id = ${groupId} and not exists (
        select from cards other where other.project_id = ${projectId} and other.group_id = ${groupId}
          and other.rank = c.rank and other.deleted_at is null) as is_free
      from cards c where c.project_id = ${projectId} and c.id = ${id}) old_place
    where project_id = ${projectId} and id = ${id}`
  await forgetSync(queries, projectId, { cardIds: [id] })
  const said = await restoreComments(queries, projectId, [id], deleted.deleted_at as string)
  const { board_id: boardId } = deleted
  await recordEvent(queries, {
    boardId,
    cardId: id,
    actorId,
    kind: 'card.restored',
    data: await toldCard(queries, projectId, id),
  })
  await takeRoom(
    queries,
    quotas,
    { projectId, boardId },
    { cards: 1, bytes: deleted.bytes, commentBytes: said, listId: groupId },
  )
  return true
}

/** Its own group, else the first one of its board. */
async function groupToReturnTo(
  { sql }: Queries,
  projectId: number,
  card: DeletedCard,
): Promise<number | undefined> {
  const [group] = await sql<{ id: number }[]>`
    select id from groups where project_id = ${projectId} and board_id = ${card.board_id} and deleted_at is null
    order by id <> ${card.group_id}, rank limit 1`
  return group?.id
}
