import type { Database, Queries } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import type { Billing } from './billing.ts'
import { catalogueOf, findProduct, type Period, type Plan } from './catalogue.ts'
import { type Checkout, type Gateway, GatewayFailure, ProviderOutage } from './gateway.ts'
import { expireOrder } from './order.ts'
import { isTrial } from './state.ts'
import { findByProduct, type Refusal, type Subscription } from './subscription.ts'

interface Wanted {
  projectId: number
  product: string
  offer: Offer
  actorId: number
}

interface Opened {
  checkout_url: string
  session_id: string | null
  subscription_id: number
}

type Offer = Pick<Checkout, 'gateway' | 'plan' | 'period' | 'amount' | 'currency'>

/** Another plan may be chosen while the previous session is being expired; this bounds how often that may repeat. */
const maxRounds = 5

/**
 * Opens the session in which a trial is paid for; undefined if the project has no subscription to the product. The checkout is
 * stored before the provider is called, and the provider is called outside of any transaction, so a retry after any failure
 * continues where it stopped.
 */
export async function openCheckout(
  billing: Billing,
  db: Database,
  wanted: Wanted,
): Promise<Opened | Refusal<NotUpgradable | 'already_paid' | 'plans_changing'> | undefined> {
  for (let round = 1; round <= maxRounds; round++) {
    const checkout = await change(db, wanted.projectId, (queries) => reserve(queries, wanted))
    if (!checkout || 'refusal' in checkout) return checkout
    if (isFor(wanted.offer, checkout)) return answer(await opened(billing, db, checkout))
    // The last round does not expire the other session, because no round would open a new one after it.
    if (round === maxRounds) break
    if (!(await giveUp(billing, db, checkout))) return { refusal: 'already_paid' }
  }
  return { refusal: 'plans_changing' }
}

/** Decides what a trial's upgrade costs and where it is paid; undefined if the project has no subscription to the product. */
export async function prepareCheckout(
  billing: Billing,
  queries: Queries,
  {
    projectId,
    product,
    plan,
    currency,
    period,
    actorId,
  }: {
    projectId: number
    product: string
    plan: Plan
    currency: string
    period: Period
    actorId: number
  },
): Promise<Wanted | Refusal<NotUpgradable | 'payments_not_set_up'> | undefined> {
  const trial = await findTrial(queries, { projectId, product })
  if (!trial || 'refusal' in trial) return trial
  const offer = offerOf(billing, { ...plan, currency }, period)
  return 'refusal' in offer ? offer : { projectId, product, offer, actorId }
}

/** Fixes price and gateway of a checkout, so that later changes of catalogue or settings do not affect it. */
function offerOf(
  { gateway }: Billing,
  { key, prices, currency }: Plan & { currency: string },
  period: Period,
): Offer | Refusal<'payments_not_set_up'> {
  if (!gateway) return { refusal: 'payments_not_set_up' }
  return { gateway: gateway.name, plan: key, period, amount: prices[period], currency }
}

/** Finds the project's trial of a product, since only a trial can be upgraded; undefined if it has no subscription to it. */
async function findTrial(
  queries: Queries,
  { projectId, product }: Pick<Wanted, 'projectId' | 'product'>,
  lock: 'for update' | '' = '',
): Promise<Subscription | Refusal<NotUpgradable> | undefined> {
  const subscription = await findByProduct(queries, projectId, product, lock)
  if (!subscription || isTrial(subscription.status)) return subscription
  return { refusal: `subscription_${subscription.status}` }
}

type NotUpgradable = `subscription_${'active' | 'past_due' | 'canceled'}`

/** `c` is the checkout, `$1` the id of its project. */
const columns = `c.project_id, c.id, c.subscription_id, c.gateway, c.plan, c.period, c.amount, c.currency, c.status, c.key,
  c.session_id, c.url, c.created_by, (select p.platform_id from projects p where p.id = $1) as platform_id,
  (select s.product from subscriptions s where s.project_id = $1 and s.id = c.subscription_id) as product,
  (select s.customer_reference from subscriptions s where s.project_id = $1 and s.gateway = c.gateway
    and s.customer_reference is not null order by s.id desc limit 1) as customer`

