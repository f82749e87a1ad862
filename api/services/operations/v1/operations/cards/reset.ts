import { writeEvent } from '#api/event.ts'
import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { integer, list, oneOf, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { takeRoomOfCard } from '#quotas/room.ts'
import { lockGivenGroup, resetCopy, resettable } from '#templates/copies.ts'
import { card, readCard } from './card.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/reset',
  summary: "Give fields of a card that came from a template the template's value back",
  audience: 'work',
  input: { id: integer(), fields: list(oneOf(resettable), { max: resettable.length }) },
  success: 200,
  message: 'The card was reset.',
  output: record({ card }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id, fields }, caller, db, live, http, quotas, fail }) {
    const reset = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      ({ projectId }) =>
        db.transaction(async (queries) => {
          if (fields.includes('place')) await lockGivenGroup(queries, projectId, id)
          const [locked] = await queries.sql<{ board_id: number; group_id: number; bytes: number }[]>`
            select board_id, group_id, bytes from cards where project_id = ${projectId} and id = ${id} and deleted_at is null
            for no key update`
          if (!locked) return undefined
          const own = await resetCopy(queries, projectId, id, fields)
          if (own === 'no master') throw fail(400, 'This card does not come from a template.')
          if (own === 'no group')
            throw fail(400, 'The group that the template gave this card was deleted; move the card instead.')
          if (own.length === 0) return readCard(queries, projectId, id)
          await writeEvent(queries, {
            projectId,
            // Its place may have been on another board.
            boardId: own.includes('place') ? 0 : locked.board_id,
            cardId: id,
            actorId: caller.id,
            kind: 'card.reset',
            data: { fields: own },
          })
          await takeRoomOfCard(queries, quotas, { projectId, id }, locked)
          live.announce(http, projectId)
          return readCard(queries, projectId, id)
        }),
    ).catch(refusedByState(fail))
    return { card: reset }
  },
})
