import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { moveCard } from '#boards/card/moving.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { inProjectOf, inProjectOfOrElse } from '#identity/in-project.ts'
import { invalid } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/move',
  summary: 'Move a card to a place of its group or of another one; without a place, to the end',
  audience: 'work',
  input: { id: integer(), group_id: optional(integer()), position: optional(integer()) },
  success: 200,
  message: 'The card was moved.',
  output: record({ card }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { id, group_id: groupId = null, position = null }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'work', kind: 'cards', id } as const
    const moved = await inProjectOf(question, fail, ({ projectId }) =>
      moveCard(db, quotas, { projectId, id, actorId: caller.id }, { groupId, position }),
    ).catch(refusedOn(fail, 'group_id'))
    if (moved !== 'no group') return { card: moved }
    const missingGroup = () => fail(422, invalid('group_id'))
    // A group of a project that is not the caller's is refused as such; any other is no group of this project.
    await inProjectOfOrElse(
      { db, caller, permission: 'work', kind: 'groups', id: groupId as number },
      fail,
      async () => undefined,
      missingGroup,
    )
    throw missingGroup()
  },
})
