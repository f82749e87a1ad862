import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { card, priorities, readCard } from '#boards/card/card.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import type { Fail } from '#contract/operation.ts'
import { flag, integer, oneOf, optional, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { takeRoomOfCard } from '#quotas/room.ts'
import { cleaned, description, optionalTitle } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/update',
  summary: 'Change fields of a card; cards/move changes its place',
  audience: 'work',
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    short_description: optional(text()),
    status: optional(text({ min: 1, max: 50 })),
    owner_id: optional(integer()),
    tag_id: optional(integer()),
    due_date: optional(timestamp()),
    snoozed_until: optional(timestamp()),
    priority: optional(oneOf(priorities)),
    is_active: optional(flag()),
  },
  success: 200,
  message: 'The card was updated.',
  output: record({ card }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { id, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const updated = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      async ({ projectId }) => {
        const update = change(db, projectId, async (queries) => {
          const { sql } = queries
          // Sent at once.
          const placing = sql<{ board_id: number; group_id: number; bytes: number }[]>`
            select board_id, group_id, bytes from cards
            where project_id = ${projectId} and id = ${id} and deleted_at is null`.execute()
          const [[place], before] = await Promise.all([placing, readCard(queries, projectId, id)])
          if (!place || !before) return false
          const changes = changesOf(before, wanted, { kept: ['title', 'status', 'priority', 'is_active'] })
          if (isEmpty(changes)) return true
          await checkNamed(queries, projectId, changes.values, fail)
          // Sent at once, and run in this order.
          const updating = sql`
            update cards set ${sql({ ...changes.values, updated_at: sql`now()` } as never)}
            where project_id = ${projectId} and id = ${id}`.execute()
          await Promise.all([
            updating,
            takeRoomOfCard(queries, quotas, { projectId, id }, place),
            recordEvent(queries, {
              boardId: place.board_id,
              cardId: id,
              actorId: caller.id,
              kind: 'card.updated',
              data: changes.told,
            }),
          ])
          return true
        })
        const isThere = await update.catch(refusedOn(fail, longestField(wanted)))
        return isThere ? readCard(db, projectId, id) : undefined
      },
    )
    return { card: updated }
  },
})

/** A new owner is a member, a new tag one of the project's. */
async function checkNamed(
  { sql }: Queries,
  projectId: number,
  { owner_id: ownerId = null, tag_id: tagId = null }: Record<string, unknown>,
  fail: Fail<422>,
) {
  if (ownerId === null && tagId === null) return
  const [valid] = await sql<{ owner: boolean; tag: boolean }[]>`
    select
      ${ownerId as number | null}::bigint is null or exists (
        select from memberships where project_id = ${projectId} and user_id = ${ownerId as number | null}) as owner,
      ${tagId as number | null}::bigint is null or exists (
        select from tags where project_id = ${projectId} and id = ${tagId as number | null} and deleted_at is null) as tag`
  const errors = {
    ...(!valid?.owner && { owner_id: ['The selected owner id is invalid.'] }),
    ...(!valid?.tag && { tag_id: ['The selected tag id is invalid.'] }),
  }
  if (Object.keys(errors).length > 0) throw fail(422, errors)
}
