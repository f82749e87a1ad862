// The subscriptions of all projects: list, sums and bulk extension, from the kept figures.
import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { summarizeSubscriptions } from '#fleet/subscriptions.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { addPaid, addPayment, addTrial, createTrial, subscriptionEvents } from '#tests/subscription.ts'

const base = '/services/platforms/v1/subscriptions'
const service = await startTestService({ figures: false })
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const billing = service.client(superadmin.token)
const count = (...ids: number[]) => service.db.transaction((queries) => countProjects(queries, ids))
const day = 86_400_000

test('lists the newest subscription to each product, filtered by state, product, plan, end and name', async () => {
  const [one, two] = [await service.addProject('Listed Oak'), await service.addProject('Listed Elm')]
  const ended = await addPaid(service, one, { status: 'canceled' })
  const trial = await addTrial(service, one, { days: 3 })
  const paid = await addPaid(service, two, { product: 'shop' })
  await addPayment(service, two, paid)
  await count(one, two)
  const idsOf = async (input: object) =>
    (await billing.call(`${base}/list-all`, { query: 'listed', ...input })).subscriptions.map(({ id }) => id)
  assert.deepEqual(await idsOf({}), [trial, paid])
  assert.ok(!(await idsOf({ status: 'canceled' })).includes(ended))
  const { subscriptions: listed } = await billing.call(`${base}/list-all`, { query: 'listed elm' })
  assert.ok(Number(listed[0]?.month_amount) > 0)
  await sql`update subscriptions set status = 'canceled' where id = ${paid}`
  await count(two)
  const { subscriptions: canceled } = await billing.call(`${base}/list-all`, { query: 'listed elm' })
  assert.deepEqual([canceled[0]?.status, canceled[0]?.month_amount], ['canceled', null])
  await sql`update subscriptions set status = 'active' where id = ${paid}`
  await count(two)
  assert.deepEqual(await idsOf({ sort: 'name' }), [paid, trial])
  assert.deepEqual(await idsOf({ sort: 'name', is_descending: true }), [trial, paid])
  assert.deepEqual(await idsOf({ product: 'shop' }), [paid])
  assert.deepEqual(await idsOf({ plan: 'pro' }), [paid])
  assert.deepEqual(await idsOf({ status: 'trialing' }), [trial])
  assert.deepEqual(await idsOf({ status: 'active' }), [paid])
  const inFiveDays = new Date(Date.now() + 5 * day).toISOString()
  assert.deepEqual(await idsOf({ ends_until: inFiveDays }), [trial])
  assert.deepEqual(await idsOf({ ends_from: inFiveDays }), [paid])
  assert.deepEqual(await idsOf({ query: 'LISTED e' }), [paid])
  assert.deepEqual(await idsOf({ query: String(one) }), [trial])
  const { subscriptions } = await billing.call(`${base}/list-all`, { query: 'listed elm' })
  assert.deepEqual(subscriptions, [
    {
      ...{
        id: paid,
        project_id: two,
        project_name: 'Listed Elm',
        product: 'shop',
        plan: 'pro',
        period: 'month',
      },
      ...{ status: 'active', cancels_at_period_end: false, month_amount: 4900, currency: 'eur' },
      ends_at: subscriptions[0]?.ends_at,
    },
  ])
})

test('pages follow each other in the order of the ends; 422 for a cursor that names nothing', async () => {
  const ids: number[] = []
  for (const days of [5, 1, 4, 2, 3]) {
    const projectId = await service.addProject('Paged')
    ids[days] = await addTrial(service, projectId, { days })
    await count(projectId)
  }
  const seen: number[] = []
  const counts: (number | null)[] = []
  let cursor: string | null = null
  do {
    const page: { subscriptions: { id: number }[]; count: number | null; next_cursor: string | null } =
      await billing.call(`${base}/list-all`, { query: 'paged', limit: 2, cursor })
    seen.push(...page.subscriptions.map(({ id }) => id))
    counts.push(page.count)
    cursor = page.next_cursor
  } while (cursor !== null)
  assert.deepEqual(seen, ids.slice(1))
  assert.deepEqual(counts, [5, null, null])
  for (const wrong of ['x', '999999999'])
    assert.equal((await billing.attempt(`${base}/list-all`, { cursor: wrong })).status, 422)
})

