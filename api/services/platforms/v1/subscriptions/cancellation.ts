import type { Call } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import type { Scope } from '#api/scope.ts'
import { findPaid, setCancellation } from '#billing/cancellation.ts'
import { asOutage, outages } from './outage.ts'

export const cancellationFailures = {
  400: {
    not_paid_for: 'This subscription is not paid for; a trial ends by itself.',
    subscription_ended: 'This subscription has ended.',
    subscription_changing: 'Someone else is changing this subscription. Try again.',
  },
  500: outages,
} as const

type Request = Call<{ id: number }, typeof cancellationFailures>

/** Finds the paid subscription and returns its project. */
export async function beginCancellation({ input: { id }, projectId, db, fail }: Request & Scope) {
  const paid = await findPaid(db, projectId, id)
  return paid && granted(paid, fail) && { projectId }
}

/** Asks the provider to end the subscription with its period, or to continue it. */
export async function finishCancellation(
  call: Request & { begun: { projectId: number } },
  isWanted: boolean,
) {
  const { input, begun, caller, db, billing, fail } = call
  const wanted = { ...begun, id: input.id, actorId: caller.id, isWanted }
  const changed = await setCancellation(billing, db, wanted).catch(asOutage(fail))
  return { subscription: granted(changed, fail) }
}
