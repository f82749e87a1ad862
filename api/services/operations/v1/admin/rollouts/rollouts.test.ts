import assert from 'node:assert/strict'
import test from 'node:test'
import { listRollouts } from '#rollouts/rollout.ts'
import { createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { readsOf } from '#tests/reads.ts'
import { recordedLog, startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const send = sender(service, superadmin.token, `${masters}/rollouts`)
const missing = [0, -1, 999_999, Number.MAX_SAFE_INTEGER]

const rolloutsOf = async (master: MasterFixture) =>
  (await admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })).rollouts
const lastRollout = async (master: MasterFixture) => present((await rolloutsOf(master))[0])
const resultsOf = async (
  id: number,
  outcome?: 'changed' | 'unchanged' | 'opted_out' | 'no_access' | 'failed' | 'pending',
) => (await admin.call(`${masters}/rollouts/get`, { id, ...(outcome && { outcome }) })).results

test('200 rollouts that have ended are listed without reading their batches, until they are retried', async () => {
  const master = await createMaster(service, { projects: 3 })
  const refusing = present(master.projects[0])
  await sql.unsafe(`alter table boards add constraint refused check (project_id <> ${refusing.id}) not valid`)
  await master.sync()
  await sql.unsafe('alter table boards drop constraint refused')
  const { id, counts } = await lastRollout(master)
  assert.deepEqual([counts.changed, counts.failed], [2, 1])
  const wanted = { platformId: null, boardId: master.boardId, before: null, limit: 1 }
  const reads = await readsOf(service.db, ['rollout_batches'], async (queries) => {
    assert.deepEqual(present((await listRollouts(queries, wanted))[0]).counts, counts)
  })
  assert.equal(reads, 0)
  await admin.call(`${masters}/rollouts/retry`, { id })
  await eventually(async () => {
    const { status, counts: again } = await lastRollout(master)
    assert.deepEqual([status, again.changed, again.failed], ['done', 3, 0])
  })
})

test('200 list: the newest first, by board, a page at a time, with kinds and counts', async () => {
  const master = await createMaster(service, { projects: 2, cards: 2 })
  const [first, second] = master.cardIds as [number, number]
  await master.push(first)
  await master.sync()
  await admin.call(`${masters}/master-cards/delete`, { id: second, delete_from_projects: true })
  const rollouts = await rolloutsOf(master)
  const skipped = present(rollouts[0]).counts.projects - 2
  assert.deepEqual(Object.keys(present(rollouts[0])), [
    'id',
    'kind',
    'board_id',
    'card_id',
    'reverts_id',
    'reverted_by_id',
    'title',
    'template_title',
    'version',
    'status',
    'stage',
    'stages',
    'starts_at',
    'next_stage_at',
    'pause_reason',
    'stop_after_failures',
    'stop_after_undone',
    'is_partial',
    'counts',
    'planned_count',
    'plan',
    'planned_at',
    'created_by',
    'created_by_name',
    'created_at',
    'started_at',
    'finished_at',
  ])
  const none = {
    differs: 0,
    unchanged: 0,
    opted_out: 0,
    no_access: skipped,
    failed: 0,
    pending: 0,
    changed: 2,
    projects: skipped + 2,
  }
  assert.deepEqual(
    rollouts.map(({ kind, card_id, title, status, counts, created_by }) => ({
      kind,
      card_id,
      title,
      status,
      counts,
      created_by,
    })),
    [
      {
        kind: 'removal',
        card_id: second,
        title: 'Card 2',
        status: 'done',
        counts: { ...none, no_access: 0, unchanged: skipped },
        created_by: superadmin.id,
      },
      {
        kind: 'board',
        card_id: null,
        title: 'Launch',
        status: 'done',
        counts: none,
        created_by: master.superadmin.id,
      },
      {
        kind: 'card',
        card_id: first,
        title: 'Card 1',
        status: 'done',
        counts: none,
        created_by: master.superadmin.id,
      },
    ],
  )
  assert.ok(rollouts.every(({ created_at, finished_at }) => present(finished_at ?? undefined) >= created_at))
  const page = await admin.call(`${masters}/rollouts/list`, { board_id: master.boardId, limit: 2 })
  assert.deepEqual(page.rollouts, rollouts.slice(0, 2))
  const rest = await admin.call(`${masters}/rollouts/list`, {
    board_id: master.boardId,
    cursor: present(page.next_cursor ?? undefined),
  })
  assert.deepEqual([rest.rollouts, rest.next_cursor], [rollouts.slice(2), null])
  assert.deepEqual((await admin.call(`${masters}/rollouts/list`, { limit: 3 })).rollouts, rollouts)
  assert.deepEqual((await admin.call(`${masters}/rollouts/list`, { board_id: 999_999 })).rollouts, [])
})