test('a trial counts as expired from its end on, before it is counted again', async () => {
  const projectId = await service.addProject('Over soon')
  await addTrial(service, projectId, { days: 1 })
  await count(projectId)
  await sql`update subscription_figures set ends_at = now() where project_id = ${projectId}`
  const statusOf = async (status: 'trialing' | 'expired') =>
    (await billing.call(`${base}/list-all`, { query: 'over soon', status })).subscriptions.map(
      (one) => one.status,
    )
  assert.deepEqual([await statusOf('trialing'), await statusOf('expired')], [[], ['expired']])
})

test('403 without billing; superadmins of a platform see only its subscriptions', async () => {
  const plain = await service.addUser({ superadmin: true, superadminBilling: false })
  for (const path of [`${base}/list-all`, `${base}/summarize`] as const)
    assert.equal((await service.client(plain.token).attempt(path, {})).status, 403)
  const [platform] = await sql<{ id: number }[]>`insert into platforms (name) values ('Other') returning id`
  const other = await service.addUser({ superadmin: true, platformId: platform?.id as number })
  const client = service.client(other.token)
  assert.equal((await client.call(`${base}/list-all`)).count, 0)
  const { summary } = await client.call(`${base}/summarize`)
  assert.deepEqual([summary.trialing_count, summary.revenue], [0, []])
})

