import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, post } from '#tests/post.ts'
import { startTestService, type TestUser } from '#tests/service.ts'
import { addPaid, addTrial, createTrial } from '#tests/subscription.ts'

const path = '/services/platforms/v1/subscriptions/upgrade-trial'
const service = await startTestService()
const { sql } = service.db

interface Checkout {
  checkout_url: string
  session_id: string
  subscription_id: number
}

const wanted = { plan: 'pro', period: 'month', product: 'website' }
const upgrade = (user: TestUser, input: object = wanted, headers = {}): Promise<Answer<Checkout>> =>
  post(service, path, user.token, input, headers)

const checkouts = async (subscriptionId: number) => [
  ...(await sql<{ plan: string; status: string; session_id: string; amount: number }[]>`
    select plan, status, session_id, amount from checkouts where subscription_id = ${subscriptionId} order by id`),
]

test('200 with exactly the contract’s keys, in both versions; the address is a page of ours', async () => {
  const { owner, subscriptionId, client } = await createTrial(service)
  const { status, body } = await upgrade(owner)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['error', 'message', 'data'])
  assert.deepEqual(Object.keys(body.data), ['checkout_url', 'session_id', 'subscription_id'])
  assert.equal(body.data.subscription_id, subscriptionId)
  assert.match(body.data.session_id, /^sandbox_[0-9a-f]{32}$/)
  assert.match(body.data.checkout_url, new RegExp(`^${service.url}/checkout/[\\w-]{43}$`))
  assert.equal((await fetch(body.data.checkout_url)).status, 200)
  const again = await post<Checkout>(service, path.replace('/v1/', '/v2/'), owner.token, wanted)
  assert.deepEqual(again.body, body)
  const { subscription } = await client.call('/services/platforms/v1/subscriptions/get', {
    id: subscriptionId,
  })
  assert.deepEqual(
    [subscription.status, subscription.checkout_session_id],
    ['trialing', body.data.session_id],
  )
})

test('200 for an expired trial, whether or not the job has recorded that', async () => {
  for (const stored of ['trialing', 'expired']) {
    const { owner, subscriptionId } = await createTrial(service, { days: -1 })
    await sql`update subscriptions set status = ${stored} where id = ${subscriptionId}`
    assert.equal((await upgrade(owner)).status, 200, stored)
  }
})

test('asking again while the session is open gives the same session', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const first = await upgrade(owner)
  for (let i = 0; i < 3; i++) assert.deepEqual((await upgrade(owner)).body, first.body)
  assert.equal((await checkouts(subscriptionId)).length, 1)
})

test('another plan, another period: the old session is expired and a new one made', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const first = await upgrade(owner)
  const second = await upgrade(owner, { ...wanted, plan: 'business' })
  const third = await upgrade(owner, { ...wanted, plan: 'business', period: 'year' })
  assert.deepEqual([first.status, second.status, third.status], [200, 200, 200])
  assert.deepEqual(await checkouts(subscriptionId), [
    { plan: 'pro', status: 'expired', session_id: first.body.data.session_id, amount: 4900 },
    { plan: 'business', status: 'expired', session_id: second.body.data.session_id, amount: 12900 },
    { plan: 'business', status: 'open', session_id: third.body.data.session_id, amount: 129000 },
  ])
})

test('after a session has expired the same plan gets a new one', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const first = await upgrade(owner)
  await sql`update checkouts set expires_at = now() where subscription_id = ${subscriptionId}`
  const second = await upgrade(owner)
  assert.notEqual(second.body.data.session_id, first.body.data.session_id)
  assert.deepEqual(
    (await checkouts(subscriptionId)).map(({ status }) => status),
    ['expired', 'open'],
  )
})

test('50 in parallel get one session', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const answers = await Promise.all(Array.from({ length: 50 }, () => upgrade(owner)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await checkouts(subscriptionId)).length, 1)
})

test('50 in parallel on two instances get one session', async () => {
  const other = await startTestService({}, service.address)
  const { owner, subscriptionId } = await createTrial(service)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      post<Checkout>(index % 2 ? service : other, path, owner.token, wanted),
    ),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.data.checkout_url)).size, 1)
  assert.equal((await checkouts(subscriptionId)).length, 1)
})