/** Returns the subscription's live checkout, even for another plan, or inserts a new one. */
async function reserve(
  queries: Change,
  wanted: Wanted,
): Promise<Checkout | Refusal<NotUpgradable> | undefined> {
  const { sql } = queries
  const { projectId, offer, actorId } = wanted
  const trial = await findTrial(queries, wanted, 'for update')
  if (!trial || 'refusal' in trial) return trial
  const { id: subscriptionId } = trial
  await expireOrder(queries, subscriptionId, 'overdue')
  await sql`
    update checkouts set status = 'expired'
    where project_id = ${projectId} and subscription_id = ${subscriptionId} and status = 'open' and expires_at <= now()`
  const [live] = await queries.run<Checkout>(
    `select ${columns} from checkouts c where project_id = $1 and subscription_id = $2 and status in ('opening', 'open')`,
    [projectId, subscriptionId],
  )
  if (live) return live
  const [made] = await queries.run<Checkout>(
    `insert into checkouts as c (project_id, subscription_id, gateway, plan, period, amount, currency, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    [
      projectId,
      subscriptionId,
      offer.gateway,
      offer.plan,
      offer.period,
      offer.amount,
      offer.currency,
      actorId,
    ],
  )
  return made as Checkout
}

const isFor = (offer: Offer, checkout: Checkout) =>
  (Object.keys(offer) as (keyof Offer)[]).every((key) => offer[key] === checkout[key])

function opened(billing: Billing, db: Database, checkout: Checkout): Promise<Checkout> {
  if (checkout.status === 'open') return Promise.resolve(checkout)
  const { opening } = billing
  const asked = opening.get(checkout.key) ?? askForSession(billing, db, checkout)
  opening.set(checkout.key, asked)
  return asked.finally(() => opening.delete(checkout.key))
}

async function askForSession(billing: Billing, db: Database, checkout: Checkout): Promise<Checkout> {
  const { project_id: projectId, id } = checkout
  const session = await through(billing, checkout, (gateway) =>
    gateway.open(checkout, titleOf(billing, checkout)),
  ).catch(async (error) => {
    // Providers remember a refusal under its idempotency key, so the next attempt needs a new checkout.
    if (error instanceof ProviderOutage && error.cause instanceof GatewayFailure && !error.cause.isUncertain)
      await db.sql`delete from checkouts where project_id = ${projectId} and id = ${id} and status = 'opening'`
    throw error
  })
  await db.sql`
    update checkouts set status = 'open', session_id = ${session.id}, url = ${session.url}, expires_at = ${session.expiresAt}
    where project_id = ${projectId} and id = ${id} and status = 'opening'`
  // Another instance may have been first, so its session is read back.
  const [row] = await db.run<Checkout>(
    `select ${columns} from checkouts c where project_id = $1 and id = $2`,
    [projectId, id],
  )
  if (!row) throw new ProviderOutage('payment_provider_failed')
  return row
}

/** The name of the purchase on the provider's page. */
function titleOf({ catalogue }: Billing, { platform_id: platformId, product, plan }: Checkout): string {
  const found = findProduct(catalogueOf(catalogue, platformId), product)
  return `${found?.name ?? product} ${found?.plans.find(({ key }) => key === plan)?.name ?? plan}`
}

/** Expires the session of another plan, so that nobody pays twice; false if it has been paid. */
async function giveUp(billing: Billing, db: Database, checkout: Checkout): Promise<boolean> {
  const { project_id: projectId, id } = checkout
  if (billing.gateways[checkout.gateway]) {
    // A session that is still being opened has no id yet to expire it by.
    const open = await opened(billing, db, checkout)
    const isUnpaid = await through(billing, checkout, (gateway) => gateway.expire(open))
    if (!isUnpaid) return false
  }
  await db.sql`
    update checkouts set status = 'expired'
    where project_id = ${projectId} and id = ${id} and status in ('opening', 'open')`
  return true
}

/** The same for a checkout by its id. */
export async function giveUpCheckout(
  billing: Billing,
  db: Database,
  projectId: number,
  id: number,
): Promise<boolean> {
  const [checkout] = await db.run<Checkout>(
    `select ${columns} from checkouts c where project_id = $1 and id = $2 and status in ('opening', 'open')`,
    [projectId, id],
  )
  return checkout === undefined || giveUp(billing, db, checkout)
}

/** Calls a gateway and turns its failure into a sentence for the caller; the cause is logged. */
export async function through<Result>(
  { gateways }: Billing,
  { gateway: name }: { gateway: Checkout['gateway'] | null },
  call: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  const gateway = name && gateways[name]
  if (!gateway) throw new ProviderOutage('payment_provider_missing')
  try {
    return await call(gateway)
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    throw new ProviderOutage('payment_provider_failed', { cause: error })
  }
}

const answer = ({ url, session_id, subscription_id }: Checkout): Opened => ({
  checkout_url: url as string,
  session_id,
  subscription_id,
})
