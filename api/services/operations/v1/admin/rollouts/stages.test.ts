// A rollout in stages: which projects each has, waiting between them, pausing by hand and by itself.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Registry } from '#api/registry.ts'
import type { Calls } from '#contract/client.ts'
import { pauseUndone, undoneSince } from '#rollouts/undone.ts'
import { waitingCount } from '#tests/lock-waits.ts'
import { createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects } from '#tests/templates/fleet.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const send = sender(service, superadmin.token, `${masters}/rollouts`)

const read = async (id: number) => (await admin.call(`${masters}/rollouts/get`, { id })).rollout
const reaches = (id: number, status: string, stage?: number) =>
  eventually(async () => {
    const rollout = await read(id)
    assert.deepEqual([rollout.status, rollout.stage], [status, stage ?? rollout.stage])
    return rollout
  })
/** The stage of each project, by its id. */
const stagesOf = async (id: number) =>
  Object.fromEntries(
    (await admin.call(`${masters}/rollouts/get`, { id, limit: 200 })).results.map((result) => [
      result.project_id,
      result.stage,
    ]),
  )
const startNext = (id: number) => admin.call(`${masters}/rollouts/start-next-stage`, { id })
const pause = async (id: number) => (await admin.call(`${masters}/rollouts/pause`, { id })).rollout
const resume = (id: number) => admin.call(`${masters}/rollouts/resume`, { id })
/** The projects that really have the board. */
const receivers = async ({ boardId }: MasterFixture) =>
  (
    await sql<{ project_id: number }[]>`
      select project_id from boards where master_board_id = ${boardId} order by project_id`
  ).map((row) => row.project_id)

type Course = Omit<Calls<Registry>[`${typeof masters}/rollouts/plan`]['input'], 'board_id'>

async function plan({ boardId }: Pick<MasterFixture, 'boardId'>, course: Course) {
  const { rollout } = await admin.call(`${masters}/rollouts/plan`, { board_id: boardId, ...course })
  return reaches(rollout.id, 'planned')
}

const apply = (id: number) => admin.call(`${masters}/rollouts/apply`, { id })

async function createFleet(projects: number) {
  const master = await createMaster(service, { projects: 0 })
  const ids = await addProjects(service.db, projects, [master.toolKey])
  await master.publish()
  return { ...master, ids }
}

test('200 stages: chosen projects, then a share, then all that are left; each waits for a hand', async () => {
  const master = await createFleet(20)
  const pilots = master.ids.slice(3, 5)
  const { id, stages } = await plan(master, { stages: [{ projects: pilots }, { percent: 50 }, {}] })
  assert.equal(
    stages.reduce((sum, stage) => sum + stage.projects, 0),
    (await read(id)).counts.projects,
  )
  await apply(id)
  const first = await reaches(id, 'waiting', 1)
  assert.deepEqual(await receivers(master), pilots)
  assert.deepEqual([first.next_stage_at, first.stages[0]?.pending], [null, 0])
  assert.deepEqual((await send('/resume', { id })).body.message, 'This rollout is not paused.')
  await startNext(id)
  await reaches(id, 'waiting', 2)
  const half = await receivers(master)
  assert.equal(half.length, 10)
  const expected = master.ids.map((one) => [one, pilots.includes(one) ? 1 : half.includes(one) ? 2 : 3])
  assert.deepEqual(await stagesOf(id), Object.fromEntries(expected))
  await startNext(id)
  const done = await reaches(id, 'done', 3)
  assert.deepEqual([done.counts.changed, done.counts.pending, done.is_partial], [20, 0, false])
  assert.deepEqual(await stagesOf(id), Object.fromEntries(expected))
  assert.deepEqual(
    (await send('/start-next-stage', { id })).body.message,
    'This rollout does not wait for its next stage.',
  )
  assert.deepEqual(
    (await send('/pause', { id })).body.message,
    'This rollout is neither running nor waiting.',
  )
})

