import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Billing, checkoutPath } from '#billing/billing.ts'
import { findSandboxCheckout, payInSandbox, type SandboxCheckout } from '#billing/sandbox.ts'
import type { Database } from '#database/connect.ts'
import { type CardErrors, judgeCard } from './checkout/card.ts'
import { type Spoken, spokenIn } from './checkout/document.ts'
import { checkoutPage, missingPage } from './checkout/page.ts'
import { paymentStyle } from './checkout/style.ts'
import { languageOf } from './language.ts'
import { type Counting, limited } from './limited.ts'
import { securityHeaders } from './security-headers.ts'

type Requested = FastifyRequest<{ Params: { token: string } }>

/**
 * The sandbox's checkout page, which accepts test cards. It needs no sign-in, because only upgrade-trial gives out its address.
 * Price and subscription come from the stored checkout, never from the form.
 */
export function addCheckout(app: FastifyInstance, billing: Billing, db: Database, gate: Counting) {
  // With another gateway, an old sandbox session would allow paying with a test card.
  if (billing.gateway?.name !== 'sandbox') return
  const headers = { ...securityHeaders, 'cache-control': 'no-store' }
  const style = paymentStyle()
  const onRequest = limited(gate, 'payment')
  const send = (
    reply: FastifyReply,
    spoken: Spoken,
    status: number,
    checkout?: SandboxCheckout,
    errors: CardErrors = {},
  ) =>
    reply
      .code(checkout ? status : 404)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(checkout ? checkoutPage(checkout, billing, errors, spoken) : missingPage(spoken))

  app.get(`${checkoutPath}/style.css`, (_request, reply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-cache' })
      .type('text/css; charset=utf-8')
      .send(style),
  )
  const script = readFileSync(new URL('./checkout/checkout.js', import.meta.url), 'utf8')
  app.get(`${checkoutPath}/checkout.js`, (_request, reply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-cache' })
      .type('text/javascript; charset=utf-8')
      .send(script),
  )
  app.get(`${checkoutPath}/:token`, { onRequest }, async (request: Requested, reply) =>
    send(reply, spokenIn(languageOf(request)), 200, await findSandboxCheckout(db, request.params.token)),
  )
  app.post(`${checkoutPath}/:token`, { onRequest }, async (request: Requested, reply) => {
    const { token } = request.params
    const { body } = request
    const spoken = spokenIn(languageOf(request))
    const checkout = await findSandboxCheckout(db, token)
    if (!checkout) return send(reply, spoken, 404)
    const errors = judgeCard(new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : ''), spoken.say)
    if (checkout.status === 'open' && Object.keys(errors).length > 0)
      return send(reply, spoken, 422, checkout, errors)
    if (!(await payInSandbox(db, token, checkout)))
      return send(reply, spoken, 409, await findSandboxCheckout(db, token))
    return reply.headers(headers).redirect(billing.returnUrl('paid', checkout), 303)
  })
}
