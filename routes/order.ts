import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Billing, orderPath } from '#billing/billing.ts'
import { catalogueOf } from '#billing/catalogue.ts'
import { findOrderByKey } from '#billing/shown-orders.ts'
import type { Database } from '#database/connect.ts'
import { spokenIn } from './checkout/document.ts'
import { missingOrderPage, orderPage } from './checkout/order-page.ts'
import { paymentStyle } from './checkout/style.ts'
import { languageOf } from './language.ts'
import { type Counting, limited } from './limited.ts'
import { securityHeaders } from './security-headers.ts'

type Requested = FastifyRequest<{ Params: { key: string } }>

/**
 * The page of an order: what to transfer where. It needs no sign-in, because the person who pays bills often has no account; its
 * address has a random key, and the page only shows things.
 */
export function addOrderPage(app: FastifyInstance, billing: Billing, db: Database, gate: Counting) {
  const { bankAccount } = billing
  if (!bankAccount) return
  const headers = { ...securityHeaders, 'cache-control': 'no-store' }
  const style = paymentStyle()
  const onRequest = limited(gate, 'payment')
  const send = (reply: FastifyReply, status: number, page: string) =>
    reply.code(status).headers(headers).type('text/html; charset=utf-8').send(page)

  app.get(`${orderPath}/style.css`, (_request, reply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-cache' })
      .type('text/css; charset=utf-8')
      .send(style),
  )
  app.get(`${orderPath}/:key`, { onRequest }, async (request: Requested, reply) => {
    const spoken = spokenIn(languageOf(request))
    const order = await findOrderByKey(db, request.params.key)
    return order
      ? send(
          reply,
          200,
          orderPage(order, catalogueOf(billing.catalogue, order.platform_id), bankAccount, spoken),
        )
      : send(reply, 404, missingOrderPage(spoken))
  })
}
