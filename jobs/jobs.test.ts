import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { pino } from 'pino'
import { turnSandboxPeriods } from '#billing/sandbox.ts'
import { afterPeriods } from '#billing/state.ts'
import { recordExpiredTrials } from '#billing/trial.ts'
import { insideTransaction } from '#database/connect.ts'
import { createBoard } from '#tests/board.ts'
import { eventually } from '#tests/process.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'
import { addPaid, createTrial, subscriptionEvents } from '#tests/subscription.ts'
import { addProjects } from '#tests/templates/fleet.ts'
import { recountSizes } from './recount-sizes.ts'
import { sweepExpired } from './sweep-expired.ts'

const service = await startTestService()
const { sql } = service.db

test('expired rows are removed, others stay', async () => {
  const expired = await service.addUser()
  const valid = await service.addUser()
  await sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${expired.id}`
  await sql`
    insert into setup_links (token_hash, expires_at)
    values ('old', now() - interval '1 second'), ('new', now() + interval '1 hour')`
  for (const [key, age] of [
    ['old', '2 days'],
    ['new', '2 hours'],
  ] as const) {
    await sql`
      insert into sign_in_attempts (key, failures, updated_at)
      values (${Buffer.from(key)}, 1, now() - ${age}::interval)`
    await sql`
      insert into idempotency_keys (user_id, key, request_hash, status, body, created_at)
      values (${valid.id}, ${key}, ''::bytea, 200, '', now() - ${age}::interval)`
  }
  await sql`insert into master_boards (platform_id, title, created_by) select id, 'Master', ${valid.id} from platforms`
  for (const age of ['400 days', '300 days'])
    await sql`
      insert into rollouts (kind, platform_id, board_id, revision, title, template_title, status, created_by, finished_at)
      select 'board', platform_id, id, 1, title, title, 'done', ${valid.id}, now() - ${age}::interval from master_boards`
  await sql`
    insert into payment_events (id, received_at)
    values ('old', now() - interval '31 days'), ('new', now() - interval '29 days')`
  const { projectId, subscriptionId, owner } = await createTrial(service)
  for (const status of ['expired', 'paid'])
    for (const days of [29, 31])
      await sql`
        insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status, created_at)
        values (${projectId}, ${subscriptionId}, 'sandbox', 'pro', 'month', ${days}, 'eur', ${status}, now() - ${days}::float8 * interval '1 day')`
  for (const days of [31, 29])
    await sql`
      insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by, status, planned_at)
      select 'board', platform_id, id, 1, 'Plan', 'Plan', ${valid.id}, 'planned', now() - ${days} * interval '1 day' from master_boards`
  await sweepExpired(service.db)
  assert.equal((await sql`select from rollouts where status <> 'planned'`).length, 1)
  assert.equal((await sql`select from rollouts where status = 'planned'`).length, 1)
  const sessions = await sql`select user_id from sessions`
  assert.deepEqual(
    sessions.map((session) => session['user_id']),
    [valid.id, owner.id],
  )
  assert.equal((await sql`select from sign_in_attempts`).length, 1)
  assert.deepEqual([...(await sql`select token_hash from setup_links`)], [{ token_hash: Buffer.from('new') }])
  assert.deepEqual([...(await sql`select key from idempotency_keys`)], [{ key: 'new' }])
  assert.deepEqual([...(await sql`select id from payment_events`)], [{ id: 'new' }])
  const checkouts = await sql`select status, amount from checkouts order by id`
  assert.deepEqual(
    [...checkouts],
    [
      { status: 'expired', amount: 29 },
      { status: 'paid', amount: 29 },
      { status: 'paid', amount: 31 },
    ],
  )
})

/** True if no job runs or is due. */
const allDone = () =>
  eventually(async () => {
    const left = await sql`select from jobs where run_at <= now() or holder is not null`
    assert.equal(left.length, 0)
  })

test('a job that fails is noted with its error and keeps no other from running', async () => {
  // Including the jobs of the start, because a running one would end as if nothing had been broken.
  await allDone()
  const { projectId, subscriptionId } = await createTrial(service, { days: -1 })
  for (const table of ['boards (project_id, title', 'tags (project_id, name'])
    await sql.unsafe(`insert into ${table}, deleted_at) values ($1, 'Words', now() - interval '31 days')`, [
      projectId,
    ])
  await sql`alter table payment_events rename to hidden`
  await sql`alter table boards add constraint kept check (title <> '') not valid`
  await sql`update jobs set run_at = now()`
  await allDone()
  const failed = await sql`select kind, attempts, error from jobs where error is not null order by kind`
  await sql`alter table boards drop constraint kept`
  await sql`alter table hidden rename to payment_events`
  assert.deepEqual(
    [...failed],
    [
      {
        kind: 'purgeBoards',
        attempts: 1,
        error: 'new row for relation "boards" violates check constraint "kept"',
      },
      { kind: 'sweepExpired', attempts: 1, error: 'relation "payment_events" does not exist' },
    ],
  )
  assert.deepEqual([...(await sql`select name from tags where project_id = ${projectId}`)], [{ name: '' }])
  const [subscription] = await sql`select status from subscriptions where id = ${subscriptionId}`
  assert.deepEqual(subscription, { status: 'expired' })
})

test('a wrong stored size of a board is corrected, and the log says so', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
  const { boardId, projectId } = await createBoard(service, { cards: 3 })
  const task = { log, signal: new AbortController().signal }
  await recountSizes(service.db, task)
  assert.deepEqual(lines, [])
  await sql`update board_sizes set cards = cards + 2, bytes = bytes - 7 where board_id = ${boardId}`
  const [rows] = await sql<
    { count: number }[]
  >`select count(*) as count from board_sizes where board_id = ${boardId}`
  await recountSizes(service.db, task)
  await assertSizesTrue(service.db)
  const count = rows?.count ?? 0
  assert.deepEqual(
    lines.map((line) => [line['project_id'], line['board_id'], line['cards'], line['bytes'], line['msg']]),
    [[projectId, boardId, -2 * count, 7 * count, 'the size of a board was off and is repaired']],
  )
})

test('a wrong stored size of a group is dropped, the log says so, and the next card counts again', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
  const { groupIds, projectId, member } = await createBoard(service, { cards: 3 })
  const group_id = groupIds[0] as number
  await sql`update group_sizes set cards = cards + 2 where project_id = ${projectId} and group_id = ${group_id}`
  await recountSizes(service.db, { log, signal: new AbortController().signal })
  assert.deepEqual(
    lines.map((line) => [line['group_id'], line['cards'], line['msg']]),
    [[group_id, 5, 'the size of a group was off and will be counted again']],
  )
  const { card } = await member.call('/services/operations/v1/operations/cards/create', {
    title: 'x',
    group_id,
  })
  assert.equal(card.position, 4)
  await assertSizesTrue(service.db)
})

test('ended trials are recorded as expired, once, with an event; others are unchanged', async () => {
  const ended = await createTrial(service, { days: -1 })
  const running = await createTrial(service)
  await recordExpiredTrials(service.db)
  await recordExpiredTrials(service.db)
  const stored = await sql<{ id: number; status: string }[]>`
    select id, status from subscriptions where id in (${ended.subscriptionId}, ${running.subscriptionId}) order by id`
  assert.deepEqual(
    [...stored].map(({ status }) => status),
    ['expired', 'trialing'],
  )
  assert.deepEqual(await subscriptionEvents(service, ended.projectId), [
    {
      kind: 'subscription.expired',
      actor_id: null,
      data: {
        subscription_id: ended.subscriptionId,
        product: 'website',
        changes: { status: { from: 'trialing', to: 'expired' } },
      },
    },
  ])
  assert.deepEqual(await subscriptionEvents(service, running.projectId), [])
})

test('every job of the service is in docs/operating.md', async () => {
  const jobs = await sql<{ kind: string }[]>`select kind from jobs`
  const docs = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8')
  assert.ok(jobs.length > 20)
  assert.deepEqual(
    jobs.filter(({ kind }) => !docs.includes(`\`${kind}\``)),
    [],
  )
})