test('200 a share is of the projects that change, with the stages before it; what needs nothing fills no stage', async () => {
  const master = await createFleet(20)
  const [card] = master.cardIds as [number]
  const having = master.ids.slice(0, 12)
  const first = await plan(master, { project_ids: having })
  await apply(first.id)
  await reaches(first.id, 'done')
  const sizes = async (course: Course) =>
    (await plan(master, course)).stages.map(({ projects, changed }) => [projects, changed])
  const shares = [{ percent: 25 }, { percent: 50 }, {}]
  assert.deepEqual(await sizes({ stages: shares }), [
    [2, 2],
    [2, 2],
    [4, 4],
  ])
  // Of a card it is not known before the plan who has it.
  assert.deepEqual(await sizes({ card_id: card, stages: shares }), [
    [2, 2],
    [2, 2],
    [16, 4],
  ])
  const pilots = master.ids.slice(11, 13)
  assert.deepEqual(await sizes({ card_id: card, stages: [{ projects: pilots }, ...shares] }), [
    [2, 1],
    [1, 1],
    [2, 2],
    [15, 4],
  ])
  // Without a last stage the rest is left out.
  assert.deepEqual(
    await sizes({ project_ids: master.ids.slice(12), stages: [{ percent: 25 }, { percent: 50 }] }),
    [
      [2, 2],
      [2, 2],
    ],
  )
  const { id } = await plan(master, { card_id: card, stages: shares })
  await apply(id)
  const waiting = await reaches(id, 'waiting', 1)
  assert.deepEqual([waiting.counts.changed, waiting.counts.pending, waiting.counts.differs], [2, 18, 0])
  assert.equal((await receivers(master)).length, 14)
})

test('200 the next stage begins by itself after its time, on any instance', async () => {
  const master = await createFleet(3)
  const { id } = await plan(master, {
    stages: [{ projects: master.ids.slice(0, 1), wait_minutes: 30 }, {}],
  })
  await apply(id)
  const { next_stage_at: next } = await reaches(id, 'waiting', 1)
  assert.ok(next && Date.parse(next) > Date.now() + 29 * 60_000)
  await sql`update rollouts set next_stage_at = now() where id = ${id}`
  const done = await reaches(id, 'done', 2)
  assert.deepEqual([done.counts.changed, done.next_stage_at], [3, null])
  const { id: atOnce } = await plan(master, { stages: [{ percent: 1, wait_minutes: 0 }, {}] })
  await apply(atOnce)
  await reaches(atOnce, 'done')
})

test('200 a rollout that starts later waits, can be paused and resumed meanwhile, and canceled', async () => {
  const master = await createFleet(2)
  const startsAt = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await plan(master, { starts_at: startsAt })
  await apply(id)
  const waiting = await reaches(id, 'waiting', 0)
  assert.deepEqual([waiting.next_stage_at, waiting.starts_at], [startsAt, startsAt])
  const paused = await pause(id)
  assert.deepEqual([paused.status, paused.pause_reason], ['paused', 'by_hand'])
  await resume(id)
  assert.equal((await reaches(id, 'waiting', 0)).next_stage_at, startsAt)
  assert.deepEqual(await receivers(master), [])
  await sql`update rollouts set next_stage_at = now() where id = ${id}`
  await reaches(id, 'done', 1)
  assert.deepEqual(await receivers(master), master.ids)
  const { id: canceledId } = await plan(await createFleet(1), { starts_at: startsAt })
  await apply(canceledId)
  await reaches(canceledId, 'waiting', 0)
  const { rollout } = await admin.call(`${masters}/rollouts/cancel`, { id: canceledId })
  assert.deepEqual([rollout.status, rollout.next_stage_at], ['canceled', null])
  await admin.call(`${masters}/rollouts/retry`, { id: canceledId })
  assert.equal((await reaches(canceledId, 'waiting', 0)).next_stage_at, startsAt)
  await admin.call(`${masters}/rollouts/cancel`, { id: canceledId })
  await sql`update rollouts set starts_at = now() where id = ${canceledId}`
  await admin.call(`${masters}/rollouts/retry`, { id: canceledId })
  await reaches(canceledId, 'done', 1)
})

test('200 a deletion that starts later takes the card from the template when it starts, not before', async () => {
  const master = await createMaster(service, { projects: 1, cards: 2 })
  await master.sync()
  const [card_id] = master.cardIds as [number]
  const hasCard = async () => {
    const { board } = await admin.call(`${masters}/master-boards/get`, { id: master.boardId })
    return [board.version, board.groups.flatMap(({ cards }) => cards).some(({ id }) => id === card_id)]
  }
  const starts_at = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await plan(master, { card_id, delete_from_projects: true, starts_at })
  await apply(id)
  await reaches(id, 'waiting', 0)
  assert.deepEqual(await hasCard(), [1, true])
  await admin.call(`${masters}/rollouts/cancel`, { id })
  assert.deepEqual(await hasCard(), [1, true])
  await admin.call(`${masters}/rollouts/retry`, { id })
  await admin.call(`${masters}/master-boards/delete`, { id: master.boardId })
  assert.equal((await send('/start-next-stage', { id })).status, 400)
  await sql`update rollouts set next_stage_at = now() where id = ${id}`
  assert.equal((await reaches(id, 'paused', 0)).pause_reason, 'template')
  await admin.call(`${masters}/master-boards/restore`, { id: master.boardId })
  await resume(id)
  const { counts, version } = await reaches(id, 'done', 1)
  assert.deepEqual([counts.changed, counts.differs, version], [1, 0, 2])
  assert.deepEqual(await hasCard(), [2, false])
  assert.equal(await present(master.projects[0]).cardOf(card_id), undefined)
})

