import { operation } from '#api/operation.ts'
import { payment, readPayment } from '#billing/payments.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/platforms/v1/payments/get',
  summary: 'Get a payment of the project, for a receipt',
  audience: 'upgrade',
  on: 'project',
  input: { id: integer({ about: 'The id of the payment.' }) },
  success: 200,
  message: 'The payment.',
  output: record({ payment }),
  failures: { 404: { payment_not_found: 'There is no payment with this id.' } },
  async handle({ input: { id }, projectId, db, fail }) {
    const found = await readPayment(db, projectId, id)
    if (!found) throw fail(404, 'payment_not_found')
    return { payment: found }
  },
})
