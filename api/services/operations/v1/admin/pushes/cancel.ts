import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { cancelPush } from '#templates/push.ts'
import { type Push, push, readPush } from './push.ts'

export default operation({
  path: '/services/operations/v1/admin/pushes/cancel',
  summary: 'Stop a push after the batch it is at; what has reached projects stays there',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'The push was canceled.',
  output: record({ push }),
  failures: [400, 404],
  writes: true,
  async handle({ input: { id }, db, fail }) {
    const isCanceled = await cancelPush(db, id)
    const found = await readPush(db, id)
    if (!found) throw fail(404, 'There is no push with this id.')
    if (!isCanceled) throw fail(400, 'This push has ended already.')
    return { push: found satisfies Push }
  },
})
