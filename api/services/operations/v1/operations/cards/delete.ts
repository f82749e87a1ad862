import { operation } from '#api/operation.ts'
import { deleteCard } from '#boards/card/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/delete',
  summary: 'Delete a card with its comments: members their own, admins any',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The card was deleted.',
  output: nothing,
  failures: [403, 404],
  bodies: { 403: 'error, message, data' },
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'work', kind: 'cards', id } as const
    const outcome = await inProjectOf(question, fail, ({ projectId, role }) => {
      const onlyOwn = !may(caller, role, 'delete any card')
      return deleteCard(db, quotas, { projectId, id, actorId: caller.id }, { onlyOwn })
    })
    if (outcome === 'not own') throw fail(403, 'Members delete only the cards that they have made.')
    return []
  },
})