test('running trials are not read to find ended ones', async () => {
  await sql`
    insert into subscriptions (project_id, product, status, trial_ends_at)
    select id, 'website', 'trialing', now() + interval '9 days' from unnest(${await addProjects(service.db, 2_000)}::bigint[]) id`
  const { subscriptionId } = await createTrial(service, { days: -1 })
  await sql`analyze subscriptions`
  const reads = await readsOf(service.db, ['subscriptions'], (queries) =>
    recordExpiredTrials(insideTransaction(service.db, queries)),
  )
  assert.ok(reads <= 10, `${reads} subscriptions read for one trial`)
  const [ended] = await sql`select status from subscriptions where id = ${subscriptionId}`
  assert.deepEqual(ended, { status: 'expired' })
})

test('in the sandbox a period is followed by the next one, or by the end if it was canceled', async () => {
  const states = async (cancels: boolean, endsDaysAgo: number) => {
    const projectId = await service.addProject()
    const id = await addPaid(service, projectId)
    await sql`
      update subscriptions set cancels_at_period_end = ${cancels},
        current_period_ends_at = now() - ${endsDaysAgo}::float8 * interval '1 day' where id = ${id}`
    await turnSandboxPeriods(service.db)
    await turnSandboxPeriods(service.db)
    const [row] = await sql<{ status: string; is_ahead: boolean }[]>`
      select status, current_period_ends_at > now() and current_period_ends_at < now() + interval '32 days' as is_ahead
      from subscriptions where id = ${id}`
    return { ...row, events: (await subscriptionEvents(service, projectId)).map(({ kind }) => kind) }
  }
  assert.deepEqual(await states(false, 1), {
    status: 'active',
    is_ahead: true,
    events: ['subscription.updated'],
  })
  assert.deepEqual(await states(false, 100), {
    status: 'active',
    is_ahead: true,
    events: ['subscription.updated'],
  })
  assert.deepEqual(await states(true, 1), {
    status: 'canceled',
    is_ahead: false,
    events: ['subscription.canceled'],
  })
  assert.deepEqual(await states(true, -1), { status: 'active', is_ahead: true, events: [] })
})

test('a period ends on the same day, or on the last one of a shorter month', () => {
  const after = (from: string, period: 'month' | 'year', count: number) =>
    afterPeriods(new Date(`${from}T10:00:00Z`), period, count).slice(0, 10)
  assert.equal(after('2026-01-15', 'month', 1), '2026-02-15')
  assert.equal(after('2026-01-31', 'month', 1), '2026-02-28')
  assert.equal(after('2026-01-31', 'month', 2), '2026-03-31')
  assert.equal(after('2026-12-31', 'month', 2), '2027-02-28')
  assert.equal(after('2028-02-29', 'year', 1), '2029-02-28')
})
