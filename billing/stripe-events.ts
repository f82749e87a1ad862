import type Stripe from 'stripe'
import type { Database } from '#database/connect.ts'
import { askAndFollow, type Outcome, take } from './follow.ts'
import type { StripeGateway } from './stripe.ts'

/** The subscription that a Stripe event is about. */
interface Concern {
  projectId: number
  subscriptionId: number
  checkoutKey: string
}

interface Taken {
  outcome: Outcome | 'not ours'
  projectId?: number
}

/** Processes a Stripe event once and ignores events of other systems; called by the webhook route. */
export async function takeStripeEvent(
  db: Database,
  stripe: StripeGateway,
  event: Stripe.Event,
): Promise<Taken> {
  const { metadata, reference } = contentOf(event)
  const concern = concernOf(metadata)
  if (!concern || !(await isOurs(db, concern))) return { outcome: 'not ours' }
  const { projectId } = concern
  if (await isTaken(db, event.id)) return { outcome: 'seen before', projectId }
  if (event.type === 'checkout.session.expired')
    return { outcome: await expire(db, event, concern), projectId }
  if (reference === undefined) return { outcome: 'unknown', projectId }
  const notice = { ...concern, eventId: event.id, actorId: null }
  return { outcome: await askAndFollow(db, notice, () => stripe.read(reference)), projectId }
}

/** The event's metadata, and the Stripe subscription to read. */
function contentOf(event: Stripe.Event): { metadata?: Stripe.Metadata | null; reference?: string } {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return { metadata: event.data.object.metadata, ...referring(event.data.object.subscription) }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return { metadata: event.data.object.metadata, reference: event.data.object.id }
    case 'invoice.payment_failed': {
      const details = event.data.object.parent?.subscription_details
      return { metadata: details?.metadata ?? null, ...referring(details?.subscription) }
    }
    default:
      return {}
  }
}

function referring(subscription: string | { id: string } | null | undefined): { reference?: string } {
  if (!subscription) return {}
  return { reference: typeof subscription === 'string' ? subscription : subscription.id }
}

function concernOf(metadata: Stripe.Metadata | null | undefined): Concern | undefined {
  const projectId = Number(metadata?.['cardinal_project_id'])
  const subscriptionId = Number(metadata?.['cardinal_subscription_id'])
  const checkoutKey = metadata?.['cardinal_checkout_key'] ?? ''
  const isWhole = Number.isSafeInteger(projectId) && Number.isSafeInteger(subscriptionId)
  return isWhole && /^[0-9a-f-]{36}$/.test(checkoutKey)
    ? { projectId, subscriptionId, checkoutKey }
    : undefined
}

/** Another installation may use the same Stripe account with the same ids; the random key identifies ours. */
async function isOurs(
  { sql }: Database,
  { projectId, subscriptionId, checkoutKey }: Concern,
): Promise<boolean> {
  const found = await sql`
    select from checkouts where project_id = ${projectId} and subscription_id = ${subscriptionId}
      and key = ${checkoutKey} and gateway = 'stripe'`
  return found.length > 0
}

const isTaken = async ({ sql }: Database, eventId: string) =>
  (await sql`select from payment_events where id = ${eventId}`).length > 0

function expire(db: Database, event: Stripe.Event, { projectId, checkoutKey }: Concern): Promise<Outcome> {
  return db.transaction(async (queries) => {
    if (!(await take(queries, event.id))) return 'seen before'
    await queries.sql`
      update checkouts set status = 'expired'
      where project_id = ${projectId} and key = ${checkoutKey} and status in ('opening', 'open')`
    return 'followed'
  })
}
