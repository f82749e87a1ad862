import { createHmac, timingSafeEqual } from 'node:crypto'
import type Stripe from 'stripe'
import { type Checkout, type Gateway, GatewayFailure } from './gateway.ts'
import type { ProviderState } from './state.ts'
import type { Subscription } from './subscription.ts'

interface StripeSettings {
  secretKey: string
  webhookSecret: string
  apiUrl: string
}

export interface StripeGateway extends Gateway {
  name: 'stripe'
  /** Parses a webhook request; undefined if Stripe did not sign it. */
  verify(body: Buffer, signature: string): Stripe.Event | undefined
  /** Reads a subscription's state from Stripe; undefined if there is none, or if it is not ours. */
  read(reference: string): Promise<ProviderState | undefined>
}

/** With one retry every call ends within about 17 seconds; a request makes at most three. */
const timeoutMilliseconds = 8_000
const retries = 1

/** Metadata that links Stripe's objects to our rows. */
const metadataOf = ({ project_id, subscription_id, key, plan, period }: Checkout) => ({
  cardinal_project_id: String(project_id),
  cardinal_subscription_id: String(subscription_id),
  cardinal_checkout_key: key,
  cardinal_plan: plan,
  cardinal_period: period,
})

/** Payments through Stripe Checkout. The library takes 20 MB of memory, so it is loaded only when a key is set. */
export async function stripeGateway(
  settings: StripeSettings,
  returnUrl: ReturnAddress,
): Promise<StripeGateway> {
  const { Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(settings.apiUrl)
  const stripe = new Stripe(settings.secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port }),
    timeout: timeoutMilliseconds,
    maxNetworkRetries: retries,
    telemetry: false,
  })

  async function asked<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call()
    } catch (error) {
      throw new GatewayFailure(error, isUncertain(error))
    }
  }

  return {
    name: 'stripe',
    open: (checkout, title) =>
      asked(async () => {
        const made = await stripe.checkout.sessions.create(sessionFor(checkout, title, returnUrl), {
          idempotencyKey: `cardinal-${checkout.key}`,
        })
        const { id, url, expires_at: expiresAt } = made
        if (typeof id !== 'string' || !url?.startsWith('http') || !Number.isInteger(expiresAt))
          throw new Error('Stripe did not answer with an open session')
        return { id, url, expiresAt: toTime(expiresAt) }
      }),
    expire: (checkout) =>
      asked(async () => {
        const sessionId = String(checkout.session_id)
        try {
          await stripe.checkout.sessions.expire(sessionId)
          return true
        } catch (error) {
          // Stripe refuses if the session is no longer open: it was paid or had expired.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          const { status } = await stripe.checkout.sessions.retrieve(sessionId)
          if (status === 'expired') return true
          if (status === 'complete') return false
          throw error
        }
      }),
    setCancellation: ({ subscription_reference: reference }: Subscription, isWanted) =>
      asked(async () => {
        try {
          return toProviderState(
            await stripe.subscriptions.update(String(reference), { cancel_at_period_end: isWanted }),
          )
        } catch (error) {
          // Stripe refuses if the subscription has ended there, and we may not have received that event yet.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          const state = toProviderState(await stripe.subscriptions.retrieve(String(reference)))
          if (state?.status !== 'canceled') throw error
          return state
        }
      }),
    read: (reference) =>
      asked(async () => {
        try {
          return toProviderState(await stripe.subscriptions.retrieve(reference))
        } catch (error) {
          if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
            return undefined
          throw error
        }
      }),
    verify(body, signature) {
      if (!isSigned(body, signature, settings.webhookSecret)) return undefined
      try {
        return stripe.webhooks.constructEvent(body, signature, settings.webhookSecret)
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Judges the bytes before the library does, because it reads the body as text first: 10 ms for 1 MB, while this takes 0.7 ms and anybody can
 * send such a body. The library still checks what is signed, and its age.
 */
function isSigned(body: Buffer, header: string, secret: string): boolean {
  const fields = header.split(',').map((field) => field.split('='))
  const time = fields.findLast(([name]) => name === 't')?.[1] ?? ''
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  return fields.some(([name, given]) => name === 'v1' && given !== undefined && isEqual(given, expected))
}

const isEqual = (given: string, expected: string) =>
  given.length === expected.length &&
  timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'))

/** The page that people return to after the checkout: the subscription page of its project. */
export type ReturnAddress = (
  outcome: 'paid' | 'left',
  checkout: Pick<Checkout, 'project_id' | 'product'>,
) => string

const sessionFor = (
  checkout: Checkout,
  title: string,
  returnUrl: ReturnAddress,
): Stripe.Checkout.SessionCreateParams => {
  const { amount, currency, period, customer } = checkout
  const metadata = metadataOf(checkout)
  return {
    mode: 'subscription',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: amount,
          recurring: { interval: period },
          product_data: { name: title },
        },
      },
    ],
    client_reference_id: checkout.key,
    metadata,
    subscription_data: { metadata },
    ...(customer !== null && { customer }),
    success_url: returnUrl('paid', checkout),
    cancel_url: returnUrl('left', checkout),
  }
}

/** True if Stripe gave no answer or asked for a retry, so that the call may have succeeded. */
function isUncertain(error: unknown): boolean {
  if (!(error instanceof Error) || !('type' in error)) return false
  const { type, statusCode } = error as Error & { type: string; statusCode?: number }
  return type === 'StripeConnectionError' || statusCode === 409 || statusCode === 429
}

const statuses: Record<string, ProviderState['status'] | undefined> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'canceled',
}

/** Converts Stripe's subscription; undefined if it is not ours, or if its first payment is still open or failed. */
function toProviderState(subscription: Stripe.Subscription): ProviderState | undefined {
  const {
    id,
    customer,
    metadata,
    items,
    cancel_at_period_end: cancelsAtPeriodEnd,
    cancel_at: cancelAt,
  } = subscription
  const status = statuses[subscription.status]
  const { cardinal_plan: plan, cardinal_period: period } = metadata ?? {}
  const ends = items?.data?.[0]?.current_period_end
  if (status === undefined || plan === undefined || (period !== 'month' && period !== 'year'))
    return undefined
  if (typeof id !== 'string' || !Number.isInteger(ends))
    throw new Error('Stripe did not answer with a subscription')
  return {
    gateway: 'stripe',
    reference: id,
    customer: typeof customer === 'string' ? customer : (customer?.id ?? null),
    status,
    periodEndsAt: toTime(ends as number),
    cancelsAtPeriodEnd: cancelsAtPeriodEnd === true || typeof cancelAt === 'number',
    plan,
    period,
  }
}

const toTime = (seconds: number) => new Date(seconds * 1000).toISOString()