test('200 list: more than 200 rollouts that have not ended are counted, and listed a page at a time', async () => {
  const [master, other] = [
    await createMaster(service, { projects: 0 }),
    await createMaster(service, { projects: 0 }),
  ]
  await master.publish()
  await sql`
    insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by, status, finished_at)
    select 'board', platform_id, id, newest_revision, title, title, ${master.superadmin.id},
      case when number % 2 = 0 then 'paused'::rollout_status else 'waiting' end, case when number > 230 then now() end
    from master_boards, generate_series(1, 240) number where id = ${master.boardId}`
  const list = (input: { cursor?: string | null; board_id?: number }) =>
    admin.call(`${masters}/rollouts/list`, {
      board_id: master.boardId,
      is_active: true,
      limit: 200,
      ...input,
    })
  const first = await list({})
  assert.deepEqual([first.rollouts.length, first.active_count], [200, 230])
  const rest = await list({ cursor: first.next_cursor })
  assert.deepEqual([rest.rollouts.length, rest.active_count, rest.next_cursor], [30, 230, null])
  assert.equal((await list({ board_id: other.boardId })).active_count, 0)
})

test('422 list and get for a cursor or a limit that is none; 404 get what is not there', async () => {
  const master = await createMaster(service, { projects: 1 })
  await master.sync()
  const { id } = await lastRollout(master)
  for (const [path, input] of [
    ['/list', {}],
    ['/get', { id }],
  ] as const) {
    const errors = async (wrong: object) => (await send(path, { ...input, ...wrong })).body.errors
    assert.deepEqual(await errors({ cursor: 'x' }), { cursor: ['The selected cursor is invalid.'] })
    assert.deepEqual(Object.keys((await errors({ limit: 201 })) ?? {}), ['limit'])
    assert.deepEqual(Object.keys((await errors({ limit: 0 })) ?? {}), ['limit'])
  }
  assert.deepEqual(Object.keys((await send('/get', { id, outcome: 'x' })).body.errors ?? {}), ['outcome'])
  for (const unknown of missing) assert.equal((await send('/get', { id: unknown })).status, 404)
})

test('200 get: what came of it in each project, by outcome, a page at a time', async () => {
  const master = await createMaster(service, { projects: 4 })
  const [kept, changed, without, gone] = master.projects as [Receiver, Receiver, Receiver, Receiver]
  const cardId = present(master.cardIds[0])
  await master.sync()
  await kept.client.call(`${operations}/cards/delete`, { id: present(await kept.cardOf(cardId)).id })
  await sql`update projects set tool_keys = '[]' where id = ${without.id}`
  await gone.client.call(`${operations}/boards/delete`, {
    id: present(await gone.findBoard(master.boardId)).id,
  })
  await admin.call(`${masters}/master-cards/update`, { id: cardId, title: 'New' })
  await master.push(cardId)
  const { id, counts } = await lastRollout(master)
  const { rollout, results } = await admin.call(`${masters}/rollouts/get`, { id, limit: 200 })
  assert.deepEqual(rollout.counts, counts)
  const outcomeOf = new Map(results.map((result) => [result.project_id, result]))
  const common = {
    ...{
      project_name: 'Project',
      stage: null,
      error: null,
      technical_details: null,
      differs: false,
      things: null,
    },
    ...{
      added: 0,
      updated: 0,
      moved: 0,
      kept: 0,
      used: 0,
      overtaken: 0,
      removed: 0,
      skipped: 0,
      skips: [],
      kept_fields: [],
    },
  }
  assert.deepEqual(
    [kept, changed, without].map((project) => outcomeOf.get(project.id)),
    [
      {
        ...{ ...common, project_id: kept.id, outcome: 'unchanged' },
        ...{ skipped: 1, skips: [{ reason: 'deleted', count: 1 }] },
      },
      { ...common, project_id: changed.id, outcome: 'changed', updated: 1 },
      { ...common, project_id: without.id, outcome: 'no_access' },
    ],
  )
  assert.equal(outcomeOf.get(gone.id)?.outcome, 'opted_out')
  for (const outcome of ['changed', 'unchanged', 'opted_out', 'no_access', 'failed', 'pending'] as const)
    assert.deepEqual(
      (await admin.call(`${masters}/rollouts/get`, { id, outcome, limit: 200 })).results,
      results.filter((result) => result.outcome === outcome),
      outcome,
    )
  const pages: number[] = []
  let cursor: string | null = null
  do {
    const page: { results: { project_id: number }[]; next_cursor: string | null } = await admin.call(
      `${masters}/rollouts/get`,
      { id, limit: 2, cursor },
    )
    pages.push(...page.results.map(({ project_id }) => project_id))
    cursor = page.next_cursor
  } while (cursor !== null)
  assert.deepEqual(
    pages,
    results.map(({ project_id }) => project_id),
  )
})