test('three plans asked for at the same time leave one open session', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const plans = ['starter', 'pro', 'business']
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => upgrade(owner, { ...wanted, plan: plans[index % 3] })),
  )
  for (const { status, headers, text } of answers)
    assert.ok(status === 200 || headers.get('x-error-code') === 'plans_changing', text)
  const open = (await checkouts(subscriptionId)).filter(({ status }) => status === 'open')
  assert.equal(open.length, 1)
})

test('400 while somebody else chooses another plan again and again, and their session stays', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  assert.equal((await upgrade(owner)).status, 200)
  // The other person is four times a moment faster, and then done.
  await sql`
    create function choose_again() returns trigger language plpgsql as $$ begin
      insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, created_by)
      select old.project_id, old.subscription_id, old.gateway, old.plan, old.period, old.amount, old.currency, old.created_by
      where (select count(*) from checkouts where subscription_id = old.subscription_id) < 5;
      return null;
    end $$`
  await sql`
    create trigger choose_again after update on checkouts for each row when (new.status = 'expired') execute function choose_again()`
  const refused = await upgrade(owner, { ...wanted, plan: 'starter' })
  await sql`drop trigger choose_again on checkouts`
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [400, 'plans_changing'])
  const kept = (await checkouts(subscriptionId)).filter(({ status }) => status !== 'expired')
  assert.deepEqual(
    kept.map(({ plan }) => plan),
    ['pro'],
  )
  assert.equal((await upgrade(owner, { ...wanted, plan: 'starter' })).status, 200)
})

test('400 for what is paid for already, or has ended', async () => {
  for (const status of ['active', 'past_due', 'canceled']) {
    const projectId = await service.addProject()
    const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
    await addPaid(service, projectId, { status })
    const answer = await upgrade(owner)
    assert.equal(answer.status, 400, status)
    assert.deepEqual(Object.keys(answer.body), ['error', 'message', 'data'])
    assert.match(answer.body.message, /^Only a trial can be upgraded; this subscription is /)
  }
  assert.equal((await sql`select from checkouts where plan = 'pro' and status = 'opening'`).length, 0)
})

test('401 has the message alone', async () => {
  const response = await service.fetch(path, { method: 'POST', body: '{}' })
  assert.equal(response.status, 401)
  assert.deepEqual(await response.json(), { message: 'Unauthenticated.' })
})

test('403 with data for everyone but the owner and superadmins with billing', async () => {
  const { projectId, subscriptionId } = await createTrial(service)
  const refused = { error: true, message: 'This action is unauthorized.', data: [] }
  for (const role of ['viewer', 'member', 'admin'] as const) {
    const { status, body } = await upgrade(await service.addUser({ roles: { [projectId]: role } }))
    assert.deepEqual({ status, body }, { status: 403, body: refused }, role)
  }
  const headers = { 'x-project-id': String(projectId) }
  const plain = await service.addUser({ superadmin: true, superadminBilling: false })
  const { status, body } = await upgrade(plain, wanted, headers)
  assert.deepEqual({ status, body }, { status: 403, body: refused })
  assert.deepEqual(await checkouts(subscriptionId), [])
  const billing = await service.addUser({ superadmin: true })
  assert.equal((await upgrade(billing, wanted, headers)).body.data.subscription_id, subscriptionId)
})

test('403 for an owner of another project, and for one who is less than owner in the project named', async () => {
  const mine = await createTrial(service)
  const theirs = await createTrial(service)
  const headers = { 'x-project-id': String(theirs.projectId) }
  assert.equal((await upgrade(mine.owner, wanted, headers)).status, 403)
  assert.equal((await upgrade(mine.owner, { ...wanted, plan: 'gold' }, headers)).status, 422)
  await sql`insert into memberships (project_id, user_id, role) values (${theirs.projectId}, ${mine.owner.id}, 'admin')`
  assert.equal((await upgrade(mine.owner, wanted, headers)).status, 403)
  assert.deepEqual(await checkouts(theirs.subscriptionId), [])
  assert.equal((await upgrade(mine.owner)).body.data.subscription_id, mine.subscriptionId)
})

test('404 without a subscription to the product', async () => {
  const { owner } = await createTrial(service)
  const { status, body } = await upgrade(owner, { ...wanted, product: 'shop' })
  assert.deepEqual(
    { status, body },
    {
      status: 404,
      body: { error: true, message: 'The project has no subscription to this product.', data: [] },
    },
  )
})

