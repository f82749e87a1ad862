import type { Database, Queries } from '#database/connect.ts'
import type { Billing } from './billing.ts'
import { findProduct, type Period, type Plan } from './catalogue.ts'
import { type Checkout, type Gateway, GatewayFailure, ProviderOutage } from './gateway.ts'
import { isTrial } from './state.ts'
import { findByProduct, type Refusal, type Subscription } from './subscription.ts'

interface Wanted {
  projectId: number
  product: string
  offer: Offer
}

interface Opened {
  checkout_url: string
  session_id: string
  subscription_id: number
}

type Offer = Pick<Checkout, 'gateway' | 'plan' | 'period' | 'amount' | 'currency'>

/** Another plan may be asked for while the session of the last one is being given up; more than this is no accident. */
const mostRounds = 5

/**
 * The session in which the trial is paid for. The checkout is written down before the provider is asked, and the provider is
 * asked outside of any transaction, so that whatever fails, asking again continues where it stopped. Undefined where there is nothing
 * to pay for.
 */
export async function openCheckout(
  billing: Billing,
  db: Database,
  wanted: Wanted,
): Promise<Opened | Refusal | undefined> {
  for (let round = 1; round <= mostRounds; round++) {
    const checkout = await db.transaction((queries) => reserve(queries, wanted))
    if (!checkout || 'refusal' in checkout) return checkout
    if (isFor(wanted.offer, checkout)) return answer(await opened(billing, db, checkout))
    if (!(await giveUp(billing, db, checkout)))
      return { refusal: 'This subscription has just been paid for; it is active in a moment.' }
  }
  return { refusal: 'Other plans are being chosen at this moment; try again.' }
}

/** What is to be paid for, and through whom, from now on whatever becomes of catalogue and settings. */
export function offerOf(
  { catalogue, gateway }: Billing,
  { key, prices }: Plan,
  period: Period,
): Offer | Refusal {
  if (!gateway) return { refusal: 'Payments are not set up on this server.' }
  return { gateway: gateway.name, plan: key, period, amount: prices[period], currency: catalogue.currency }
}

/** The project's trial of a product; whatever else it has is not upgraded. Undefined where it has no subscription to it. */
export async function findTrial(
  queries: Queries,
  { projectId, product }: Pick<Wanted, 'projectId' | 'product'>,
  lock: 'for update' | '' = '',
): Promise<Subscription | Refusal | undefined> {
  const subscription = await findByProduct(queries, projectId, product, lock)
  if (!subscription || isTrial(subscription.status)) return subscription
  return {
    refusal: `Only a trial can be upgraded; this subscription is ${statusInWords[subscription.status]}.`,
  }
}

const statusInWords = {
  active: 'active',
  past_due: 'paid for, with a payment overdue',
  canceled: 'canceled',
} as Record<string, string>

const columns = `c.project_id, c.id, c.subscription_id, c.gateway, c.plan, c.period, c.amount, c.currency, c.status, c.key,
  c.session_id, c.url,
  (select s.product from subscriptions s where s.project_id = c.project_id and s.id = c.subscription_id) as product,
  (select s.customer_reference from subscriptions s where s.project_id = c.project_id and s.gateway = c.gateway
    and s.customer_reference is not null order by s.id desc limit 1) as customer`

/** The live checkout of the subscription, whatever it is for, or a new one for what is wanted. */
async function reserve(queries: Queries, wanted: Wanted): Promise<Checkout | Refusal | undefined> {
  const { sql } = queries
  const { projectId, offer } = wanted
  const trial = await findTrial(queries, wanted, 'for update')
  if (!trial || 'refusal' in trial) return trial
  const { id: subscriptionId } = trial
  await sql`
    update checkouts set status = 'expired'
    where project_id = ${projectId} and subscription_id = ${subscriptionId} and status = 'open' and expires_at <= now()`
  const [live] = await queries.run<Checkout>(
    `select ${columns} from checkouts c where project_id = $1 and subscription_id = $2 and status in ('opening', 'open')`,
    [projectId, subscriptionId],
  )
  if (live) return live
  const [made] = await queries.run<Checkout>(
    `insert into checkouts as c (project_id, subscription_id, gateway, plan, period, amount, currency)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
    [projectId, subscriptionId, offer.gateway, offer.plan, offer.period, offer.amount, offer.currency],
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
    // Refused for good: providers keep a refusal under its key, so the next attempt needs another one.
    if (error instanceof ProviderOutage && error.cause instanceof GatewayFailure && !error.cause.isUncertain)
      await db.sql`delete from checkouts where project_id = ${projectId} and id = ${id} and status = 'opening'`
    throw error
  })
  await db.sql`
    update checkouts set status = 'open', session_id = ${session.id}, url = ${session.url}, expires_at = ${session.expiresAt}
    where project_id = ${projectId} and id = ${id} and status = 'opening'`
  // Another instance may have been first; what it wrote is what counts.
  const [row] = await db.run<Checkout>(
    `select ${columns} from checkouts c where project_id = $1 and id = $2`,
    [projectId, id],
  )
  if (!row) throw new ProviderOutage(providerFailed)
  return row
}

/** What people read that they buy. */
function titleOf({ catalogue }: Billing, { product, plan }: Checkout): string {
  const found = findProduct(catalogue, product)
  return `${found?.name ?? product} ${found?.plans.find(({ key }) => key === plan)?.name ?? plan}`
}

/** Makes the session of another plan unpayable, so that nobody pays twice; false where it has been paid. */
async function giveUp(billing: Billing, db: Database, checkout: Checkout): Promise<boolean> {
  const { project_id: projectId, id } = checkout
  if (billing.gateways[checkout.gateway]) {
    // One that is just being opened has no name yet to be given up by.
    const { session_id: sessionId } = await opened(billing, db, checkout)
    const isUnpaid = await through(billing, checkout, (gateway) => gateway.expire(sessionId as string))
    if (!isUnpaid) return false
  }
  await db.sql`
    update checkouts set status = 'expired'
    where project_id = ${projectId} and id = ${id} and status in ('opening', 'open')`
  return true
}

/** What the provider fails at is told in a sentence, and logged with its cause. */
export async function through<Result>(
  { gateways }: Billing,
  { gateway: name }: { gateway: Checkout['gateway'] | null },
  call: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  const gateway = name && gateways[name]
  if (!gateway)
    throw new ProviderOutage('The payment provider of this subscription is not set up on this server.')
  try {
    return await call(gateway)
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    throw new ProviderOutage(providerFailed, { cause: error })
  }
}

const providerFailed =
  'The payment provider did not answer as it should; nothing was charged. Try again in a minute.'

const answer = ({ url, session_id, subscription_id }: Checkout): Opened => ({
  checkout_url: url as string,
  session_id: session_id as string,
  subscription_id,
})