test('200 a deletion leaves a card that a version has again, and its results say so', async () => {
  const master = await createMaster(service, { projects: 2, cards: 1 })
  await master.sync()
  const [card_id] = master.cardIds as [number]
  const [one, two] = master.projects as [Receiver, Receiver]
  const stages = [{ projects: [one.id] }, { projects: [two.id] }]
  const { id } = await plan(master, { card_id, delete_from_projects: true, stages })
  await apply(id)
  await reaches(id, 'waiting', 1)
  await admin.call(`${masters}/master-cards/restore`, { id: card_id })
  await master.push(card_id)
  await startNext(id)
  await reaches(id, 'done', 2)
  const { results } = await admin.call(`${masters}/rollouts/get`, { id })
  assert.deepEqual(
    results.map(({ outcome, differs, skips }) => [outcome, differs, skips]),
    [
      ['changed', false, []],
      ['unchanged', true, [{ reason: 'in_template', count: 1 }]],
    ],
  )
})

test('422 for stages and projects that contradict each other', async () => {
  const master = await createFleet(2)
  const errorsOf = async (input: object) =>
    (await send('/plan', { board_id: master.boardId, ...input })).body.errors
  const [projects] = [master.ids]
  const ambiguous = ['A stage has projects, an audience or a share, and only one of these.']
  assert.deepEqual(await errorsOf({ stages: [{ projects, percent: 10 }, {}] }), { stages: ambiguous })
  assert.deepEqual(await errorsOf({ stages: [{ percent: 50 }, { percent: 10 }, {}] }), {
    stages: ['The share of a stage must be larger than the shares before it.'],
  })
  const unreachable = ['A stage after one with all remaining projects would be empty.']
  assert.deepEqual(await errorsOf({ stages: [{}, { projects }] }), { stages: unreachable })
  assert.deepEqual(await errorsOf({ stages: [{ percent: 100 }, {}] }), { stages: unreachable })
  assert.deepEqual(await errorsOf({ filters: [] }), {
    filters: ['Give at least one filter, or leave them out for all projects.'],
  })
  assert.deepEqual(await errorsOf({ filters: [{}], project_ids: master.ids }), {
    filters: ['A filter without conditions reaches all projects; leave out the others.'],
  })
  assert.deepEqual(await errorsOf({ card_id: 1, reset_fields: [] }), {
    reset_fields: ['Give at least one field, or leave them out to roll out the card.'],
  })
  assert.deepEqual(await errorsOf({ card_id: 1, reset_fields: ['title'], version: 1 }), {
    version: ['A reset gives each project what it last received; leave out the version.'],
  })
})

test('200 pause: nothing is changed after the answer, and resume does the rest', async () => {
  const master = await createFleet(1_100)
  const { id } = await plan(master, {})
  const held = master.ids[500] as number
  const paused = await service.db.transaction(async (holding) => {
    await holding.sql`select lock_project(${held})`
    await apply(id)
    await eventually(async () => {
      const { counts } = await read(id)
      assert.deepEqual([counts.changed, await waitingCount(service.db)], [500, 1])
    })
    return pause(id)
  })
  assert.deepEqual([paused.status, paused.counts.changed, paused.counts.pending], ['paused', 500, 600])
  await eventually(async () => assert.equal(await waitingCount(service.db), 0))
  assert.equal((await receivers(master)).length, 500)
  assert.deepEqual((await send('/retry', { id })).body.message, 'This rollout is still running.')
  await resume(id)
  const done = await reaches(id, 'done')
  assert.deepEqual([done.counts.changed, done.counts.differs], [1_100, 0])
})

