import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()

test('200 for every signed-in user: all plans of all products with their prices', async () => {
  const { token } = await service.addUser()
  const { plans } = await service.client(token).call('/services/platforms/v1/plans/list')
  assert.deepEqual(
    plans.map(({ product, plan }) => `${product} ${plan}`),
    ['website starter', 'website pro', 'website business', 'shop starter', 'shop pro', 'shop business'],
  )
  assert.deepEqual(plans[1], {
    product: 'website',
    product_name: 'Website',
    plan: 'pro',
    plan_name: 'Pro',
    month_amount: 4900,
    year_amount: 49000,
    currency: 'eur',
    features: ['Everything in Starter', 'Unlimited pages', 'Your own theme'],
  })
})
