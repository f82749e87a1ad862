// Plans that are ordered and paid for by bank transfer.
import assert from 'node:assert/strict'
import test from 'node:test'
import { followOrders } from '#billing/following-orders.ts'
import { referenceOf } from '#billing/reference.ts'
import { ageOrder, billingEvents, createOrder, endPeriod, invoicing } from '#tests/invoice.ts'
import { post } from '#tests/post.ts'
import { startTestService, type TestService } from '#tests/service.ts'
import { addPaid, createTrial } from '#tests/subscription.ts'

const subscriptions = '/services/platforms/v1/subscriptions'
const orders = '/services/platforms/v1/orders'
const service = await startTestService(invoicing)
const { sql } = service.db
const billing = await service.addUser({ superadmin: true })
const superadmin = service.client(billing.token)
const terms = { days: invoicing.invoiceDays, pageUrl: (key: string) => `${service.url}/order/${key}` }
const follow = () => followOrders(service.db, terms)

const pro = { product: 'website', plan: 'pro', period: 'year' } as const
async function book(reference: string, amount: unknown, token = billing.token) {
  const answer = await post(service, `${orders}/book-payment`, token, { reference, amount })
  return { ...answer, code: answer.headers.get('x-error-code') }
}

/** Everything that a booking may change. */
const stored = async (projectId: number) => [
  await sql`select * from subscriptions where project_id = ${projectId} order by id`,
  await sql`select * from checkouts where project_id = ${projectId} order by id`,
  await sql`select * from events where project_id = ${projectId} order by id`,
]

test('200 without a session: the address of an order page, in both versions; the same plan gives the same order', async () => {
  const { owner, client, subscriptionId, order, get, projectId } = await createOrder(service)
  for (const version of ['v1', 'v2']) {
    const path = `/services/platforms/${version}/subscriptions/upgrade-trial`
    const { status, body } = await post(service, path, owner.token, pro)
    const expected = { checkout_url: order.url, session_id: null, subscription_id: subscriptionId }
    assert.deepEqual([status, body.data], [200, expected])
  }
  assert.match(order.url, new RegExp(`^${service.url}/order/[0-9a-f-]{36}$`))
  assert.equal(order.reference, referenceOf(order.id))
  const { amount, currency, status, plan, period, reminded_at } = order
  assert.deepEqual(
    [amount, currency, status, plan, period, reminded_at],
    [49_000, 'eur', 'open', 'pro', 'year', null],
  )
  assert.ok(Math.abs(Date.parse(order.expires_at) - Date.now() - 10 * 86_400_000) < 60_000)
  const subscription = await get()
  assert.deepEqual(
    [subscription.status, subscription.checkout_session_id, subscription.order_expires_at],
    ['trialing', null, order.expires_at],
  )
  assert.deepEqual(await billingEvents(service, projectId), ['order.placed'])
  const { history } = await client.call(`${subscriptions}/get`, { id: subscriptionId })
  assert.deepEqual(
    history.map(({ kind, actor_id, data }) => [kind, actor_id, data['reference'], data['amount']]),
    [['order.placed', owner.id, order.reference, 49_000]],
  )
})

test('another plan: the old order expires and cannot be booked, and there is a new one', async () => {
  const { client, order, projectId } = await createOrder(service)
  await client.call(`${subscriptions}/upgrade-trial`, { ...pro, period: 'month' })
  const listed = (await client.call(`${orders}/list`)).orders
  assert.deepEqual(
    listed.map(({ period, status }) => [period, status]),
    [
      ['month', 'open'],
      ['year', 'expired'],
    ],
  )
  assert.deepEqual(await billingEvents(service, projectId), ['order.placed', 'order.expired', 'order.placed'])
  const { status, code } = await book(order.reference, order.amount)
  assert.deepEqual([status, code], [400, 'order_expired'])
})

