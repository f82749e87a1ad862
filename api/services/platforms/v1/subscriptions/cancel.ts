import { operation } from '#api/operation.ts'
import { setCancellation } from '#billing/cancellation.ts'
import { integer, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { readSubscription, subscription } from './subscription.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/cancel',
  summary: 'Let a paid subscription end with its period',
  audience: 'upgrade',
  input: { id: integer() },
  success: 200,
  message: 'The subscription ends with its period.',
  output: record({ subscription }),
  failures: [400, 403, 404],
  writes: 'calling out',
  async handle({ input: { id }, caller, db, billing, live, http, fail }) {
    const question = { db, caller, permission: 'upgrade', kind: 'subscriptions', id } as const
    const found = await inProjectOf(question, fail, async ({ projectId }) => {
      const change = { projectId, id, actorId: caller.id, isWanted: true }
      if (!(await setCancellation(billing, db, change, fail))) return undefined
      live.announce(http, projectId)
      return readSubscription(db, projectId, id)
    })
    return { subscription: found }
  },
})
