import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { cancelPush } from '#templates/canceling.ts'
import { type Push, push, readPush } from './push.ts'

export default operation({
  path: '/services/operations/v1/admin/pushes/cancel',
  summary:
    'Stop a rollout: what is committed stays, and it is canceling until the work that had begun is undone',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'The rollout is canceled.',
  output: record({ push }),
  failures: [400, 404],
  writes: true,
  async handle({ input: { id }, db, fail }) {
    const isCanceled = await cancelPush(db, id)
    const found = await readPush(db, id)
    if (!found) throw fail(404, 'There is no rollout with this id.')
    if (!isCanceled) throw fail(400, 'This rollout has ended already.')
    return { push: found satisfies Push }
  },
})
