// What is beside upgrade-trial: reading, cancelling and resuming, and trials given by superadmins.
import assert from 'node:assert/strict'
import test from 'node:test'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { addPaid, addTrial, createTrial, subscriptionEvents } from '#tests/subscription.ts'

const base = '/services/platforms/v1/subscriptions'
const service = await startTestService()
const { sql } = service.db
const day = 86_400_000

const superadmin = async (projectId: number) => {
  const user = await service.addUser({ superadmin: true })
  return { user, client: service.client(user.token, { 'x-project-id': String(projectId) }) }
}

async function paidProject(status = 'active') {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const id = await addPaid(service, projectId, { status })
  return { projectId, owner, id, client: service.client(owner.token) }
}

test('200 get and list for every member: the exact record', async () => {
  const { projectId, subscriptionId } = await createTrial(service)
  for (const role of ['viewer', 'member', 'admin', 'owner'] as const) {
    const { token } = await service.addUser({ roles: { [projectId]: role } })
    const { body } = await post<{
      subscription: Record<string, unknown>
      history: unknown[]
      next_cursor: null
    }>(service, `${base}/get`, token, { id: subscriptionId })
    const { subscription } = body.data
    assert.deepEqual(body.data, {
      subscription: {
        id: subscriptionId,
        project_id: projectId,
        product: 'website',
        plan: null,
        period: null,
        status: 'trialing',
        trial_ends_at: subscription['trial_ends_at'],
        current_period_ends_at: null,
        cancels_at_period_end: false,
        checkout_session_id: null,
        order_expires_at: null,
        created_at: subscription['created_at'],
        updated_at: subscription['updated_at'],
      },
      history: [],
      next_cursor: null,
    })
    assert.deepEqual(await service.client(token).call(`${base}/list`), {
      subscriptions: [subscription],
      next_cursor: null,
    })
  }
})

test('a trial is expired for every reader from its end on, without any job', async () => {
  const { client, subscriptionId } = await createTrial(service)
  const status = async () => [
    (await client.call(`${base}/get`, { id: subscriptionId })).subscription.status,
    (await client.call(`${base}/list`)).subscriptions[0]?.status,
  ]
  assert.deepEqual(await status(), ['trialing', 'trialing'])
  await sql`update subscriptions set trial_ends_at = now() where id = ${subscriptionId}`
  assert.deepEqual(await status(), ['expired', 'expired'])
})

test('list comes in pages, the newest first, including ended subscriptions; 422 for a wrong cursor', async () => {
  const { projectId, client } = await createTrial(service)
  for (let i = 0; i < 4; i++) await addPaid(service, projectId, { product: 'shop', status: 'canceled' })
  const seen: number[] = []
  let cursor: string | null = null
  do {
    const page: { subscriptions: { id: number }[]; next_cursor: string | null } = await client.call(
      `${base}/list`,
      {
        limit: 2,
        cursor,
      },
    )
    seen.push(...page.subscriptions.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  assert.equal(seen.length, 5)
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => b - a),
  )
  assert.equal((await client.attempt(`${base}/list`, { cursor: 'x' })).status, 422)
})

test('get shows what happened, with who did it, in pages; 404 for no subscription', async () => {
  const { projectId, client, subscriptionId } = await createTrial(service)
  const { client: admin } = await superadmin(projectId)
  for (const days of [1, 2, 3]) await admin.call(`${base}/extend-trial`, { id: subscriptionId, days })
  await addTrial(service, projectId, { product: 'shop' })
  const first = await client.call(`${base}/get`, { id: subscriptionId, limit: 2 })
  assert.deepEqual(
    first.history.map(({ kind, actor_id, actor_name }) => [kind, actor_id, actor_name]),
    [
      ['subscription.trial_extended', null, 'Cardinal support'],
      ['subscription.trial_extended', null, 'Cardinal support'],
    ],
  )
  const rest = await client.call(`${base}/get`, { id: subscriptionId, limit: 2, cursor: first.next_cursor })
  assert.deepEqual([rest.history.length, rest.next_cursor], [1, null])
  assert.equal((await client.attempt(`${base}/get`, { id: 999_999 })).status, 404)
  assert.equal((await client.attempt(`${base}/get`, { id: subscriptionId, cursor: '-1' })).status, 422)
})

test('200 cancel: it stays active until its period ends; once more changes nothing; resume takes it back', async () => {
  const { client, id, projectId, owner } = await paidProject()
  const canceled = await client.call(`${base}/cancel`, { id })
  assert.deepEqual(
    [canceled.subscription.status, canceled.subscription.cancels_at_period_end],
    ['active', true],
  )
  assert.deepEqual(await client.call(`${base}/cancel`, { id }), canceled)
  const resumed = await client.call(`${base}/resume`, { id })
  assert.deepEqual(
    [resumed.subscription.status, resumed.subscription.cancels_at_period_end],
    ['active', false],
  )
  await client.call(`${base}/resume`, { id })
  assert.deepEqual(
    (await subscriptionEvents(service, projectId)).map(({ kind, actor_id: actor, data }) => [
      kind,
      actor,
      data.changes,
    ]),
    [true, false].map((to) => [
      'subscription.updated',
      owner.id,
      { cancels_at_period_end: { from: !to, to } },
    ]),
  )
})