test('400 and 404 cancel and retry', async () => {
  const master = await createMaster(service, { projects: 1 })
  await master.sync()
  const { id } = await lastRollout(master)
  const canceled = await send('/cancel', { id })
  const retried = await send('/retry', { id })
  assert.deepEqual(
    [canceled.status, canceled.body.message, retried.status, retried.body.message],
    [
      400,
      'This rollout has ended already.',
      400,
      'This rollout has reached every project; there is nothing to retry.',
    ],
  )
  for (const unknown of missing) {
    assert.equal((await send('/cancel', { id: unknown })).status, 404)
    assert.equal((await send('/retry', { id: unknown })).status, 404)
  }
})

test('a project that cannot receive a rollout fails with the reason, alone; retry brings it there once the cause is gone', async () => {
  const master = await createMaster(service, { projects: 3 })
  const [fine, failing, other] = master.projects as [Receiver, Receiver, Receiver]
  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${failing.id}) not valid`)
  assert.equal((await master.sync()).synced_count, 2)
  const { id, status, counts } = await lastRollout(master)
  assert.deepEqual([status, counts.changed, counts.failed, counts.pending], ['done', 2, 1, 0])
  const failures = await resultsOf(id, 'failed')
  assert.deepEqual(
    failures.map(({ project_id }) => project_id),
    [failing.id],
  )
  assert.match(failures[0]?.error ?? '', /^A rule in the database forbids the change in this project\./)
  assert.doesNotMatch(failures[0]?.error ?? '', /refused|constraint/)
  assert.match(failures[0]?.technical_details ?? '', /check constraint "refused"/)
  for (const project of [fine, other]) assert.equal((await master.copyIn(project)).groups[0]?.cards.length, 2)
  assert.equal(await failing.findBoard(master.boardId), undefined)
  assert.equal(await failing.countEvents(), 0)

  const early = await admin.call(`${masters}/rollouts/retry`, { id })
  assert.deepEqual([early.rollout.counts.changed, early.rollout.counts.failed], [2, 1])
  await sql.unsafe('alter table cards drop constraint refused')
  const { rollout } = await admin.call(`${masters}/rollouts/retry`, { id })
  assert.deepEqual([rollout.status, rollout.counts.changed, rollout.counts.failed], ['done', 3, 0])
  assert.deepEqual(
    (await resultsOf(id, 'changed')).map(({ project_id }) => project_id),
    [fine.id, failing.id, other.id],
  )
  assert.equal((await master.copyIn(failing)).groups[0]?.cards.length, 2)
  assert.equal((await send('/retry', { id })).status, 400)
})

test('the log has what the database said about a project that failed', async () => {
  const { log, lines } = recordedLog()
  const beside = await startTestService({}, service.address, log)
  const master = await createMaster(service, { projects: 1 })
  const { id } = present(master.projects[0])
  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${id}) not valid`)
  await beside.client(superadmin.token).call(`${masters}/master-boards/sync`, { board_id: master.boardId })
  await sql.unsafe('alter table cards drop constraint refused')
  const line = lines.find((one) => one.includes('a project could not receive a rollout')) ?? '{}'
  const { projectId, error } = JSON.parse(line)
  assert.deepEqual([projectId, error?.constraint_name], [id, 'refused'])
})

