// Payments through Stripe: its library against a server that speaks its wire format, and events that its library signed.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { type Answer, post } from '#tests/post.ts'
import { startTestService, type TestUser } from '#tests/service.ts'
import { deliver, eventOf, failedInvoice, startStripe } from '#tests/stripe.ts'
import { addTrial, createTrial, subscriptionEvents } from '#tests/subscription.ts'

const base = '/services/platforms/v1/subscriptions'
const stripe = await startStripe()
const service = await startTestService({ stripe: stripe.settings, publicUrl: 'https://boards.example' })
const { sql } = service.db

interface Checkout {
  checkout_url: string
  session_id: string
  subscription_id: number
}

const wanted = { plan: 'pro', period: 'month', product: 'website' }
const upgrade = (user: TestUser, input: object = wanted, headers = {}): Promise<Answer<Checkout>> =>
  post(service, `${base}/upgrade-trial`, user.token, input, headers)

const creations = (subscriptionId: number) =>
  stripe.received.filter(
    ({ path, fields }) =>
      path === '/v1/checkout/sessions' &&
      fields['metadata[cardinal_subscription_id]'] === String(subscriptionId),
  )
const statusesOf = async (subscriptionId: number) =>
  (
    await sql<
      { status: string }[]
    >`select status from checkouts where subscription_id = ${subscriptionId} order by id`
  ).map(({ status }) => status)
const stateOf = async (id: number) =>
  (
    await sql`
      select status, plan, period, cancels_at_period_end, customer_reference, subscription_reference
      from subscriptions where id = ${id}`
  )[0] as Record<string, unknown>
const statusOf = async (id: number) => (await stateOf(id))['status']

/** A project whose trial was paid for at Stripe, and Stripe's objects; no event was delivered yet. */
async function paid() {
  const trial = await createTrial(service)
  const { session_id: sessionId } = (await upgrade(trial.owner)).body.data
  return { ...trial, sessionId, ...stripe.pay(sessionId) }
}

/** The same, with the event delivered. */
async function activated() {
  const scene = await paid()
  await deliver(service.url, eventOf('checkout.session.completed', scene.session))
  assert.equal(await statusOf(scene.subscriptionId), 'active')
  return scene
}

const outcome = { status: 200, body: { received: true } }

test('200: Stripe is asked for a subscription, with price, return addresses and who it is for', async () => {
  const { owner, subscriptionId, projectId } = await createTrial(service)
  const { status, body } = await upgrade(owner)
  const [asked] = creations(subscriptionId)
  const session = stripe.sessions.get(body.data.session_id)
  assert.deepEqual(
    { status, data: body.data },
    {
      status: 200,
      data: { checkout_url: session?.['url'], session_id: session?.['id'], subscription_id: subscriptionId },
    },
  )
  const [row] = await sql<
    { key: string }[]
  >`select key from checkouts where subscription_id = ${subscriptionId}`
  const metadata = {
    cardinal_project_id: String(projectId),
    cardinal_subscription_id: String(subscriptionId),
    cardinal_checkout_key: row?.key,
    cardinal_plan: 'pro',
    cardinal_period: 'month',
  }
  const prefixed = (prefix: string) =>
    Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`${prefix}[${key}]`, value]))
  assert.deepEqual(asked?.fields, {
    mode: 'subscription',
    client_reference_id: row?.key,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '4900',
    'line_items[0][price_data][recurring][interval]': 'month',
    'line_items[0][price_data][product_data][name]': 'Website Pro',
    ...prefixed('metadata'),
    ...prefixed('subscription_data[metadata]'),
    success_url: `https://boards.example/p/${projectId}/subscription?checkout=paid&product=website`,
    cancel_url: `https://boards.example/p/${projectId}/subscription?checkout=left&product=website`,
  })
  assert.equal(asked?.idempotencyKey, `cardinal-${row?.key}`)
})

test('50 in parallel: one session, for which Stripe is asked with one key', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  stripe.pace.milliseconds = 100
  const answers = await Promise.all(Array.from({ length: 50 }, () => upgrade(owner)))
  stripe.pace.milliseconds = 0
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(new Set(creations(subscriptionId).map(({ idempotencyKey }) => idempotencyKey)).size, 1)
  assert.deepEqual(await statusesOf(subscriptionId), ['open'])
})

