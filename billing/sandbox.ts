import { hash } from 'node:crypto'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { follow } from './follow.ts'
import type { Checkout, Gateway } from './gateway.ts'
import { afterPeriods, type ProviderState, providerStateOf } from './state.ts'
import { findSubscription } from './subscription.ts'

const sessionMilliseconds = 24 * 3_600_000

/** A gateway without real payments: a page of our own that accepts test cards. */
export function sandboxGateway({ sql }: Database, pageUrl: (token: string) => string): Gateway {
  return {
    name: 'sandbox',
    async open({ key }) {
      // Derived from the checkout's secret key, so that a repeated call returns the same session.
      const token = hash('sha256', `sandbox ${key}`, 'base64url')
      const expiresAt = new Date(Date.now() + sessionMilliseconds).toISOString()
      return { id: sessionOf(token), url: pageUrl(token), expiresAt }
    },
    async expire({ project_id: projectId, id }) {
      const [row] = await sql<{ status: Checkout['status'] }[]>`
        update checkouts set status = case when status = 'paid' then status else 'expired' end
        where project_id = ${projectId} and id = ${id} returning status`
      return row?.status !== 'paid'
    },
    setCancellation: async (subscription, isWanted) => ({
      ...providerStateOf(subscription),
      cancelsAtPeriodEnd: isWanted,
    }),
  }
}

/** Members see a session's id; the token that pays is only in the address given to the payer. */
const sessionOf = (token: string) => `sandbox_${hash('sha256', token).slice(0, 32)}`

export interface SandboxCheckout
  extends Pick<
    Checkout,
    'project_id' | 'platform_id' | 'id' | 'subscription_id' | 'plan' | 'period' | 'amount' | 'currency'
  > {
  product: string
  project: string
  status: 'open' | 'paid' | 'expired'
}

/** Finds what the checkout page shows; undefined for an unknown token. */
export async function findSandboxCheckout(
  { sql }: Database,
  token: string,
): Promise<SandboxCheckout | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const [found] = await sql<SandboxCheckout[]>`
    select c.project_id, p.platform_id, c.id, c.subscription_id, c.plan, c.period, c.amount, c.currency, s.product, p.name as project,
      case when c.status = 'open' and c.expires_at <= now() then 'expired' else c.status::text end as status
    from checkouts c
    join subscriptions s on s.project_id = c.project_id and s.id = c.subscription_id
    join projects p on p.id = c.project_id and p.deleted_at is null
    where c.session_id = ${sessionOf(token)} and c.gateway = 'sandbox'`
  return found
}

/** Pays a checkout, with the same effect as a provider's message; false if it can no longer be paid. */
export function payInSandbox(db: Database, token: string, checkout: SandboxCheckout): Promise<boolean> {
  const { project_id: projectId, subscription_id: subscriptionId, id, plan, period } = checkout
  return change(db, projectId, async (queries) => {
    const before = await findSubscription(queries, projectId, subscriptionId, 'for update')
    const paid = await queries.sql`
      update checkouts set status = 'paid', paid_at = now()
      where project_id = ${projectId} and id = ${id} and status = 'open' and expires_at > now()`
    if (!before || paid.count === 0) return false
    const state: ProviderState = {
      gateway: 'sandbox',
      reference: sessionOf(token),
      customer: null,
      status: 'active',
      periodEndsAt: afterPeriods(new Date(), period, 1),
      cancelsAtPeriodEnd: false,
      plan,
      period,
    }
    const notice = { projectId, subscriptionId, eventId: `paid ${sessionOf(token)}`, actorId: null }
    const outcome = await follow(queries, before, state, notice)
    if (outcome !== 'followed') throw new Error(`a sandbox payment was not followed: ${outcome}`)
    return true
  })
}

/** Ends or renews the sandbox's subscriptions whose period is over, as a provider would; called by a job. */
export async function turnSandboxPeriods(db: Database): Promise<void> {
  const due = await db.sql<{ project_id: number; id: number }[]>`
    select project_id, id from subscriptions
    where gateway = 'sandbox' and status in ('active', 'past_due') and current_period_ends_at <= now()`
  for (const { project_id: projectId, id: subscriptionId } of due)
    await change(db, projectId, async (queries) => {
      const before = await findSubscription(queries, projectId, subscriptionId, 'for update')
      if (!before?.current_period_ends_at || Date.parse(before.current_period_ends_at) > Date.now()) return
      const notice = { projectId, subscriptionId, eventId: null, actorId: null }
      await follow(queries, before, renewed(providerStateOf(before), new Date()), notice)
    })
}

function renewed(state: ProviderState, now: Date): ProviderState {
  if (state.cancelsAtPeriodEnd) return { ...state, status: 'canceled' }
  let periodEndsAt = state.periodEndsAt
  for (let count = 1; Date.parse(periodEndsAt) <= now.getTime(); count++)
    periodEndsAt = afterPeriods(new Date(state.periodEndsAt), state.period, count)
  return { ...state, periodEndsAt }
}