test('a project in which a rollout takes too long fails alone', async () => {
  const master = await createMaster(service, { projects: 3 })
  const [, slow] = master.projects as [Receiver, Receiver, Receiver]
  await sql.unsafe(`
    create function too_slow() returns trigger language plpgsql as $$
    begin raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled'; end $$;
    create trigger too_slow before insert on cards for each row when (new.project_id = ${slow.id}) execute function too_slow()`)
  assert.equal((await master.sync()).synced_count, 2)
  const { id, status, counts } = await lastRollout(master)
  assert.deepEqual([status, counts.changed, counts.failed], ['done', 2, 1])
  const [failure] = await resultsOf(id, 'failed')
  assert.equal(failure?.project_id, slow.id)
  await sql.unsafe('drop function too_slow cascade')
})

test('a card of the project that has the very rank of a new card: it arrives, and nothing is lost', async () => {
  const master = await createMaster(service, { projects: 2 })
  const [project, other] = master.projects as [Receiver, Receiver]
  await master.sync()
  const plan = present((await master.copyIn(project)).groups[0])
  const { card } = await project.client.call(`${operations}/cards/create`, {
    title: 'Own',
    group_id: plan.id,
  })
  const added = await master.addCard({ title: 'Added' })
  await sql`update cards set rank = (select rank from master_cards where id = ${added}) where id = ${card.id}`
  assert.equal(await master.push(added), 2)
  const { counts } = await lastRollout(master)
  assert.deepEqual([counts.changed, counts.failed], [2, 0])
  const cards = present((await master.copyIn(project)).groups[0]).cards
  assert.deepEqual(
    cards.map((one) => one.title).filter((title) => title !== 'Added'),
    ['Card 1', 'Card 2', 'Own'],
  )
  assert.equal(cards.length, 4)
  assert.deepEqual(
    present((await master.copyIn(other)).groups[0]).cards.map((one) => one.title),
    ['Card 1', 'Card 2', 'Added'],
  )
  assert.equal(await master.push(added), 0)
})

test('a group of the project that has the very rank of a new group: both are there', async () => {
  const master = await createMaster(service, { projects: 1 })
  const project = present(master.projects[0])
  await master.sync()
  const copy = await master.copyIn(project)
  const { group } = await project.client.call(`${operations}/groups/create`, {
    board_id: copy.id,
    title: 'Own',
  })
  const { group: added } = await admin.call(`${masters}/master-groups/create`, {
    board_id: master.boardId,
    title: 'Added',
  })
  await sql`update groups set rank = (select rank from master_groups where id = ${added.id}) where id = ${group.id}`
  await master.sync()
  assert.deepEqual(
    (await master.copyIn(project)).groups.map(({ title }) => title),
    ['Plan', 'Build', 'Own', 'Added'],
  )
})

for (const [when, ago] of [
  ['a minute ago', '1 minute'],
  ['before the clock went back an hour', '-1 hour'],
] as const)
  test(`a rollout that an instance left behind ${when} is finished by another, by itself, and each project is counted once`, async () => {
    const master = await createMaster(service, { projects: 3 })
    const without = present(master.projects.pop())
    await sql`update projects set tool_keys = '[]' where id = ${without.id}`
    await master.publish()
    const [row] = await sql<{ id: number }[]>`
    insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by, worked_at)
    select 'board', platform_id, id, newest_revision, title, title, ${superadmin.id}, now() - ${ago}::interval from master_boards
    where id = ${master.boardId} returning id`
    await sql`
    insert into rollout_batches (rollout_id, number, project_ids, no_access_ids)
    values (${row?.id as number}, 1, ${[...master.projects, without].map(({ id }) => id)}::bigint[], ${[without.id]}::bigint[])`
    await eventually(async () => assert.equal((await lastRollout(master)).status, 'done'))
    const { changed, no_access, unchanged } = (await lastRollout(master)).counts
    assert.deepEqual([changed, no_access, unchanged], [2, 1, 0])
    for (const project of master.projects) assert.equal((await master.copyIn(project)).groups.length, 2)
  })