test('200 a rollout pauses by itself with the failure that is one too many, and counts anew when it is resumed', async () => {
  const master = await createFleet(8)
  const refused = master.ids.slice(1, 5)
  await sql.unsafe(
    `alter table boards add constraint refused check (project_id not in (${refused})) not valid`,
  )
  try {
    const { id } = await plan(master, {
      stop_after_failures: 2,
      stages: [{ projects: master.ids.slice(0, 5) }, {}],
    })
    await apply(id)
    const paused = await reaches(id, 'paused')
    assert.deepEqual([paused.pause_reason, paused.counts.failed], ['failures', 2])
    await resume(id)
    const again = await eventually(async () => {
      const rollout = await read(id)
      assert.deepEqual([rollout.status, rollout.counts.failed], ['paused', 4])
      return rollout
    })
    assert.deepEqual([again.pause_reason, again.stop_after_failures], ['failures', 2])
    await resume(id)
    const waiting = await reaches(id, 'waiting', 1)
    assert.deepEqual([waiting.pause_reason, waiting.stages[0]?.failed], [null, 4])
    await startNext(id)
    const done = await reaches(id, 'done')
    assert.deepEqual([done.counts.changed, done.counts.failed], [4, 4])
  } finally {
    await sql.unsafe('alter table boards drop constraint refused')
  }
})

test('200 a rollout pauses by itself when customers undo it', async () => {
  const master = await createMaster(service, { projects: 3, cards: 2 })
  await master.sync()
  const [first] = master.cardIds as [number]
  await admin.call(`${masters}/master-cards/update`, { id: first, title: 'Newer' })
  const added = await master.addCard({ title: 'Added' })
  await master.publish()
  const [one, two, three] = master.projects as [Receiver, Receiver, Receiver]
  const { id } = await plan(master, { stop_after_undone: 2, stages: [{ projects: [one.id, two.id] }, {}] })
  await apply(id)
  await reaches(id, 'waiting')
  const copyOf = async (project: Receiver, cardId: number) => present(await project.cardOf(cardId)).id
  const cards = '/services/operations/v1/operations/cards'
  await one.client.call(`${cards}/delete`, { id: await copyOf(one, added) })
  // Neither is what the rollout changed.
  await two.client.call(`${cards}/update`, { id: await copyOf(two, first), status: 'closed' })
  await two.client.call(`${cards}/delete`, { id: await copyOf(two, master.cardIds[1] as number) })
  // Nor is what an operator changes there.
  await admin.call(`${cards}/update`, { id: await copyOf(two, first), title: 'Help' })
  await admin.call(`${cards}/update`, { id: await copyOf(two, first), title: 'Newer' })
  await pauseUndone(service.db)
  assert.equal((await read(id)).status, 'waiting')
  await two.client.call(`${cards}/update`, { id: await copyOf(two, first), title: 'Card 1' })
  // It is counted when a stage begins, and now and then, which may have been a moment before.
  const { status, headers } = await send('/start-next-stage', { id })
  assert.equal(status, 400)
  assert.match(String(headers.get('x-error-code')), /^rollout_(undone|not_waiting)$/)
  const paused = await read(id)
  assert.deepEqual([paused.status, paused.pause_reason, paused.stage], ['paused', 'undone', 1])
  const { results } = await admin.call(`${masters}/rollouts/get`, { id, is_undone: true })
  assert.deepEqual(
    results.map((result) => [result.project_id, result.outcome]),
    [
      [one.id, 'changed'],
      [two.id, 'changed'],
    ],
  )
  const others = await admin.call(`${masters}/rollouts/get`, { id, is_undone: false })
  assert.ok(others.results.length > 0)
  assert.ok(others.results.every(({ project_id }) => project_id !== one.id && project_id !== two.id))
  await resume(id)
  // Resumed, it counts anew.
  await reaches(id, 'waiting')
  await pauseUndone(service.db)
  const resumed = await read(id)
  assert.deepEqual([resumed.status, resumed.stop_after_undone], ['waiting', 2])
  for (const [number, project] of [one, two].entries()) {
    await project.client.call(`${cards}/update`, { id: await copyOf(project, first), title: 'Once more' })
    await pauseUndone(service.db)
    assert.equal((await read(id)).status, ['waiting', 'paused'][number])
  }
  await resume(id)
  await reaches(id, 'waiting')
  await startNext(id)
  await reaches(id, 'done')
  assert.equal(present(await three.cardOf(first)).title, 'Newer')

  const restoredId = await copyOf(one, first)
  await admin.call(`${masters}/master-cards/delete`, { id: first })
  await master.publish()
  const removal = await plan(master, {
    card_id: first,
    stop_after_undone: 1,
    stages: [{ projects: [one.id] }, {}],
  })
  await apply(removal.id)
  await reaches(removal.id, 'waiting')
  await one.client.call(`${cards}/restore`, { id: restoredId })
  await sql`update rollouts set next_stage_at = now() where id = ${removal.id}`
  const restored = await reaches(removal.id, 'paused', 1)
  assert.equal(restored.pause_reason, 'undone')
})

