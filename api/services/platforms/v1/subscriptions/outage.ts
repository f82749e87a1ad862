import { ProviderOutage } from '#billing/gateway.ts'
import { Outage } from '#contract/operation.ts'

/** `.catch(asOutage)`: callers are told the sentence of a provider's failure. */
export function asOutage(error: unknown): never {
  throw error instanceof ProviderOutage ? new Outage(error.message, { cause: error.cause }) : error
}