test('200 or 400 cancel and resume, sixty at the same moment: who is overtaken too often is told to try again', async () => {
  const { client, id } = await paidProject()
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      client.attempt(`${base}/${index % 2 ? 'cancel' : 'resume'}`, { id }),
    ),
  )
  const overtaken = answers.filter(({ status }) => status !== 200)
  const sentence = 'Someone else is changing this subscription. Try again.'
  assert.deepEqual(
    overtaken.map(({ status, message }) => [status, message]),
    overtaken.map(() => [400, sentence]),
  )
  assert.equal((await client.call(`${base}/cancel`, { id })).subscription.cancels_at_period_end, true)
})

test('200 cancel of one whose payment is overdue', async () => {
  const { client, id } = await paidProject('past_due')
  assert.equal((await client.call(`${base}/cancel`, { id })).subscription.cancels_at_period_end, true)
})

test('400 cancel and resume of a trial, running or expired, and of what has ended', async () => {
  const { client: owner, subscriptionId } = await createTrial(service)
  const { client: late, subscriptionId: expiredId } = await createTrial(service, { days: -1 })
  const { client: ended, id: endedId } = await paidProject('canceled')
  for (const verb of ['cancel', 'resume'] as const) {
    for (const [client, id] of [
      [owner, subscriptionId],
      [late, expiredId],
    ] as const) {
      const refused = await client.attempt(`${base}/${verb}`, { id })
      assert.deepEqual(
        [refused.status, refused.message],
        [400, 'This subscription is not paid for; a trial ends by itself.'],
      )
    }
    const refused = await ended.attempt(`${base}/${verb}`, { id: endedId })
    assert.deepEqual([refused.status, refused.message], [400, 'This subscription has ended.'])
  }
})

test('403 and 404 cancel and resume: owners alone, and superadmins with billing', async () => {
  const { projectId, id } = await paidProject()
  for (const verb of ['cancel', 'resume'] as const) {
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const { token } = await service.addUser({ roles: { [projectId]: role } })
      assert.equal((await service.client(token).attempt(`${base}/${verb}`, { id })).status, 403)
    }
    const plain = await service.addUser({ superadmin: true, superadminBilling: false })
    assert.equal((await service.client(plain.token).attempt(`${base}/${verb}`, { id })).status, 403)
    const { client } = await superadmin(projectId)
    assert.equal((await client.attempt(`${base}/${verb}`, { id: 999_999 })).status, 404)
    assert.equal((await client.attempt(`${base}/${verb}`, { id })).status, 200)
  }
})

test('201 start-trial: as long as the catalogue says, or as many days as asked for', async () => {
  const projectId = await service.addProject()
  const { client, user } = await superadmin(projectId)
  const { subscription } = await client.call(`${base}/start-trial`, { product: 'website' })
  const lasts = Date.parse(subscription.trial_ends_at as string) - Date.parse(subscription.created_at)
  assert.deepEqual(
    [subscription.project_id, subscription.product, subscription.status, subscription.plan],
    [projectId, 'website', 'trialing', null],
  )
  assert.ok(Math.abs(lasts - 14 * day) < 1000)
  const shop = await client.call(`${base}/start-trial`, { product: 'shop', days: 30 })
  assert.ok(Math.abs(Date.parse(shop.subscription.trial_ends_at as string) - Date.now() - 30 * day) < 60_000)
  const [event] = await subscriptionEvents(service, projectId)
  assert.deepEqual(event, {
    kind: 'subscription.trial_started',
    actor_id: user.id,
    data: {
      subscription_id: subscription.id,
      product: 'website',
      changes: {
        status: { from: null, to: 'trialing' },
        trial_ends_at: { from: null, to: subscription.trial_ends_at },
      },
    },
  })
})

test('400 start-trial where there is a subscription that has not ended; 16 in parallel start one', async () => {
  for (const add of [addTrial, addPaid]) {
    const projectId = await service.addProject()
    await add(service, projectId)
    const { client } = await superadmin(projectId)
    const refused = await client.attempt(`${base}/start-trial`, { product: 'website' })
    assert.deepEqual(
      [refused.status, refused.message],
      [400, 'The project already has a subscription to this product.'],
    )
  }
  const projectId = await service.addProject()
  const { client } = await superadmin(projectId)
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => client.attempt(`${base}/start-trial`, { product: 'website' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(15).fill(400)])
  assert.equal((await subscriptionEvents(service, projectId)).length, 1)
})

test('201 start-trial after one has ended: a new subscription, which can be upgraded, beside the old one', async () => {
  const { projectId, owner, id } = await paidProject('canceled')
  const { client } = await superadmin(projectId)
  const { subscription } = await client.call(`${base}/start-trial`, { product: 'website' })
  assert.notEqual(subscription.id, id)
  const opened = await service
    .client(owner.token)
    .call(`${base}/upgrade-trial`, { plan: 'pro', period: 'year', product: 'website' })
  assert.equal(opened.subscription_id, subscription.id)
})

