import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { type Card, card, readCard } from '#boards/card/card.ts'
import { changesOf } from '#boards/changes.ts'
import { integer, list, oneOf, record } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { takeRoomOfCard } from '#quotas/room.ts'
import { resetCopy, resettable } from '#templates/copies.ts'

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
  async handle({ input: { id, fields }, caller, db, quotas, fail }) {
    const reset = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      ({ projectId }) =>
        change(db, projectId, async (queries) => {
          const readPlace = async () =>
            (
              await queries.sql<{ board_id: number; group_id: number; bytes: number }[]>`
              select board_id, group_id, bytes from cards
              where project_id = ${projectId} and id = ${id} and deleted_at is null`
            )[0]
          const place = await readPlace()
          const before = await readCard(queries, projectId, id)
          if (!place || !before) return undefined
          const own = await resetCopy(queries, projectId, id, fields)
          if (own === 'no master') throw fail(400, 'This card does not come from a template.')
          if (own === 'no group')
            throw fail(400, 'The group that the template gave this card was deleted; move the card instead.')
          if (own.length === 0) return before
          const after = (await readCard(queries, projectId, id)) as Card
          const boardId = (await readPlace())?.board_id as number
          const reset = Object.fromEntries(
            own.filter((name) => name !== 'place').map((name) => [name, after[name]]),
          )
          await recordEvent(queries, {
            // Its place may have been on another board.
            boardId: own.includes('place') ? null : boardId,
            cardId: id,
            actorId: caller.id,
            kind: 'card.reset',
            data: {
              fields: own,
              ...changesOf(before, reset, { kept: [] }).told,
              board_id: boardId,
              group_id: after.group_id as number,
              position: after.position,
            },
          })
          await takeRoomOfCard(queries, quotas, { projectId, id }, place)
          return after
        }),
    ).catch(refusedByState(fail))
    return { card: reset }
  },
})
