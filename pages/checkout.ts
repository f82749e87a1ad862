import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Billing, checkoutPath } from '#billing/billing.ts'
import { findSandboxCheckout, payInSandbox } from '#billing/sandbox.ts'
import type { Database } from '#database/connect.ts'
import type { Live } from '#live/live.ts'
import { judgeCard } from './checkout/card.ts'
import { checkoutPage, missingPage } from './checkout/page.ts'
import { securityHeaders } from './security-headers.ts'

type Requested = FastifyRequest<{ Params: { token: string } }>

/**
 * The page of the sandbox, on which test cards pay. It needs no sign-in: who knows the address was given it by upgrade-trial,
 * and what is paid, for whom and how much, is read from the checkout, never from the form.
 */
export function addCheckout(
  app: FastifyInstance,
  billing: Billing,
  db: Database,
  live: Live,
  publicUrl: string | undefined,
) {
  // With another gateway an old session of the sandbox would be a way to pay with a card that is none.
  if (billing.gateway?.name !== 'sandbox') return
  const headers = { ...securityHeaders(publicUrl), 'cache-control': 'no-store' }
  const style = styles.map(read).join('\n')
  const show = async (reply: FastifyReply, token: string, status: number, given?: URLSearchParams) => {
    reply.headers(headers).type('text/html; charset=utf-8')
    const checkout = await findSandboxCheckout(db, token)
    if (!checkout) return reply.code(404).send(missingPage())
    const errors = given && checkout.status === 'open' ? judgeCard(given) : {}
    return reply.code(status).send(checkoutPage(checkout, billing, errors))
  }

  app.get(`${checkoutPath}/style.css`, (_request, reply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-cache' })
      .type('text/css; charset=utf-8')
      .send(style),
  )
  app.get(`${checkoutPath}/:token`, (request: Requested, reply) => show(reply, request.params.token, 200))
  app.post(`${checkoutPath}/:token`, async (request: Requested, reply) => {
    const { token } = request.params
    const given = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '')
    const checkout = await findSandboxCheckout(db, token)
    if (checkout?.status === 'open' && Object.keys(judgeCard(given)).length > 0)
      return show(reply, token, 422, given)
    const isPaid = checkout !== undefined && (await payInSandbox(db, token, checkout))
    if (!isPaid) return show(reply, token, 409)
    live.announce({ afterCommit: (effect) => effect() }, checkout.project_id)
    return reply.headers(headers).redirect(billing.returnUrl('paid', checkout.product), 303)
  })
}

const styles = ['./reference/style/base.css', './checkout/style.css']
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