test('sums up states, plans and the revenue of 12 months, with yearly prices as a twelfth', async () => {
  const [platform] = await sql<{ id: number }[]>`insert into platforms (name) values ('Summed') returning id`
  const platformId = platform?.id as number
  const add = async (
    status: string,
    amount: number,
    period: 'month' | 'year',
    from: string,
    until?: string,
  ) => {
    const projectId = await service.addProject('Summed', [], platformId)
    const id = await addPaid(service, projectId, { status })
    await sql`
      update subscriptions set current_period_ends_at = ${until ?? '2030-01-01'}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    await sql`
      insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status, paid_at)
      values (${projectId}, ${id}, 'sandbox', 'pro', ${period}, ${amount}, 'eur', 'paid', ${from})`
    await count(projectId)
    return projectId
  }
  const now = new Date()
  const monthsAgo = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString()
  await add('active', 1000, 'month', monthsAgo(3))
  await add('past_due', 12_000, 'year', monthsAgo(20))
  await add('canceled', 500, 'month', monthsAgo(5), monthsAgo(2))
  const deleted = await add('active', 300, 'month', monthsAgo(4))
  await sql`update projects set deleted_at = ${monthsAgo(1)} where id = ${deleted}`
  const trial = await service.addProject('Summed trial', [], platformId)
  await addTrial(service, trial, { days: 6.9 })
  const later = await service.addProject('Summed trial', [], platformId)
  await addTrial(service, later, { days: 7.1 })
  const unpaid = await service.addProject('Summed trial', [], platformId)
  await addTrial(service, unpaid)
  await sql`update projects set deleted_at = now() where id = ${unpaid}`
  await count(deleted, trial, later, unpaid)
  const summary = await summarizeSubscriptions(service.db, platformId)
  const { revenue, plans, ...counts } = summary
  assert.deepEqual(counts, {
    ...{ trialing_count: 2, ending_count: 1, active_count: 1, past_due_count: 1 },
    ...{ canceled_count: 1, expired_count: 0 },
  })
  assert.deepEqual(
    [...plans],
    [{ product: 'website', plan: 'pro', count: 2, month_amount: 2000, currency: 'eur' }],
  )
  assert.deepEqual(
    revenue.map(({ currency, months }) => [currency, months.map(({ amount }) => amount)]),
    [['eur', [1000, 1000, 1000, 1000, 1000, 1000, 1500, 1800, 2800, 2300, 2000, 2000]]],
  )
  assert.equal(revenue[0]?.months.at(-1)?.month, now.toISOString().slice(0, 7))
})

test('200 extend-trials adds the days to each trial of the product, and skips the others', async () => {
  const running = await createTrial(service, { days: 5 })
  const expired = await createTrial(service, { days: -5 })
  const paid = await service.addProject()
  await addPaid(service, paid)
  const other = await service.addProject()
  await addTrial(service, other, { product: 'shop', days: 5 })
  const tenYears = await createTrial(service, { days: 3649 })
  const ids = [running.projectId, expired.projectId, paid, other, tenYears.projectId]
  const endOf = async (projectId: number) => {
    const [row] = await sql<{ status: string; days: number }[]>`
      select status, round(extract(epoch from trial_ends_at - now()) / 86400)::integer as days from subscriptions
      where project_id = ${projectId}`
    return [row?.status, row?.days]
  }
  const answer = await billing.call(`${base}/extend-trials`, { ids, product: 'website', days: 10 })
  assert.deepEqual(answer, { extended_count: 2, skipped_count: 3 })
  assert.deepEqual(await endOf(running.projectId), ['trialing', 15])
  assert.deepEqual(await endOf(expired.projectId), ['trialing', 10])
  assert.deepEqual(await endOf(other), ['trialing', 5])
  assert.deepEqual(await endOf(tenYears.projectId), ['trialing', 3649])
  const [event] = await subscriptionEvents(service, expired.projectId)
  assert.equal(event?.kind, 'subscription.trial_extended')
  assert.deepEqual(event?.data.changes['status'], { from: 'expired', to: 'trialing' })
  const listed = await billing.call(`${base}/list-all`, { query: String(expired.projectId) })
  assert.equal(listed.subscriptions[0]?.status, 'trialing')
  for (const refused of [[999_999], [running.projectId, running.projectId]]) {
    const wanted = { ids: refused, product: 'website', days: 1 }
    assert.equal((await billing.attempt(`${base}/extend-trials`, wanted)).status, 422)
  }
  assert.deepEqual(await endOf(running.projectId), ['trialing', 15])
})

test('200 undo-extension gives trials their earlier end back, unless they were extended or paid since', async () => {
  const running = await createTrial(service, { days: 5 })
  const expired = await createTrial(service, { days: -5 })
  const later = await createTrial(service, { days: 5 })
  const paid = await createTrial(service, { days: 5 })
  const ids = [running, expired, later, paid].map(({ projectId }) => projectId)
  const other = service.client((await service.addUser({ superadmin: true, superadminBilling: true })).token)
  const endsOf = async () => [
    ...(await sql`
      select project_id, status, wire_time(trial_ends_at) as trial_ends_at from subscriptions
      where project_id in ${sql(ids)} order by project_id`),
  ]
  const before = await endsOf()
  const wanted = { ids, product: 'website' }
  await billing.call(`${base}/extend-trials`, { ...wanted, days: 140 })
  const extended = await endsOf()
  const [first = 0] = ids
  const repeated = await billing.attempt(`${base}/undo-extension`, { ...wanted, ids: [first, first] })
  assert.equal(!repeated.ok && repeated.status, 422)
  // Only who has extended them.
  assert.deepEqual(await other.call(`${base}/undo-extension`, wanted), { undone_count: 0, skipped_count: 4 })
  assert.deepEqual(await endsOf(), extended)
  await other.call(`${base}/extend-trials`, { ids: [later.projectId], product: 'website', days: 1 })
  await sql`update subscriptions set status = 'active' where project_id = ${paid.projectId}`
  const expected = await endsOf()
  assert.deepEqual(await billing.call(`${base}/undo-extension`, wanted), {
    undone_count: 2,
    skipped_count: 2,
  })
  assert.deepEqual(await endsOf(), [
    ...before.slice(0, 1),
    { ...before[1], status: 'expired' },
    ...expected.slice(2),
  ])
  const event = (await subscriptionEvents(service, expired.projectId)).at(-1)
  assert.equal(event?.kind, 'subscription.updated')
  assert.deepEqual(event?.data.changes['status'], { from: 'trialing', to: 'expired' })
  assert.deepEqual(await billing.call(`${base}/undo-extension`, wanted), {
    undone_count: 0,
    skipped_count: 4,
  })
  const { entries } = await billing.call('/services/identity/v1/audit/list', {
    kind: 'trial.extension_undone',
  })
  assert.deepEqual([entries[0]?.details['product'], entries[0]?.details['projects']], ['website', 2])
})

test('422 extend-trials for a product that was never offered; one that is offered no more is known', async () => {
  const { projectId } = await createTrial(service, { days: 5 })
  const wanted = { ids: [projectId], product: 'websit', days: 1 }
  const { status, body } = await post(service, `${base}/extend-trials`, superadmin.token, wanted)
  assert.deepEqual([status, body.errors], [422, { product: ['The selected product is invalid.'] }])
  await addTrial(service, projectId, { product: 'withdrawn', days: 5 })
  assert.deepEqual(await billing.call(`${base}/extend-trials`, { ...wanted, product: 'withdrawn' }), {
    extended_count: 1,
    skipped_count: 0,
  })
})