test('422 start-trial for a product that there is not, and for days out of range', async () => {
  const { client } = await superadmin(await service.addProject())
  assert.equal((await client.attempt(`${base}/start-trial`, { product: 'car' })).status, 422)
  for (const days of [0, 366])
    assert.equal((await client.attempt(`${base}/start-trial`, { product: 'shop', days })).status, 422)
})

test('403 start-trial and extend-trial for owners and for superadmins without billing', async () => {
  const { projectId, owner, subscriptionId } = await createTrial(service)
  const plain = await service.addUser({ superadmin: true, superadminBilling: false })
  for (const { token } of [owner, plain]) {
    const client = service.client(token, { 'x-project-id': String(projectId) })
    assert.equal((await client.attempt(`${base}/start-trial`, { product: 'shop' })).status, 403)
    assert.equal((await client.attempt(`${base}/extend-trial`, { id: subscriptionId, days: 1 })).status, 403)
  }
  const nowhere = await service.addUser({ superadmin: true })
  assert.equal(
    (await service.client(nowhere.token).attempt(`${base}/start-trial`, { product: 'shop' })).status,
    403,
  )
})

test('200 extend-trial: from its end, or from now for an expired one, which runs again', async () => {
  const { projectId, subscriptionId, client: owner } = await createTrial(service)
  const before = (await owner.call(`${base}/get`, { id: subscriptionId })).subscription
  const { client } = await superadmin(projectId)
  const { subscription } = await client.call(`${base}/extend-trial`, { id: subscriptionId, days: 10 })
  assert.equal(
    Date.parse(subscription.trial_ends_at as string) - Date.parse(before.trial_ends_at as string),
    10 * day,
  )

  for (const stored of ['trialing', 'expired']) {
    const expired = await createTrial(service, { days: -5 })
    await sql`update subscriptions set status = ${stored} where id = ${expired.subscriptionId}`
    const { client: admin } = await superadmin(expired.projectId)
    const revived = await admin.call(`${base}/extend-trial`, { id: expired.subscriptionId, days: 2 })
    assert.equal(revived.subscription.status, 'trialing')
    assert.ok(
      Math.abs(Date.parse(revived.subscription.trial_ends_at as string) - Date.now() - 2 * day) < 60_000,
    )
    const [event] = await subscriptionEvents(service, expired.projectId)
    assert.deepEqual(event?.data.changes['status'], { from: 'expired', to: 'trialing' })
  }
})

test('400 and 404 extend-trial: of what is paid for or over, and of nothing', async () => {
  for (const status of ['active', 'past_due', 'canceled']) {
    const { projectId, id } = await paidProject(status)
    const { client } = await superadmin(projectId)
    const refused = await client.attempt(`${base}/extend-trial`, { id, days: 1 })
    assert.deepEqual([refused.status, refused.message], [400, 'Only a trial can be extended.'])
  }
  const { client } = await superadmin(await service.addProject())
  assert.equal((await client.attempt(`${base}/extend-trial`, { id: 999_999, days: 1 })).status, 404)
})

test('400 extend-trial beyond ten years from now', async () => {
  const { projectId, subscriptionId } = await createTrial(service, { days: 3649.5 })
  const { client } = await superadmin(projectId)
  const extend = () => client.attempt(`${base}/extend-trial`, { id: subscriptionId, days: 1 })
  const refused = await extend()
  assert.deepEqual([refused.status, refused.message], [400, 'A trial can end in ten years at most.'])
  await sql`update subscriptions set trial_ends_at = now() + interval '3649 days' where id = ${subscriptionId}`
  assert.equal((await extend()).status, 200)
})

test('Idempotency-Key on start-trial: a repeated request is answered again instead of refused', async () => {
  const projectId = await service.addProject()
  const { user } = await superadmin(projectId)
  const headers = { 'x-project-id': String(projectId), 'idempotency-key': 'start' }
  const start = () => post(service, `${base}/start-trial`, user.token, { product: 'website' }, headers)
  const first = await start()
  const again = await start()
  assert.deepEqual(
    [first.status, again.status, again.headers.get('idempotency-replayed')],
    [201, 201, 'true'],
  )
  assert.equal(again.text, first.text)
})

test('Idempotency-Key on cancel: the same answer again, which does not undo what came after it', async () => {
  const { client, owner, id } = await paidProject()
  const cancel = () => post(service, `${base}/cancel`, owner.token, { id }, { 'idempotency-key': 'cancel' })
  const first = await cancel()
  await client.call(`${base}/resume`, { id })
  const again = await cancel()
  assert.deepEqual([first.status, again.headers.get('idempotency-replayed')], [200, 'true'])
  assert.equal(again.text, first.text)
  assert.equal((await client.call(`${base}/get`, { id })).subscription.cancels_at_period_end, false)
})
