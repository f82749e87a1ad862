import { operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { bookPayment } from '#billing/booking.ts'
import { order } from '#billing/shown-orders.ts'
import { integer, record, text } from '#contract/schema.ts'

export default operation({
  path: '/services/platforms/v1/orders/book-payment',
  summary:
    'Book the bank transfer that paid an order, which starts or renews the subscription; `amount` is in the smallest unit of its currency',
  audience: 'superadmin with billing',
  input: { reference: text({ max: 50 }), amount: integer({ min: 1 }) },
  success: 200,
  message: 'The payment was booked.',
  output: record({ order }),
  failures: {
    400: {
      order_expired:
        'This order has expired. Ask the project to order again, and book the payment to the new order.',
      already_paid: 'The subscription of this order is paid in another way. Refund this payment.',
    },
    404: { order_not_found: 'There is no order with this reference.' },
    422: {
      reference: { mistyped: 'The :attribute is not valid: check its digits.' },
      amount: { differs: 'The :attribute must be exactly the amount of the order.' },
    },
  },
  writes: true,
  async handle({ input, caller, db, fail }) {
    const booked = await bookPayment(db, {
      ...input,
      platformId: caller.superadminPlatformId,
      actorId: caller.id,
    })
    if (booked === 'mistyped reference') throw fail(422, { reference: 'mistyped' })
    if (booked === 'no order') throw fail(404, 'order_not_found')
    if (booked === 'other amount') throw fail(422, { amount: 'differs' })
    return { order: granted(booked, fail) }
  },
})
