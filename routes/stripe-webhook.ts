import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Billing } from '#billing/billing.ts'
import { takeStripeEvent } from '#billing/stripe-events.ts'
import { requestsOf } from '#contract/admission.ts'
import { receivedBytes } from '#contract/body.ts'
import { mostBodyBytes } from '#contract/body-limits.ts'
import { declaredBytes } from '#contract/receiving.ts'
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { type Counting, refuseBeyondLimit } from './limited.ts'

/** The codes of a 400 of the webhook. */
export const notFromStripe = { not_signed_by_stripe: 'This is not signed by Stripe.' } as const

/** Receives Stripe's events. Stripe repeats an event until it gets 200, so an error of ours is a 500. */
export function addStripeWebhook(
  app: FastifyInstance,
  base: string,
  { stripe }: Billing,
  db: Database,
  { gate, log }: { gate: Counting; log: Log },
) {
  if (!stripe) return
  const refuseLarge = async (request: FastifyRequest, reply: FastifyReply) =>
    requestsOf(declaredBytes(request)) > 1
      ? refuseBeyondLimit(gate, 'webhook', request, reply, { requests: 0 })
      : undefined
  const options = { bodyLimit: mostBodyBytes, onRequest: refuseLarge }
  app.post(`${base}/webhooks/stripe`, options, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const signature = request.headers['stripe-signature']
    const requests = requestsOf(receivedBytes(request))
    // Receiving and checking 1 MB takes 2 ms, so who has sent too much that is not Stripe's has only usual messages checked.
    if (requests > 1 && (await refuseBeyondLimit(gate, 'webhook', request, reply, { requests: 0 })))
      return reply
    const isReadable = Buffer.isBuffer(request.body) && typeof signature === 'string'
    const event = isReadable ? stripe.verify(request.body as Buffer, signature) : undefined
    if (!event) {
      // Only what Stripe did not sign is counted: a payment that is refused would be noticed hours later.
      if (await refuseBeyondLimit(gate, 'webhook', request, reply, { requests })) return reply
      return reply
        .code(400)
        .header('x-error-code', 'not_signed_by_stripe' satisfies keyof typeof notFromStripe)
        .send({ error: true, message: notFromStripe.not_signed_by_stripe })
    }
    const line = { event: event.id, type: event.type }
    try {
      const { outcome, projectId } = await takeStripeEvent(db, stripe, event)
      if (outcome === 'paid twice')
        log.error(
          { ...line, projectId },
          'a subscription was paid for twice; one payment is to be given back at Stripe',
        )
      else log.info({ ...line, projectId, outcome }, 'heard from Stripe')
      return reply.send({ received: true })
    } catch (error) {
      log.error({ ...line, error }, 'a message of Stripe’s failed; it will come again')
      return reply
        .code(500)
        .header('x-error-code', 'server_error')
        .send({ error: true, message: 'Server Error' })
    }
  })
}