for (const what of ['group', 'board'] as const)
  test(`200 a rollout pauses by itself when a customer deletes the ${what} of a card that it added; canceled, it is not paused any more`, async () => {
    const master = await createMaster(service, { projects: 2 })
    const [one] = master.projects as [Receiver]
    await master.publish()
    const { id } = await plan(master, { stop_after_undone: 1, stages: [{ projects: [one.id] }, {}] })
    await apply(id)
    await reaches(id, 'waiting')
    const { id: cardId } = present(await one.cardOf(master.cardIds[0] as number))
    const [place] = await sql<{ group: number; board: number }[]>`
      select group_id as group, board_id as board from cards where project_id = ${one.id} and id = ${cardId}`
    await one.client.call(`/services/operations/v1/operations/${what}s/delete`, {
      id: place?.[what] as number,
    })
    await pauseUndone(service.db)
    const paused = await read(id)
    assert.deepEqual([paused.status, paused.pause_reason], ['paused', 'undone'])
    await admin.call(`${masters}/rollouts/cancel`, { id })
    assert.equal((await reaches(id, 'canceled', 1)).pause_reason, null)
  })

test('200 a rollout pauses by itself once somebody has undone it, and only what is new is read for that', async () => {
  const master = await createMaster(service, { projects: 2 })
  await master.sync()
  const added = await master.addCard({ title: 'Added' })
  await master.publish()
  const [one, two] = master.projects as [Receiver, Receiver]
  const { id } = await plan(master, { stop_after_undone: 1, stages: [{ projects: [one.id] }, {}] })
  await apply(id)
  await reaches(id, 'waiting')
  await eventually(async () => {
    const followed = await sql`
      select from project_figures f join project_versions v on v.project_id = f.project_id
      where f.project_id = any(${[one.id, two.id]}::bigint[]) and v.version = f.version`
    assert.equal(followed.length, 2)
  })
  const reads = await readsOf(service.db, ['events', 'cards'], (queries) =>
    undoneSince(queries, [one.id, two.id]),
  )
  assert.equal(reads, 0)
  const copy = present(await one.cardOf(added))
  await one.client.call('/services/operations/v1/operations/cards/delete', { id: copy.id })
  const paused = await reaches(id, 'paused', 1)
  assert.equal(paused.pause_reason, 'undone')
})

test('200 after a stage that has nothing to do the next one begins at once', async () => {
  const master = await createFleet(3)
  const first = { projects: master.ids.slice(0, 1) }
  const { id: earlier } = await plan(master, { stages: [first] })
  await apply(earlier)
  await reaches(earlier, 'done')
  const { id } = await plan(master, { stages: [{ ...first, wait_minutes: 60 }, {}] })
  await apply(id)
  await reaches(id, 'done')
  assert.deepEqual(await receivers(master), master.ids)
})

test('200 what is in no stage is left out, and 404 for a rollout that does not exist', async () => {
  const master = await createFleet(4)
  const { id, is_partial: isPartial } = await plan(master, {
    stages: [{ projects: master.ids.slice(0, 1) }],
  })
  assert.equal(isPartial, true)
  await apply(id)
  await reaches(id, 'done')
  assert.deepEqual(await receivers(master), master.ids.slice(0, 1))
  const unknown = await send('/plan', { board_id: master.boardId, stages: [{ projects: [999_999] }] })
  assert.deepEqual([unknown.status, Object.keys(unknown.body.errors ?? {})], [422, ['stages']])
  const past = await send('/plan', { board_id: master.boardId, starts_at: '2020-01-01T00:00:00.000Z' })
  assert.deepEqual([past.status, Object.keys(past.body.errors ?? {})], [422, ['starts_at']])
  const revert = await send('/revert', { id, starts_at: '2020-01-01T00:00:00.000Z' })
  assert.deepEqual([revert.status, Object.keys(revert.body.errors ?? {})], [422, ['starts_at']])
  for (const path of ['/pause', '/resume', '/start-next-stage'])
    assert.equal((await send(path, { id: id + 1_000 })).status, 404)
})
