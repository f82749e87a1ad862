import { hash } from 'node:crypto'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { follow } from './follow.ts'
import type { Checkout, Gateway } from './gateway.ts'
import type { Told } from './state.ts'
import { findSubscription, type Subscription } from './subscription.ts'

const sessionMilliseconds = 24 * 3_600_000

/** Payments that are none: a page of our own that takes test cards, for trying things out. */
export function sandboxGateway({ sql }: Database, pageUrl: (token: string) => string): Gateway {
  return {
    name: 'sandbox',
    async open({ key }) {
      // Made from the checkout's secret key, so that asking again gives the same session.
      const token = hash('sha256', `sandbox ${key}`, 'base64url')
      const expiresAt = new Date(Date.now() + sessionMilliseconds).toISOString()
      return { id: sessionOf(token), url: pageUrl(token), expiresAt }
    },
    async expire(sessionId) {
      const [row] = await sql<{ status: Checkout['status'] }[]>`
        update checkouts set status = case when status = 'paid' then status else 'expired' end
        where session_id = ${sessionId} and gateway = 'sandbox' returning status`
      return row?.status !== 'paid'
    },
    setCancellation: async (subscription, isWanted) => ({
      ...standing(subscription),
      cancelsAtPeriodEnd: isWanted,
    }),
  }
}

/** Members see the name of a session; only who was given its address has the token that pays. */
const sessionOf = (token: string) => `sandbox_${hash('sha256', token).slice(0, 32)}`

const standing = (subscription: Subscription): Told => ({
  gateway: 'sandbox',
  reference: subscription.subscription_reference as string,
  customer: null,
  status: subscription.status as Told['status'],
  periodEndsAt: subscription.current_period_ends_at as string,
  cancelsAtPeriodEnd: subscription.cancels_at_period_end,
  plan: subscription.plan as string,
  period: subscription.period as Told['period'],
})

export interface SandboxCheckout
  extends Pick<
    Checkout,
    'project_id' | 'id' | 'subscription_id' | 'plan' | 'period' | 'amount' | 'currency'
  > {
  product: string
  project: string
  status: 'open' | 'paid' | 'expired'
}

/** What the page of a session shows; undefined for a token that nobody was given. */
export async function findSandboxCheckout(
  { sql }: Database,
  token: string,
): Promise<SandboxCheckout | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const [found] = await sql<SandboxCheckout[]>`
    select c.project_id, c.id, c.subscription_id, c.plan, c.period, c.amount, c.currency, s.product, p.name as project,
      case when c.status = 'open' and c.expires_at <= now() then 'expired' else c.status::text end as status
    from checkouts c
    join subscriptions s on s.project_id = c.project_id and s.id = c.subscription_id
    join projects p on p.id = c.project_id and p.deleted_at is null
    where c.session_id = ${sessionOf(token)} and c.gateway = 'sandbox'`
  return found
}

/** What a successful card leads to: as if the provider had said that it is paid. False where it can no longer be paid. */
export function payInSandbox(db: Database, token: string, checkout: SandboxCheckout): Promise<boolean> {
  const { project_id: projectId, subscription_id: subscriptionId, id, plan, period } = checkout
  return change(db, projectId, async (queries) => {
    const before = await findSubscription(queries, projectId, subscriptionId, 'for update')
    const paid = await queries.sql`
      update checkouts set status = 'paid'
      where project_id = ${projectId} and id = ${id} and status = 'open' and expires_at > now()`
    if (!before || paid.count === 0) return false
    const told: Told = {
      gateway: 'sandbox',
      reference: sessionOf(token),
      customer: null,
      status: 'active',
      periodEndsAt: afterPeriods(new Date(), period, 1),
      cancelsAtPeriodEnd: false,
      plan,
      period,
    }
    const word = { projectId, subscriptionId, eventId: `paid ${sessionOf(token)}`, actorId: null }
    const outcome = await follow(queries, before, told, word)
    if (outcome !== 'followed') throw new Error(`a sandbox payment was not followed: ${outcome}`)
    return true
  })
}

/** The same day that many periods later, or the last day of a shorter month. */
export function afterPeriods(from: Date, period: Told['period'], count: number): string {
  const months = period === 'year' ? 12 * count : count
  const to = new Date(from)
  to.setUTCDate(1)
  to.setUTCMonth(to.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return to.toISOString()
}

/** What a provider's clock does: at the end of its period a subscription ends if that was wanted, else the next one begins. */
export async function turnSandboxPeriods(db: Database): Promise<void> {
  const due = await db.sql<{ project_id: number; id: number }[]>`
    select project_id, id from subscriptions
    where gateway = 'sandbox' and status in ('active', 'past_due') and current_period_ends_at <= now()`
  for (const { project_id: projectId, id: subscriptionId } of due)
    await change(db, projectId, async (queries) => {
      const before = await findSubscription(queries, projectId, subscriptionId, 'for update')
      if (!before?.current_period_ends_at || Date.parse(before.current_period_ends_at) > Date.now()) return
      const word = { projectId, subscriptionId, eventId: null, actorId: null }
      await follow(queries, before, turned(standing(before), new Date()), word)
    })
}

function turned(told: Told, now: Date): Told {
  if (told.cancelsAtPeriodEnd) return { ...told, status: 'canceled' }
  let periodEndsAt = told.periodEndsAt
  for (let count = 1; Date.parse(periodEndsAt) <= now.getTime(); count++)
    periodEndsAt = afterPeriods(new Date(told.periodEndsAt), told.period, count)
  return { ...told, periodEndsAt }
}