test('30 in parallel get one order, with one event', async () => {
  const { client, projectId } = await createTrial(service)
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => client.call(`${subscriptions}/upgrade-trial`, pro)),
  )
  assert.equal(new Set(answers.map(({ checkout_url }) => checkout_url)).size, 1)
  assert.deepEqual(await billingEvents(service, projectId), ['order.placed'])
})

test('200: the booked payment starts the subscription; booking it again changes nothing', async () => {
  const { order, get, projectId, client, subscriptionId } = await createOrder(service)
  const spaced = order.reference.replace(/.{4}/g, '$& ').toLowerCase()
  const booked = await superadmin.call(`${orders}/book-payment`, { reference: spaced, amount: 49_000 })
  assert.deepEqual(booked.order, { ...order, status: 'paid' })
  const subscription = await get()
  assert.deepEqual(
    [subscription.status, subscription.plan, subscription.period, subscription.checkout_session_id],
    ['active', 'pro', 'year', null],
  )
  const end = new Date()
  end.setUTCFullYear(end.getUTCFullYear() + 1)
  assert.ok(
    Math.abs(Date.parse(subscription.current_period_ends_at as string) - end.getTime()) < 2 * 86_400_000,
  )
  const { history } = await client.call(`${subscriptions}/get`, { id: subscriptionId })
  assert.deepEqual(
    history.map(({ kind, actor_name }) => [kind, actor_name === 'Cardinal support']),
    [
      ['order.paid', true],
      ['subscription.activated', true],
      ['order.placed', false],
    ],
  )
  const before = await stored(projectId)
  assert.equal((await book(order.reference, 49_000)).status, 200)
  assert.equal((await book(order.reference, 48_999)).status, 422)
  assert.deepEqual(await stored(projectId), before)
})