test('50 in parallel on two instances: one session, since both ask with the same key', async () => {
  const other = await startTestService(
    { stripe: stripe.settings, publicUrl: 'https://boards.example' },
    service.address,
  )
  const { owner, subscriptionId } = await createTrial(service)
  stripe.pace.milliseconds = 100
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      post<Checkout>(index % 2 ? service : other, `${base}/upgrade-trial`, owner.token, wanted),
    ),
  )
  stripe.pace.milliseconds = 0
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.data.session_id)).size, 1)
  assert.equal(new Set(creations(subscriptionId).map(({ idempotencyKey }) => idempotencyKey)).size, 1)
  assert.deepEqual(await statusesOf(subscriptionId), ['open'])
})

test('no database transaction is open while Stripe is asked', async () => {
  const { owner } = await createTrial(service)
  stripe.pace.milliseconds = 300
  const asked = stripe.received.length
  const answer = upgrade(owner, wanted, { 'idempotency-key': 'waits' })
  while (stripe.received.length === asked) await new Promise((resolve) => setTimeout(resolve, 5))
  const open = await sql`
    select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  stripe.pace.milliseconds = 0
  assert.equal(open.length, 0)
  assert.equal((await answer).status, 200)
})

test('the same Idempotency-Key while Stripe is being asked waits for the same answer', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const key = { 'idempotency-key': 'asked twice' }
  stripe.pace.milliseconds = 300
  const asked = stripe.received.length
  const first = upgrade(owner, wanted, key)
  while (stripe.received.length === asked) await new Promise((resolve) => setTimeout(resolve, 5))
  const second = await upgrade(owner, wanted, key)
  stripe.pace.milliseconds = 0
  const third = await upgrade(owner, wanted, key)
  const { status, text } = await first
  assert.equal(status, 200)
  for (const again of [second, third])
    assert.deepEqual([again.headers.get('idempotency-replayed'), again.text], ['true', text])
  assert.equal(creations(subscriptionId).length, 1)
})

test('another plan: the old session is expired at Stripe before a new one is made', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const first = (await upgrade(owner)).body.data.session_id
  const second = (await upgrade(owner, { ...wanted, plan: 'business' })).body.data.session_id
  assert.equal(stripe.sessions.get(first)?.['status'], 'expired')
  assert.equal(stripe.sessions.get(second)?.['status'], 'open')
  assert.deepEqual(await statusesOf(subscriptionId), ['expired', 'open'])
})

test('another plan while the first is being opened: both get an answer, and one session can be paid', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  stripe.pace.milliseconds = 100
  const answers = await Promise.all([upgrade(owner), upgrade(owner, { ...wanted, plan: 'starter' })])
  stripe.pace.milliseconds = 0
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  const open = [...stripe.sessions.values()].filter(
    ({ metadata, status }) =>
      metadata['cardinal_subscription_id'] === String(subscriptionId) && status === 'open',
  )
  assert.equal(open.length, 1)
})

test('400 for another plan when the first has just been paid at Stripe: nobody pays twice', async () => {
  const { owner, sessionId, subscriptionId, session } = await paid()
  const refused = await upgrade(owner, { ...wanted, plan: 'business' })
  assert.deepEqual(
    [refused.status, refused.body.message],
    [400, 'This subscription has just been paid for and will be active in a moment.'],
  )
  assert.equal(creations(subscriptionId).length, 1)
  await deliver(service.url, eventOf('checkout.session.completed', session))
  assert.deepEqual(await statusesOf(subscriptionId), ['paid'])
  assert.equal((await upgrade(owner)).status, 400)
  assert.equal(stripe.sessions.get(sessionId)?.['status'], 'complete')
})

test('after a session has expired, the same plan is asked for with another key', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const { session_id: first } = (await upgrade(owner)).body.data
  const session = stripe.sessions.get(first) as object
  Object.assign(session, { status: 'expired' })
  assert.deepEqual(await deliver(service.url, eventOf('checkout.session.expired', session)), outcome)
  const second = await upgrade(owner)
  assert.notEqual(second.body.data.session_id, first)
  assert.equal(new Set(creations(subscriptionId).map(({ idempotencyKey }) => idempotencyKey)).size, 2)
  assert.deepEqual(await statusesOf(subscriptionId), ['expired', 'open'])
})

const sentence = 'The payment provider did not respond correctly. Nothing was charged. Try again in a minute.'

for (const fault of [500, 503, 402, 429, 'garbage', 'null', 'wrong'] as const)
  test(`500 with a sentence when Stripe answers with ${fault}: nothing is left, and the next attempt succeeds`, async () => {
    const { owner, subscriptionId, client } = await createTrial(service)
    stripe.faults.push(fault, fault, fault)
    const { status, body } = await upgrade(owner, wanted, { 'idempotency-key': 'again' })
    stripe.faults.length = 0
    assert.deepEqual({ status, body }, { status: 500, body: { error: true, message: sentence, data: [] } })
    const { subscription, history } = await client.call(`${base}/get`, { id: subscriptionId })
    assert.deepEqual([subscription.status, subscription.checkout_session_id, history], ['trialing', null, []])
    assert.equal((await upgrade(owner, wanted, { 'idempotency-key': 'again' })).status, 200)
    assert.deepEqual(await statusesOf(subscriptionId), ['open'])
  })

for (const fault of ['lost', 'hang up'] as const)
  test(`500 when the connection breaks (${fault}): the next attempt asks with the same key, so there is one session`, async () => {
    const { owner, subscriptionId } = await createTrial(service)
    stripe.faults.push(fault, fault, fault)
    const { status, body } = await upgrade(owner)
    stripe.faults.length = 0
    assert.deepEqual([status, body.message], [500, sentence])
    assert.equal((await upgrade(owner)).status, 200)
    const keys = creations(subscriptionId).map(({ idempotencyKey }) => idempotencyKey)
    assert.equal(new Set(keys).size, 1)
    const made = [...stripe.sessions.values()].filter(
      ({ metadata }) => metadata['cardinal_subscription_id'] === String(subscriptionId),
    )
    assert.equal(made.length, 1)
  })

test('500 when a checkout cannot be ended because Stripe does not respond: the project is not deleted', async () => {
  const { owner, projectId } = await createTrial(service)
  assert.equal((await upgrade(owner)).status, 200)
  const client = service.client(owner.token)
  const remove = () =>
    client.attempt('/services/identity/v1/projects/delete', { id: projectId, name: 'Project' })
  stripe.faults.push(503, 503, 503)
  const refused = await remove()
  stripe.faults.length = 0
  assert.ok(!refused.ok)
  assert.deepEqual([refused.status, refused.code], [500, 'payment_provider_failed'])
  assert.equal((await client.call('/services/identity/v1/users/me')).current_project?.id, projectId)
  assert.equal((await remove()).status, 200)
})

test('one failed attempt is retried unnoticed', async () => {
  const { owner } = await createTrial(service)
  stripe.faults.push(503)
  assert.equal((await upgrade(owner)).status, 200)
})

test('500 when the Stripe key is wrong, and the answer does not contain it', async () => {
  const wrong = await startTestService(
    { stripe: { ...stripe.settings, secretKey: 'sk_test_wrong' } },
    service.address,
  )
  const { owner } = await createTrial(service)
  const { status, text } = await post(wrong, `${base}/upgrade-trial`, owner.token, wanted)
  assert.equal(status, 500)
  assert.doesNotMatch(text, /sk_test|API Key/)
})

test('checkout.session.completed makes it active, with an event that names no actor', async () => {
  const { projectId, subscriptionId, session, subscription } = await paid()
  assert.deepEqual(await deliver(service.url, eventOf('checkout.session.completed', session)), outcome)
  assert.deepEqual(await stateOf(subscriptionId), {
    status: 'active',
    plan: 'pro',
    period: 'month',
    cancels_at_period_end: false,
    customer_reference: subscription['customer'],
    subscription_reference: subscription['id'],
  })
  assert.deepEqual(await statusesOf(subscriptionId), ['paid'])
  const ends = new Date(subscription['items'].data[0].current_period_end * 1000).toISOString()
  assert.deepEqual(await subscriptionEvents(service, projectId), [
    {
      kind: 'subscription.activated',
      actor_id: null,
      data: {
        subscription_id: subscriptionId,
        product: 'website',
        changes: {
          status: { from: 'trialing', to: 'active' },
          plan: { from: null, to: 'pro' },
          period: { from: null, to: 'month' },
          current_period_ends_at: { from: null, to: ends },
        },
      },
    },
  ])
})

test('an expired trial is activated as well', async () => {
  const { owner, subscriptionId } = await createTrial(service, { days: -3 })
  const { session } = stripe.pay((await upgrade(owner)).body.data.session_id)
  await deliver(service.url, eventOf('checkout.session.completed', session))
  assert.equal(await statusOf(subscriptionId), 'active')
})

test('the same message ten times, in parallel and later, is carried out once', async () => {
  const { projectId, session } = await paid()
  const event = eventOf('checkout.session.completed', session)
  const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(service.url, event)))
  for (const answer of answers) assert.deepEqual(answer, outcome)
  assert.deepEqual(await deliver(service.url, event), outcome)
  assert.equal((await subscriptionEvents(service, projectId)).length, 1)
  assert.equal((await sql`select from payment_events where id = ${event['id']}`).length, 1)
})

test('a customer who paid before is used again for another product', async () => {
  const { projectId, owner, subscription } = await activated()
  const shop = await addTrial(service, projectId, { product: 'shop' })
  await upgrade(owner, { ...wanted, product: 'shop' })
  assert.equal(creations(shop)[0]?.fields['customer'], subscription['customer'])
})

test('failed payment, recovery, end: each message moves it', async () => {
  const { projectId, subscriptionId, subscription } = await activated()
  subscription['status'] = 'past_due'
  await deliver(service.url, eventOf('invoice.payment_failed', failedInvoice(subscription)))
  assert.equal(await statusOf(subscriptionId), 'past_due')
  subscription['status'] = 'active'
  await deliver(service.url, eventOf('customer.subscription.updated', subscription))
  assert.equal(await statusOf(subscriptionId), 'active')
  subscription['status'] = 'canceled'
  await deliver(service.url, eventOf('customer.subscription.deleted', subscription))
  assert.equal(await statusOf(subscriptionId), 'canceled')
  assert.deepEqual(
    (await subscriptionEvents(service, projectId)).map(({ kind }) => kind),
    [
      'subscription.activated',
      'subscription.payment_failed',
      'subscription.activated',
      'subscription.canceled',
    ],
  )
})

test('messages in the wrong order lead to the state at Stripe', async () => {
  const { subscriptionId, session, subscription } = await paid()
  const completed = eventOf('checkout.session.completed', session)
  const asActive = eventOf('customer.subscription.updated', subscription)
  subscription['status'] = 'past_due'
  const asPastDue = eventOf('customer.subscription.updated', subscription)
  subscription['status'] = 'active'
  subscription['cancel_at_period_end'] = true
  const asCanceling = eventOf('customer.subscription.updated', subscription)
  for (const event of [asCanceling, asPastDue, completed, asActive])
    assert.deepEqual(await deliver(service.url, event), outcome)
  const { status, cancels_at_period_end: cancels } = await stateOf(subscriptionId)
  assert.deepEqual([status, cancels], ['active', true])
  subscription['status'] = 'canceled'
  await deliver(service.url, eventOf('customer.subscription.deleted', subscription))
  await deliver(service.url, { ...asActive, id: 'evt_late' })
  assert.equal(await statusOf(subscriptionId), 'canceled')
})

test('ten different messages in parallel lead to the state at Stripe', async () => {
  const { subscriptionId, subscription, session } = await paid()
  const events = Array.from({ length: 10 }, (_, index) =>
    index % 2
      ? eventOf('customer.subscription.updated', { ...subscription, status: 'past_due' })
      : eventOf('checkout.session.completed', session),
  )
  for (const { status } of await Promise.all(events.map((event) => deliver(service.url, event))))
    assert.ok(status === 200 || status === 500)
  for (const event of events) assert.deepEqual(await deliver(service.url, event), outcome)
  assert.equal(await statusOf(subscriptionId), 'active')
})

test('an answer of Stripe’s that another change has overtaken is asked for again', async () => {
  const { subscriptionId, subscription } = await activated()
  const held = Promise.withResolvers<void>()
  const asked = stripe.received.length
  stripe.faults.push(held.promise)
  const overtaken = deliver(service.url, eventOf('customer.subscription.updated', subscription))
  while (stripe.received.length === asked) await new Promise((resolve) => setTimeout(resolve, 5))
  subscription['status'] = 'past_due'
  await deliver(service.url, eventOf('customer.subscription.updated', subscription))
  assert.equal(await statusOf(subscriptionId), 'past_due')
  held.resolve()
  assert.deepEqual(await overtaken, outcome)
  assert.equal(await statusOf(subscriptionId), 'past_due')
})

test('a late .expired does not take back what was paid', async () => {
  const { subscriptionId, session } = await activated()
  await deliver(service.url, eventOf('checkout.session.expired', { ...session, status: 'expired' }))
  assert.deepEqual(
    [await statusOf(subscriptionId), ...(await statusesOf(subscriptionId))],
    ['active', 'paid'],
  )
})

test('a first payment that is still open or failed leaves the trial alone', async () => {
  for (const status of ['incomplete', 'incomplete_expired']) {
    const { subscriptionId, subscription, session } = await paid()
    subscription['status'] = status
    assert.deepEqual(await deliver(service.url, eventOf('checkout.session.completed', session)), outcome)
    assert.equal(await statusOf(subscriptionId), 'trialing', status)
  }
})

test('500 while Stripe cannot be asked, with nothing changed; the repeated message succeeds', async () => {
  const { subscriptionId, session } = await paid()
  const event = eventOf('checkout.session.completed', session)
  stripe.faults.push('garbage', 'garbage', 'garbage')
  assert.equal((await deliver(service.url, event)).status, 500)
  stripe.faults.length = 0
  assert.equal(await statusOf(subscriptionId), 'trialing')
  assert.deepEqual(await deliver(service.url, event), outcome)
  assert.equal(await statusOf(subscriptionId), 'active')
})

test('a second payment for the same subscription changes nothing', async () => {
  const { subscriptionId, subscription, session } = await activated()
  const second = { ...subscription, id: 'sub_second' }
  stripe.subscriptions.set('sub_second', second)
  const event = eventOf('checkout.session.completed', { ...session, subscription: 'sub_second' })
  assert.deepEqual(await deliver(service.url, event), outcome)
  assert.equal((await stateOf(subscriptionId))['subscription_reference'], subscription['id'])
})

test('400 for what Stripe did not sign, and nothing changes', async () => {
  const { subscriptionId, session } = await paid()
  const event = eventOf('checkout.session.completed', session)
  const forged = [
    await deliver(service.url, event, { secret: 'whsec_guessed' }),
    await deliver(service.url, event, { timestamp: Math.floor(Date.now() / 1000) - 3600 }),
    await deliver(service.url, event, { sent: JSON.stringify({ ...event, id: 'evt_other' }) }),
    await deliver(service.url, event, { sent: '' }),
  ]
  for (const { status, body } of forged)
    assert.deepEqual(
      { status, body },
      { status: 400, body: { error: true, message: 'This is not signed by Stripe.' } },
    )
  const hook = `${service.url}/api/webhooks/stripe`
  for (const headers of [{}, { 'stripe-signature': '' }, { 'stripe-signature': 't=1,v1=00' }]) {
    const refused = await fetch(hook, { method: 'POST', headers, body: JSON.stringify(event) })
    assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [400, 'not_signed_by_stripe'])
  }
  assert.equal((await fetch(hook, { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024) })).status, 400)
  assert.equal(await statusOf(subscriptionId), 'trialing')
})

test('429 after too many messages that Stripe did not sign; those of Stripe are still taken', async () => {
  const limited = await startTestService(
    { stripe: stripe.settings, publicUrl: 'https://boards.example', anonymousRateLimit: 2 },
    service.address,
  )
  const { subscriptionId, session } = await paid()
  const event = eventOf('checkout.session.completed', session)
  const forge = async () => (await deliver(limited.url, event, { secret: 'whsec_guessed' })).status
  assert.deepEqual([await forge(), await forge(), await forge()], [400, 400, 429])
  assert.deepEqual(await deliver(limited.url, event), outcome)
  assert.equal(await statusOf(subscriptionId), 'active')
})

test('429 for large messages that Stripe did not sign, which count by size and are not checked beyond the limit', async () => {
  const limited = await startTestService(
    { stripe: stripe.settings, publicUrl: 'https://boards.example', anonymousRateLimit: 20 },
    service.address,
  )
  const { session } = await paid()
  const event = { ...eventOf('checkout.session.completed', session), padding: 'x'.repeat(1_000_000) }
  const forge = async () => (await deliver(limited.url, event, { secret: 'whsec_guessed' })).status
  assert.deepEqual([await forge(), await forge()], [400, 429])
  assert.equal((await deliver(limited.url, event)).status, 429)
  const { hostname, port } = new URL(limited.url)
  const socket = connect({ host: hostname, port: Number(port) })
  // Its body is not waited for.
  socket.write('POST /api/webhooks/stripe HTTP/1.1\r\nhost: x\r\ncontent-length: 700000\r\n\r\n')
  assert.match(await text(socket), /^HTTP\/1.1 429 .*connection: close\r\n/is)
  assert.deepEqual(await deliver(limited.url, eventOf('checkout.session.completed', session)), outcome)
})

test('200 and no change for events about other objects, other systems and unknown ids', async () => {
  const { subscriptionId, session, subscription } = await paid()
  const { metadata } = session
  const asked = stripe.received.length
  const strange = [
    eventOf('customer.created', { id: 'cus_1', object: 'customer' }),
    eventOf('checkout.session.completed', { ...session, metadata: null }),
    eventOf('checkout.session.completed', { ...session, metadata: {} }),
    eventOf('checkout.session.completed', {
      ...session,
      metadata: { ...metadata, cardinal_project_id: '0' },
    }),
    eventOf('checkout.session.completed', {
      ...session,
      metadata: { ...metadata, cardinal_project_id: 'x' },
    }),
    eventOf('checkout.session.completed', {
      ...session,
      metadata: { ...metadata, cardinal_checkout_key: 'x' },
    }),
    eventOf('checkout.session.completed', {
      ...session,
      metadata: { ...metadata, cardinal_checkout_key: '00000000-0000-0000-0000-000000000000' },
    }),
    eventOf('invoice.payment_failed', { id: 'in_1', object: 'invoice', parent: null }),
  ]
  for (const event of strange) assert.deepEqual(await deliver(service.url, event), outcome)
  assert.equal(stripe.received.length, asked)
  for (const object of [
    { ...session, subscription: 'sub_none' },
    { ...session, subscription: null },
  ])
    assert.deepEqual(await deliver(service.url, eventOf('checkout.session.completed', object)), outcome)
  assert.equal(await statusOf(subscriptionId), 'trialing')
  stripe.subscriptions.delete(subscription['id'])
})

test('what Stripe did not sign is not read as text, which takes fifteen times as long as checking the signature', async (t) => {
  const read = t.mock.method(TextDecoder.prototype, 'decode')
  const event = eventOf('customer.updated', { id: 'cus_none', object: 'customer' })
  const wrong = await deliver(service.url, event, { secret: 'whsec_of_somebody_else' })
  assert.equal(wrong.status, 400)
  const bodies = () =>
    read.mock.calls.filter(({ arguments: [bytes] }) => Buffer.isBuffer(bytes) && bytes.includes('cus_none'))
  assert.equal(bodies().length, 0)
  assert.equal((await deliver(service.url, event)).status, 200)
  assert.ok(bodies().length > 0)
})

test('404 for the webhook where Stripe is not set up', async () => {
  const without = await startTestService()
  const response = await fetch(`${without.url}/api/webhooks/stripe`, { method: 'POST', body: '{}' })
  assert.equal(response.status, 404)
})

test('with Stripe there is no sandbox page, not even for a session that was opened there before', async () => {
  const sandbox = await startTestService({}, service.address)
  const { owner, subscriptionId } = await createTrial(service)
  const opened = await post<Checkout>(sandbox, `${base}/upgrade-trial`, owner.token, wanted)
  const page = new URL(opened.body.data.checkout_url).pathname
  const card = new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/49', code: '123' })
  assert.equal((await fetch(service.url + page, { method: 'POST', body: card })).status, 404)
  const replaced = await upgrade(owner)
  assert.match(replaced.body.data.session_id, /^cs_test_/)
  assert.deepEqual(await statusesOf(subscriptionId), ['expired', 'open'])
})

test('cancel and resume reach Stripe; an event about it that came first does no harm', async () => {
  const { client, subscriptionId, subscription, projectId, owner } = await activated()
  const canceled = await client.call(`${base}/cancel`, { id: subscriptionId })
  assert.deepEqual(
    [
      subscription['cancel_at_period_end'],
      canceled.subscription.cancels_at_period_end,
      canceled.subscription.status,
    ],
    [true, true, 'active'],
  )
  await deliver(service.url, eventOf('customer.subscription.updated', subscription))
  const resumed = await client.call(`${base}/resume`, { id: subscriptionId })
  assert.deepEqual(
    [subscription['cancel_at_period_end'], resumed.subscription.cancels_at_period_end],
    [false, false],
  )
  const events = (await subscriptionEvents(service, projectId)).slice(1)
  assert.deepEqual(
    events.map(({ kind, actor_id: actor, data }) => [kind, actor, data.changes]),
    [true, false].map((to) => [
      'subscription.updated',
      owner.id,
      { cancels_at_period_end: { from: !to, to } },
    ]),
  )
})

test('500 with a sentence when Stripe cannot be reached, and nothing changes here', async () => {
  const { client, subscriptionId } = await activated()
  for (const [verb, cancels] of [
    ['cancel', false],
    ['resume', true],
  ] as const) {
    stripe.faults.push(500, 500, 500)
    const refused = await client.attempt(`${base}/${verb}`, { id: subscriptionId })
    stripe.faults.length = 0
    assert.deepEqual([refused.status, refused.message], [500, sentence])
    assert.equal((await stateOf(subscriptionId))['cancels_at_period_end'], cancels)
    await client.call(`${base}/${verb}`, { id: subscriptionId })
  }
})

test('500 with a sentence where the provider it was paid through is not set up', async () => {
  const { client, owner, subscriptionId } = await activated()
  const without = await startTestService({}, service.address)
  const missing = [500, 'The payment provider of this subscription is not set up on this server.']
  for (const verb of ['cancel', 'resume'] as const) {
    const { status, body } = await post(without, `${base}/${verb}`, owner.token, { id: subscriptionId })
    assert.deepEqual([status, body.message], missing)
    await client.call(`${base}/${verb}`, { id: subscriptionId })
  }
})

test('sixteen calls to cancel and resume at the same time leave Stripe and us agreeing', async () => {
  const { client, subscriptionId, subscription } = await activated()
  await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      client.attempt(`${base}/${index % 2 ? 'cancel' : 'resume'}`, { id: subscriptionId }),
    ),
  )
  await deliver(service.url, eventOf('customer.subscription.updated', subscription))
  assert.equal((await stateOf(subscriptionId))['cancels_at_period_end'], subscription['cancel_at_period_end'])
})

test('400 cancel and resume of one that has ended at Stripe without our hearing of it: now it has ended here too', async () => {
  for (const verb of ['cancel', 'resume'] as const) {
    const { client, subscriptionId, subscription } = await activated()
    subscription['status'] = 'canceled'
    const refused = await client.attempt(`${base}/${verb}`, { id: subscriptionId })
    assert.deepEqual([refused.status, refused.message], [400, 'This subscription has ended.'])
    assert.equal(await statusOf(subscriptionId), 'canceled')
  }
})

test('cancel is sent to Stripe again where its state differs from ours', async () => {
  const { client, subscriptionId, subscription } = await activated()
  await client.call(`${base}/cancel`, { id: subscriptionId })
  subscription['cancel_at_period_end'] = false
  await client.call(`${base}/cancel`, { id: subscriptionId })
  assert.equal(subscription['cancel_at_period_end'], true)
})
