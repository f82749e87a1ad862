import type { Call } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { findPaid, setCancellation } from '#billing/cancellation.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { asOutage } from './outage.ts'
import { readSubscription, type Subscription } from './subscription.ts'

type Request = Call<{ id: number }, 400 | 403 | 404>

/** Where the subscription is whose end is decided on. */
export function beginCancellation({ input: { id }, caller, db, fail }: Request) {
  const question = { db, caller, permission: 'upgrade', kind: 'subscriptions', id } as const
  return inProjectOf(question, fail, async ({ projectId }) => {
    const paid = await findPaid(db, projectId, id)
    return paid && granted(paid, fail) && { projectId }
  })
}

/** Has the provider end the subscription with its period, or let it go on. */
export async function finishCancellation(
  call: Request & { begun: { projectId: number } },
  isWanted: boolean,
) {
  const { input, begun, caller, db, billing, fail } = call
  const { projectId } = begun
  const wanted = { projectId, id: input.id, actorId: caller.id, isWanted }
  const paid = await setCancellation(billing, db, wanted).catch(asOutage)
  if (paid) granted(paid, fail)
  return { subscription: (await readSubscription(db, projectId, input.id)) as Subscription }
}