test('of 16 bookings at once one is carried out, and all say that it is booked', async () => {
  const { order, projectId } = await createOrder(service)
  const answers = await Promise.all(Array.from({ length: 16 }, () => book(order.reference, order.amount)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await billingEvents(service, projectId), [
    'order.placed',
    'subscription.activated',
    'order.paid',
  ])
})

test('booking while another plan is chosen: the payment is booked, or the order had expired, and never both', async () => {
  for (let round = 0; round < 5; round++) {
    const { order, owner, get } = await createOrder(service)
    const [booked, chosen] = await Promise.all([
      book(order.reference, order.amount),
      post(service, `${subscriptions}/upgrade-trial`, owner.token, { ...pro, period: 'month' }),
    ])
    const outcome = [booked.status, booked.code, chosen.status, (await get()).status]
    const isBooked = booked.status === 200
    assert.deepEqual(
      outcome,
      isBooked ? [200, outcome[1], 400, 'active'] : [400, 'order_expired', 200, 'trialing'],
    )
  }
})

test('422 for a mistyped reference and another amount, 404 for an unknown reference; nothing changes', async () => {
  const { order, projectId } = await createOrder(service)
  const before = await stored(projectId)
  const last = Number(order.reference.at(-1))
  const mistyped = order.reference.slice(0, -1) + ((last + 1) % 10)
  for (const reference of [mistyped, 'RF', order.reference.slice(2), String(order.id), '🙂', "'; --"]) {
    const { status, code, body } = await book(reference, order.amount)
    assert.deepEqual([status, code], [422, 'reference_mistyped'], reference)
    assert.deepEqual(body.errors, { reference: ['The reference is not valid: check its digits.'] })
  }
  for (const amount of [order.amount - 1, order.amount + 1, 490, 1]) {
    const { status, code } = await book(order.reference, amount)
    assert.deepEqual([status, code], [422, 'amount_differs'], String(amount))
  }
  for (const amount of [0, -order.amount, 490.5, '49000', null])
    assert.equal((await book(order.reference, amount)).status, 422, String(amount))
  for (const id of [order.id + 100_000, 0, 2 ** 53 - 1]) {
    const { status, code } = await book(referenceOf(id), order.amount)
    assert.deepEqual([status, code], [404, 'order_not_found'])
  }
  assert.deepEqual(await stored(projectId), before)
})

test('404 after the project was deleted, and for a checkout that is no order', async () => {
  const { order, projectId } = await createOrder(service)
  await sql`update projects set deleted_at = now() where id = ${projectId}`
  assert.equal((await book(order.reference, order.amount)).status, 404)
  assert.equal((await fetch(order.url)).status, 404)
  const other = await createTrial(service)
  const [checkout] = await sql<{ id: number }[]>`
    insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status)
    values (${other.projectId}, ${other.subscriptionId}, 'sandbox', 'pro', 'year', 49000, 'eur', 'open') returning id`
  assert.equal((await book(referenceOf(checkout?.id as number), 49_000)).status, 404)
})

test('400 for a subscription that was paid in another way: nothing is booked', async () => {
  const { order, projectId, subscriptionId } = await createOrder(service)
  await sql`
    update subscriptions set status = 'active', gateway = 'stripe', subscription_reference = 'sub_1', plan = 'pro', period = 'month',
      current_period_ends_at = now() + interval '9 days' where id = ${subscriptionId}`
  const before = await stored(projectId)
  const { status, code } = await book(order.reference, order.amount)
  assert.deepEqual([status, code], [400, 'already_paid'])
  assert.deepEqual(await stored(projectId), before)
})

test('403 for everyone but superadmins with billing; owners see the orders of their own project only', async () => {
  const { order, owner, projectId } = await createOrder(service)
  const other = await createOrder(service)
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const plain = await service.addUser({ superadmin: true, superadminBilling: false })
  for (const { token } of [owner, admin, plain]) {
    assert.equal((await book(order.reference, order.amount, token)).status, 403)
    assert.equal((await post(service, `${orders}/list-open`, token)).status, 403)
  }
  const headers = { 'x-project-id': String(projectId) }
  for (const { token } of [admin, plain, other.owner])
    assert.equal((await post(service, `${orders}/list`, token, {}, headers)).status, 403)
  const own = await service.client(owner.token).call(`${orders}/list`)
  assert.deepEqual(
    own.orders.map(({ id }) => id),
    [order.id],
  )
  const seen = await service.client(billing.token, headers).call(`${orders}/list`)
  assert.deepEqual(seen.orders, own.orders)
  const inV1 = await post<{ orders: unknown }>(service, `${orders}/list`, owner.token)
  assert.deepEqual(inV1.body.data.orders, own.orders)
  const open = await post<{ orders: { id: number }[] }>(service, `${orders}/list-open`, billing.token)
  assert.ok(open.body.data.orders.some(({ id }) => id === order.id))
})

test('open orders of all projects are found by a part of the reference or of the project’s name, in pages', async () => {
  const made = [await createOrder(service), await createOrder(service), await createOrder(service)]
  for (const [index, { projectId }] of made.entries())
    await sql`update projects set name = ${`100%_Zebra ${index}`} where id = ${projectId}`
  const ids = made.map(({ order }) => order.id)
  const find = async (query: string) =>
    (await superadmin.call(`${orders}/list-open`, { query, limit: 200 })).orders.map(({ id }) => id)
  assert.deepEqual(await find('zebra'), ids)
  assert.deepEqual(await find('0%_z'), ids)
  assert.deepEqual(await find('%zebra'), [])
  const [first] = made.map(({ order }) => order) as [(typeof made)[0]['order']]
  assert.deepEqual(await find(first.reference), [first.id])
  assert.ok((await find(first.reference.slice(-3))).includes(first.id))
  const page = await superadmin.call(`${orders}/list-open`, { query: 'zebra', limit: 2 })
  assert.deepEqual(
    page.orders.map(({ id }) => id),
    ids.slice(0, 2),
  )
  const next = await superadmin.call(`${orders}/list-open`, { query: 'zebra', cursor: page.next_cursor })
  assert.deepEqual([next.orders.map(({ id }) => id), next.next_cursor], [ids.slice(2), null])
  await ageOrder(service, first, 10)
  await book(made[1]?.order.reference as string, 49_000)
  assert.deepEqual(await find('zebra'), ids.slice(2))
  const headers = { 'x-project-id': String(first.project_id) }
  for (const path of ['list', 'list-open']) {
    const { status } = await post(service, `${orders}/${path}`, billing.token, { cursor: 'x' }, headers)
    assert.equal(status, 422)
  }
})

test('an unpaid order is reminded of once, when half of its time is over', async () => {
  const { order, client, projectId } = await createOrder(service)
  const read = async () => (await client.call(`${orders}/list`)).orders[0]
  await ageOrder(service, order, 4)
  await follow()
  assert.equal((await read())?.reminded_at, null)
  await ageOrder(service, order, 1)
  await follow()
  const reminded = (await read())?.reminded_at
  assert.ok(reminded)
  await follow()
  assert.equal((await read())?.reminded_at, reminded)
  assert.deepEqual(await billingEvents(service, projectId), ['order.placed', 'order.reminded'])
})

test('an unpaid order expires, and the trial is what it was; a new order can be placed', async () => {
  for (const days of [14, -3]) {
    const { order, client, projectId, get } = await createOrder(service, { days })
    const before = await get()
    await ageOrder(service, order, 10)
    const { status, code } = await book(order.reference, order.amount)
    assert.deepEqual([status, code], [400, 'order_expired'])
    await follow()
    await follow()
    assert.deepEqual(await get(), { ...before, order_expires_at: null })
    assert.deepEqual(await billingEvents(service, projectId), ['order.placed', 'order.expired'])
    await client.call(`${subscriptions}/upgrade-trial`, pro)
    const [renewed] = (await client.call(`${orders}/list`)).orders
    assert.equal(renewed?.status, 'open')
    assert.notEqual(renewed?.reference, order.reference)
  }
})

test('ordering again after the time is over, before the job has seen it, gives a new order', async () => {
  const { order, client, projectId } = await createOrder(service)
  await ageOrder(service, order, 10)
  const { checkout_url } = await client.call(`${subscriptions}/upgrade-trial`, pro)
  assert.notEqual(checkout_url, order.url)
  assert.deepEqual(await billingEvents(service, projectId), ['order.placed', 'order.expired', 'order.placed'])
})

async function createSubscription() {
  const made = await createOrder(service, { period: 'month' })
  await book(made.order.reference, made.order.amount)
  const openOrder = async () => {
    const [newest] = (await made.client.call(`${orders}/list`)).orders
    return newest?.status === 'open' ? newest : undefined
  }
  return { ...made, openOrder }
}

test('the next period is ordered in time for the same price, and its payment continues the period', async () => {
  const { subscriptionId, openOrder, get } = await createSubscription()
  await endPeriod(service, subscriptionId, 11)
  await follow()
  assert.equal(await openOrder(), undefined)
  await endPeriod(service, subscriptionId, 9)
  await sql`update checkouts set amount = 777 where subscription_id = ${subscriptionId}`
  await follow()
  await follow()
  const order = await openOrder()
  assert.deepEqual([order?.amount, order?.plan, order?.period], [777, 'pro', 'month'])
  const { current_period_ends_at: end } = await get()
  assert.equal(Date.parse(order?.expires_at as string) - Date.parse(end as string), 10 * 86_400_000)
  assert.equal((await fetch(String(order?.url))).status, 200)
  assert.equal((await book(order?.reference as string, 777)).status, 200)
  const after = await get()
  const expected = new Date(end as string)
  const days = (Date.parse(after.current_period_ends_at as string) - expected.getTime()) / 86_400_000
  assert.deepEqual([after.status, days >= 28 && days <= 31], ['active', true])
})

test('a renewal that is not paid: overdue from the end of the period, then the subscription ends', async () => {
  const { subscriptionId, openOrder, get, projectId } = await createSubscription()
  await endPeriod(service, subscriptionId, 5)
  await follow()
  await endPeriod(service, subscriptionId, -1)
  await follow()
  assert.equal((await get()).status, 'past_due')
  const order = await openOrder()
  assert.ok(order)
  await ageOrder(service, order, 20)
  await follow()
  await follow()
  assert.equal((await get()).status, 'canceled')
  assert.deepEqual((await billingEvents(service, projectId)).slice(3), [
    'order.placed',
    'subscription.payment_failed',
    'order.expired',
    'subscription.canceled',
  ])
})

test('a late payment makes an overdue subscription active again', async () => {
  const { subscriptionId, openOrder, get } = await createSubscription()
  await endPeriod(service, subscriptionId, -2)
  await follow()
  assert.equal((await get()).status, 'past_due')
  const order = await openOrder()
  await book(order?.reference as string, order?.amount as number)
  assert.equal((await get()).status, 'active')
})

test('canceling withdraws the next order, resuming orders again, and a canceled subscription ends with its period', async () => {
  const { subscriptionId, openOrder, get, client } = await createSubscription()
  await endPeriod(service, subscriptionId, 5)
  await follow()
  const withdrawn = await openOrder()
  await client.call(`${subscriptions}/cancel`, { id: subscriptionId })
  assert.equal(await openOrder(), undefined)
  assert.equal(
    (await book(withdrawn?.reference as string, withdrawn?.amount as number)).code,
    'order_expired',
  )
  await follow()
  assert.equal(await openOrder(), undefined)
  await client.call(`${subscriptions}/resume`, { id: subscriptionId })
  await follow()
  assert.ok(await openOrder())
  await client.call(`${subscriptions}/cancel`, { id: subscriptionId })
  await endPeriod(service, subscriptionId, -1)
  await follow()
  assert.equal((await get()).status, 'canceled')
})

test('an order that fails stops no other, and the job says so', async () => {
  const [failing, fine] = [await createOrder(service), await createOrder(service)]
  for (const { order } of [failing, fine]) await ageOrder(service, order, 11)
  await sql.unsafe(`alter table checkouts add constraint broken check (id <> ${failing.order.id}) not valid`)
  await assert.rejects(follow(), /^AggregateError: 1 times an order failed, first: .*broken/)
  const statusOf = async ({ order }: typeof fine) =>
    (await sql<{ status: string }[]>`select status from checkouts where id = ${order.id}`)[0]?.status
  assert.deepEqual([await statusOf(failing), await statusOf(fine)], ['open', 'expired'])
  await sql.unsafe('alter table checkouts drop constraint broken')
  await follow()
  assert.equal(await statusOf(failing), 'expired')
})

test('subscriptions of other gateways are left alone', async () => {
  const projectId = await service.addProject()
  const id = await addPaid(service, projectId)
  await endPeriod(service, id, -3)
  const before = await stored(projectId)
  await follow()
  assert.deepEqual(await stored(projectId), before)
})

test('an instance that takes cards again: plans say so, and what was ordered is still booked', async () => {
  const { order, get, client } = await createOrder(service)
  const card = await startTestService({}, service.address)
  const paidBy = async (on: TestService) =>
    (await on.client(billing.token).call('/services/platforms/v1/plans/list')).paid_by
  assert.deepEqual([await paidBy(service), await paidBy(card)], ['invoice', 'card'])
  await card.client(billing.token).call(`${orders}/book-payment`, {
    reference: order.reference,
    amount: order.amount,
  })
  assert.equal((await get()).status, 'active')
  assert.equal((await client.call(`${orders}/list`)).orders[0]?.status, 'paid')
})