test('422 for a plan, product or period that there is not', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  const cases: [object, Record<string, string[]>][] = [
    [{ ...wanted, plan: 'gold' }, { plan: ['The selected plan is invalid.'] }],
    [{ ...wanted, plan: 'PRO' }, { plan: ['The selected plan is invalid.'] }],
    [{ ...wanted, plan: 'constructor' }, { plan: ['The selected plan is invalid.'] }],
    [{ ...wanted, product: 'car' }, { product: ['The selected product is invalid.'] }],
    [
      { ...wanted, plan: 'gold', product: 'car' },
      { plan: ['The selected plan is invalid.'], product: ['The selected product is invalid.'] },
    ],
    [{ ...wanted, period: 'week' }, { period: ['The selected period is invalid.'] }],
    [
      { ...wanted, plan: 'x'.repeat(51) },
      { plan: ['The plan field must not be greater than 50 characters.'] },
    ],
  ]
  for (const [input, errors] of cases) {
    const { status, body } = await upgrade(owner, input)
    assert.deepEqual({ status, errors: body.errors }, { status: 422, errors })
  }
  assert.deepEqual(await checkouts(subscriptionId), [])
})

test('price, status and ids in the request change nothing', async () => {
  const { owner, subscriptionId } = await createTrial(service)
  await upgrade(owner, {
    ...wanted,
    amount: 1,
    price: 0,
    currency: 'jpy',
    status: 'active',
    subscription_id: 1,
  })
  assert.equal((await checkouts(subscriptionId))[0]?.amount, 4900)
})

test('each product has its own session', async () => {
  const { owner, projectId } = await createTrial(service)
  const shop = await addTrial(service, projectId, { product: 'shop' })
  const one = await upgrade(owner)
  const two = await upgrade(owner, { ...wanted, product: 'shop' })
  assert.equal(two.body.data.subscription_id, shop)
  assert.deepEqual((await upgrade(owner)).body, one.body)
})

test('400 where payments are not set up', async () => {
  const without = await startTestService({ allowsSandbox: false }, service.address)
  const { owner, subscriptionId } = await createTrial(service)
  const { status, body } = await post(without, path, owner.token, wanted)
  assert.deepEqual([status, body.message], [400, 'Payments are not set up on this server.'])
  assert.deepEqual(await checkouts(subscriptionId), [])
  const textAt = async (address: string) => (await fetch(address)).text()
  const checkout = `/checkout/${'x'.repeat(43)}`
  assert.equal(await textAt(without.url + checkout), await textAt(`${without.url}/nowhere`))
  assert.notEqual(await textAt(service.url + checkout), await textAt(`${service.url}/nowhere`))
})

test('Idempotency-Key: the same answer again, though the session has been replaced since; other use of it is 422', async () => {
  const { owner } = await createTrial(service)
  const key = { 'idempotency-key': 'upgrade' }
  const first = await upgrade(owner, wanted, key)
  await upgrade(owner, { ...wanted, plan: 'starter' })
  const again = await upgrade(owner, wanted, key)
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [200, 'true'])
  assert.equal(again.text, first.text)
  const other = await upgrade(owner, { ...wanted, plan: 'starter' }, key)
  assert.deepEqual([other.status, Object.keys(other.body.errors ?? {})], [422, ['idempotency_key']])
})

test('Idempotency-Key: a refused request keeps nothing', async () => {
  const { owner, projectId } = await createTrial(service)
  const key = { 'idempotency-key': 'refused' }
  const shop = { ...wanted, product: 'shop' }
  assert.equal((await upgrade(owner, shop, key)).status, 404)
  await addTrial(service, projectId, { product: 'shop' })
  const { status, headers } = await upgrade(owner, shop, key)
  assert.deepEqual([status, headers.has('idempotency-replayed')], [200, false])
})

test('Idempotency-Key: of 16 in parallel one is carried out; the others get its answer, or 400 while it runs', async () => {
  const { owner } = await createTrial(service)
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => upgrade(owner, wanted, { 'idempotency-key': 'parallel' })),
  )
  const done = answers.filter(({ status, headers }) => status === 200 && !headers.has('idempotency-replayed'))
  assert.equal(done.length, 1)
  for (const { status, text } of answers)
    assert.ok(text === done[0]?.text || (status === 400 && /still running/.test(text)), text)
})
