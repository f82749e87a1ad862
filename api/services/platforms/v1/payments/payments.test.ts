import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { createTrial } from '#tests/subscription.ts'

const service = await startTestService()
const base = '/services/platforms/v1'

async function paid(period: 'month' | 'year' = 'month') {
  const trial = await createTrial(service)
  const { checkout_url: url } = await trial.client.call(`${base}/subscriptions/upgrade-trial`, {
    product: 'website',
    plan: 'pro',
    period,
  })
  const body = new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/49', code: '123' })
  const pay = () => fetch(url, { method: 'POST', body, redirect: 'manual' })
  return { ...trial, pay }
}

test('200 a payment is in the list once it was made, and can be read for a receipt', async () => {
  const { client, pay, projectId, subscriptionId } = await paid('year')
  assert.deepEqual(await client.call(`${base}/payments/list`), { payments: [], next_cursor: null })
  await pay()
  const { payments } = await client.call(`${base}/payments/list`)
  const [first] = payments
  assert.ok(first)
  const { id, paid_at, project_name: _name, ...rest } = first
  assert.deepEqual(rest, {
    project_id: projectId,
    subscription_id: subscriptionId,
    product: 'website',
    plan: 'pro',
    period: 'year',
    amount: 49_000,
    currency: 'eur',
    paid_by: 'card',
    reference: null,
  })
  assert.ok(Math.abs(Date.parse(paid_at) - Date.now()) < 60_000)
  assert.deepEqual((await client.call(`${base}/payments/get`, { id })).payment, first)
})

test('200 a payment of which only the checkout is known has its time', async () => {
  const { client, pay, subscriptionId } = await paid()
  await pay()
  await service.db.sql`
    update checkouts set paid_at = null, created_at = '2026-01-02T03:04:05Z' where subscription_id = ${subscriptionId}`
  const { payments } = await client.call(`${base}/payments/list`)
  assert.equal(payments[0]?.paid_at.slice(0, 19), '2026-01-02T03:04:05')
})

test('404 for a payment of another project and for a checkout that was not paid, 422 for a cursor', async () => {
  const [mine, other] = [await paid(), await paid()]
  await other.pay()
  const [foreign] = (await other.client.call(`${base}/payments/list`)).payments
  const [open] = await service.db.sql<{ id: number }[]>`
    select id from checkouts where project_id = ${mine.projectId}`
  for (const id of [foreign?.id ?? 0, open?.id ?? 0]) {
    const answer = await mine.client.attempt(`${base}/payments/get`, { id })
    assert.deepEqual([answer.status, !answer.ok && answer.code], [404, 'payment_not_found'])
  }
  const wrong = await mine.client.attempt(`${base}/payments/list`, { cursor: 'x' })
  assert.equal(wrong.status, 422)
})
