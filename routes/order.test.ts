// The page of an order, which is read without signing in and without JavaScript.
import assert from 'node:assert/strict'
import test from 'node:test'
import { inGroups } from '#billing/reference.ts'
import { ageOrder, createOrder, invoicing } from '#tests/invoice.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService(invoicing)
const { sql } = service.db

test('200: what to transfer where, by when, with which reference; nothing from elsewhere, no script', async () => {
  const { order, projectId } = await createOrder(service)
  await sql`update projects set name = ${'<b>Fish & Chips'} where id = ${projectId}`
  const response = await fetch(order.url)
  const text = await response.text()
  assert.equal(response.status, 200)
  const parts = [
    'Website Pro',
    '€490',
    'for a year',
    'For &lt;b&gt;Fish &amp; Chips',
    'Cardinal Boards GmbH',
    'DE89 3704 0044 0532 0130 00',
    'COBADEFFXXX',
    inGroups(order.reference),
  ]
  for (const part of parts) assert.ok(text.includes(part), part)
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'.*frame-ancestors 'none'$/,
  )
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  assert.doesNotMatch(text, /<script|style="|(?:src|href)="https?:\/\//)
  const style = await fetch(`${service.url}/order/style.css`)
  assert.deepEqual([style.status, style.headers.get('content-type')], [200, 'text/css; charset=utf-8'])
})

test('a paid and an expired order say so, and no longer where to transfer money', async () => {
  const paid = await createOrder(service)
  const { token } = await service.addUser({ superadmin: true })
  const { reference, amount } = paid.order
  await service.client(token).call('/services/platforms/v1/orders/book-payment', { reference, amount })
  const expired = await createOrder(service)
  await ageOrder(service, expired.order, 11)
  for (const [{ order }, words] of [
    [paid, 'The payment of this order has arrived.'],
    [expired, 'transfer money for it.'],
  ] as const) {
    const text = await (await fetch(order.url)).text()
    assert.ok(text.includes(words), text)
    assert.ok(!text.includes('DE89'))
  }
})

test('404 for an address that names no order', async () => {
  const { order } = await createOrder(service)
  const key = order.url.split('/').at(-1) as string
  const other = key.startsWith('a') ? `b${key.slice(1)}` : `a${key.slice(1)}`
  for (const wrong of [
    other,
    key.slice(1),
    `${key}0`,
    key.toUpperCase().replace(/^/, 'x'),
    order.reference,
    '%00',
    "'",
  ]) {
    const response = await fetch(`${service.url}/order/${wrong}`)
    assert.equal(response.status, 404, wrong)
    assert.match(await response.text(), /Order not found/)
  }
})

test('429 for an address that opens orders too often', async () => {
  const limited = await startTestService({ ...invoicing, anonymousRateLimit: 1 }, service.address)
  const statuses: number[] = []
  for (let i = 0; i < 2; i++) statuses.push((await fetch(`${limited.url}/order/nothing`)).status)
  assert.deepEqual(statuses, [404, 429])
})
