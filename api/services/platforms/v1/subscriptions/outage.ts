import { ProviderOutage } from '#billing/gateway.ts'
import type { Fail } from '#contract/failure.ts'

export const outages = {
  payment_provider_failed:
    'The payment provider did not respond correctly. Nothing was charged. Try again in a minute.',
  payment_provider_missing: 'The payment provider of this subscription is not set up on this server.',
} as const

/** `.catch(asOutage(fail))`: callers learn that the provider failed; the log has the cause. */
export const asOutage =
  (fail: Fail<{ 500: typeof outages }>) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderOutage)) throw error
    throw Object.assign(fail(500, error.code), { cause: error.cause })
  }
