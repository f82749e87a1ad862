// Plans, stages, pauses and reverts beside everything else that can happen at the same time, with real parallel calls.
import assert from 'node:assert/strict'
import test from 'node:test'
import { pino } from 'pino'
import type { Registry } from '#api/registry.ts'
import type { Calls } from '#contract/client.ts'
import type { Database } from '#database/connect.ts'
import { seldom } from '#tests/drawn.ts'
import { effort } from '#tests/effort.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { present } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { randomNumbers } from '#tests/random.ts'
import { startTestService } from '#tests/service.ts'
import {
  addProjects,
  admin,
  assertExact,
  assertSound,
  copiesOf,
  createMaster,
} from '#tests/templates/fleet.ts'
import { workOnBatch } from './batch.ts'
import { cancelRollout } from './canceling.ts'
import { receiveMasters } from './new-project.ts'
import { reopenRollout } from './resuming.ts'
import { startPlan, startRollout } from './starting.ts'
import { startRolloutWorker } from './worker.ts'

const service = await startTestService()
const { db } = service
const { sql } = db
await service.addProject('Home')
const user = await service.addUser({ superadmin: true })
const superadmin = service.client(user.token)

type Act =
  | 'apply'
  | 'discard'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'start-next-stage'
  | 'retry'
  | 'revert'
  | 'get'

/** The status and the code of the refusal. */
async function act(name: Act, input: { id: number; stage?: number }): Promise<[number, string | null]> {
  const { status, headers } = await post(service, `${admin}/rollouts/${name}`, user.token, input)
  return [status, headers.get('x-error-code')]
}
const done: [number, null] = [200, null]

const read = async (id: number) => (await superadmin.call(`${admin}/rollouts/get`, { id })).rollout
const reaches = (id: number, ...statuses: string[]) =>
  eventually(async () => {
    const rollout = await read(id)
    assert.ok(statuses.includes(rollout.status), `${rollout.status}, not ${statuses}`)
    return rollout
  })
const newest = async (boardId: number) =>
  present((await superadmin.call(`${admin}/rollouts/list`, { board_id: boardId, limit: 1 })).rollouts[0])

type Wanted = Omit<Calls<Registry>[`${typeof admin}/rollouts/plan`]['input'], 'board_id'>

async function plan({ boardId }: { boardId: number }, wanted: Wanted = {}) {
  const { rollout } = await superadmin.call(`${admin}/rollouts/plan`, { board_id: boardId, ...wanted })
  return reaches(rollout.id, 'planned')
}
async function planRevert(id: number) {
  const { rollout } = await superadmin.call(`${admin}/rollouts/revert`, { id })
  return reaches(rollout.id, 'planned')
}
const apply = async (id: number) => {
  await superadmin.call(`${admin}/rollouts/apply`, { id })
  return reaches(id, 'done')
}
const sync = (boardId: number) => superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
const publish = (boardId: number) => superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
const retitle = (id: number, title: string) => superadmin.call(`${admin}/master-cards/update`, { id, title })
const receivers = async (boardId: number) =>
  (
    await sql<{ project_id: number }[]>`
      select project_id from boards where master_board_id = ${boardId} and deleted_at is null order by project_id`
  ).map((row) => row.project_id)

/** A published template that no project has. The projects of earlier tests are deleted, because all share one platform. */
async function freshFleet({ projects = 6, toolKey = null as string | null } = {}) {
  await sql`update projects set deleted_at = now() where deleted_at is null`
  const fleet = await createMaster(superadmin, { cards: 2, toolKey })
  await publish(fleet.boardId)
  const projectIds = await addProjects(db, projects, toolKey ? [toolKey] : [])
  return { ...fleet, projectIds, cardId: fleet.cardIds[0] as number }
}

/** Runs the work while a batch waits for a project. */
const whileHeld = <Result>(projectId: number, work: () => Promise<Result>): Promise<Result> =>
  db.transaction(async (holding) => {
    await holding.sql`select lock_project(${projectId})`
    return work()
  })

test('200 of two who apply a plan one begins it, and every project receives it once', async () => {
  const fleet = await freshFleet({ projects: 600 })
  const { id } = await plan(fleet)
  const answers = await Promise.all([act('apply', { id }), act('apply', { id }), act('apply', { id })])
  assert.deepEqual(answers.toSorted(), [done, [400, 'rollout_begun'], [400, 'rollout_begun']])
  const { counts } = await reaches(id, 'done')
  assert.deepEqual([counts.changed, counts.differs, counts.failed], [600, 0, 0])
  const events = await sql`select from events where data ->> 'rollout_id' = ${String(id)}`
  assert.equal(events.length, 600)
  await assertExact(db, fleet, fleet.projectIds)
  await assertSound(db)
})

seldom('200 a plan that is applied and discarded at the same moment either begins or is gone', async () => {
  const fleet = await freshFleet({ projects: 3 })
  for (let round = 0; round < 6 * effort; round++) {
    await retitle(fleet.cardId, `Round ${round}`)
    await publish(fleet.boardId)
    const { id } = await plan(fleet)
    const calls = [() => act('apply', { id }), () => act('discard', { id })]
    const [applied, discarded] = await Promise.all(
      (round % 2 === 0 ? calls : calls.toReversed()).map((call) => call()),
    ).then((answers) => (round % 2 === 0 ? answers : answers.toReversed()))
    const outcome = JSON.stringify([applied, discarded])
    const isApplied = outcome === JSON.stringify([done, [400, 'rollout_begun']])
    assert.ok(isApplied || outcome === JSON.stringify([[404, 'rollout_not_found'], done]), outcome)
    await (isApplied
      ? reaches(id, 'done')
      : eventually(async () => assert.equal((await act('get', { id }))[0], 404)))
    const titles = new Set((await copiesOf(db, fleet.cardId)).map(({ title }) => title))
    assert.equal(titles.has(`Round ${round}`), isApplied)
  }
  await assertSound(db)
})

test('200 discarding waits for a batch that is being planned without holding what the batch needs', async () => {
  const fleet = await freshFleet()
  const course = { stages: null, startsAt: null, stopAfterFailures: null, stopAfterUndone: null }
  const wanted = { version: null, cardId: null, projectIds: null, resetFields: null, course }
  const started = await startPlan(db, { ...wanted, boardId: fleet.boardId, actorId: user.id })
  assert.ok(typeof started === 'object')
  const { rolloutId: id } = started
  const begun = await db.transaction(async (holding) => {
    // Read by the plan of a batch, which has claimed it by then.
    await holding.sql`lock table master_card_revisions in access exclusive mode`
    const planning = workOnBatch(db, id)
    await waitingForLocks(db, 1)
    const discarding = act('discard', { id })
    await waitingForLocks(db, 2)
    await db.sql`select from rollouts where id = ${id} for update nowait`
    return { planning, discarding }
  })
  await begun.planning
  assert.deepEqual(await begun.discarding, done)
  assert.deepEqual(await act('get', { id }), [404, 'rollout_not_found'])
})

test('200 a plan meets projects that were deleted, archived, renamed, gained or lost the product, and a newer version', async () => {
  const fleet = await freshFleet({ projects: 8, toolKey: 'shop' })
  const [deleted, renamed, lost, edited, archived] = fleet.projectIds as [
    ...[number, number, number, number, number],
  ]
  const [gained] = (await addProjects(db, 1)) as [number]
  await sync(fleet.boardId)
  await retitle(fleet.cardId, 'Second')
  await publish(fleet.boardId)
  const planned = await plan(fleet)
  assert.deepEqual([planned.plan?.changed, planned.plan?.no_access], [8, 1])
  await retitle(fleet.cardId, 'Third')
  const copy = present((await copiesOf(db, fleet.cardId)).find(({ project_id: id }) => id === edited))
  // First, because the project that gains the product receives what is published then.
  await publish(fleet.boardId)
  await Promise.all([
    sql`update projects set deleted_at = now() where id = ${deleted}`,
    superadmin.call(`${admin}/projects/archive`, { id: archived }),
    superadmin.call('/services/identity/v1/projects/update', { id: renamed, name: 'Renamed' }),
    sql`update projects set tool_keys = '[]' where id = ${lost}`,
    db.transaction(async (queries) => {
      await queries.sql`update projects set tool_keys = '["shop"]' where id = ${gained}`
      await receiveMasters(queries, gained)
    }),
    superadmin.call('/services/operations/v1/operations/cards/update', { id: copy.id, title: 'Own' }),
  ])
  const { counts } = await apply(planned.id)
  assert.deepEqual(
    [counts.changed, counts.no_access, counts.failed, counts.differs],
    [4, 4, 0, 4],
    'of 9: one has a title of its own, three lost the access, one never had it',
  )
  const titles = new Map((await copiesOf(db, fleet.cardId)).map((card) => [card.project_id, card.title]))
  assert.deepEqual(
    [deleted, archived, renamed, lost, edited, gained].map((id) => titles.get(id)),
    ['Card 1', 'Card 1', 'Second', 'Card 1', 'Own', 'Third'],
  )
  const { projects } = await superadmin.call(`${admin}/rollouts/plan/list-projects`, { id: planned.id })
  assert.deepEqual(
    projects.filter(({ differs }) => differs).map(({ project_id }) => project_id),
    [deleted, archived, lost, edited].toSorted((a, b) => a - b),
  )
  await assertSound(db)
})

seldom(
  '200 projects change while a plan is applied to them; each has what is right for it in the end',
  async () => {
    const fleet = await freshFleet({ projects: 300, toolKey: 'shop' })
    await sync(fleet.boardId)
    await retitle(fleet.cardId, 'Second')
    await publish(fleet.boardId)
    const { id } = await plan(fleet)
    const every = (nth: number) => fleet.projectIds.filter((_, index) => index % 10 === nth)
    const copies = new Map((await copiesOf(db, fleet.cardId)).map((card) => [card.project_id, card.id]))
    await Promise.all([
      superadmin.call(`${admin}/rollouts/apply`, { id }),
      ...every(1).map((projectId) => sql`update projects set deleted_at = now() where id = ${projectId}`),
      ...every(2).map((projectId) => sql`update projects set tool_keys = '[]' where id = ${projectId}`),
      ...every(3).map((projectId) =>
        superadmin.call('/services/operations/v1/operations/cards/update', {
          id: copies.get(projectId) as number,
          title: 'Own',
        }),
      ),
    ])
    const { counts } = await reaches(id, 'done')
    assert.equal(counts.changed + counts.unchanged + counts.no_access, counts.projects)
    const titles = new Map((await copiesOf(db, fleet.cardId)).map((card) => [card.project_id, card.title]))
    const { results } = await superadmin.call(`${admin}/rollouts/get`, { id, outcome: 'changed', limit: 200 })
    for (const { project_id: projectId } of results)
      assert.ok(['Second', 'Own'].includes(titles.get(projectId) ?? ''), String(projectId))
    for (const projectId of every(3)) assert.equal(titles.get(projectId), 'Own')
    for (const projectId of every(4)) assert.equal(titles.get(projectId), 'Second')
    await assertSound(db)
  },
)

test('400 apply, resume, retry and the next stage while the template is inactive or deleted; it goes on when it is back', async () => {
  const fleet = await freshFleet()
  const { boardId } = fleet
  const setActive = (isActive: boolean) =>
    superadmin.call(`${admin}/master-boards/update`, { id: boardId, is_active: isActive })
  const remove = () => superadmin.call(`${admin}/master-boards/delete`, { id: boardId })
  const restore = () => superadmin.call(`${admin}/master-boards/restore`, { id: boardId })
  const stages = [{ projects: fleet.projectIds.slice(0, 2), wait_minutes: 60 }, {}]
  const { id } = await plan(fleet, { stages })
  await setActive(false)
  assert.deepEqual(await act('apply', { id }), [400, 'master_board_inactive'])
  await setActive(true)
  await remove()
  assert.deepEqual(await act('apply', { id }), [400, 'master_board_deleted'])
  await restore()
  await superadmin.call(`${admin}/rollouts/apply`, { id })
  await reaches(id, 'waiting')
  await setActive(false)
  assert.deepEqual(await act('start-next-stage', { id }), [400, 'master_board_inactive'])
  await setActive(true)
  await remove()
  assert.deepEqual(await act('start-next-stage', { id }), [400, 'master_board_deleted'])
  await sql`update rollouts set next_stage_at = now() where id = ${id}`
  const paused = await reaches(id, 'paused')
  assert.deepEqual([paused.pause_reason, paused.stage], ['template', 1])
  assert.deepEqual(await receivers(boardId), fleet.projectIds.slice(0, 2))
  assert.deepEqual(await act('resume', { id }), [400, 'master_board_deleted'])
  await restore()
  await setActive(false)
  assert.deepEqual(await act('resume', { id }), [400, 'master_board_inactive'])
  assert.deepEqual(await act('cancel', { id }), done)
  assert.deepEqual(await act('retry', { id }), [400, 'master_board_inactive'])
  await setActive(true)
  await remove()
  assert.deepEqual(await act('retry', { id }), [400, 'master_board_deleted'])
  await restore()
  // Its time has come long ago.
  await sql`update rollouts set next_stage_at = now() where id = ${id}`
  assert.deepEqual(await act('retry', { id }), done)
  await reaches(id, 'done')
  assert.deepEqual(await receivers(boardId), fleet.projectIds)
  await assertSound(db)
})

test('a rollout that is resumed while its cancellation is being read goes on at once', async () => {
  const fleet = await freshFleet()
  const { boardId, projectIds } = fleet
  const revision = (
    await sql<{ revision: number }[]>`
    select revision from template_versions where board_id = ${boardId}`
  )[0]?.revision as number
  const rollout = { kind: 'board', boardId, cardId: null, revision, actorId: user.id } as const
  const { rolloutId: id } = await db.transaction((queries) => startRollout(queries, rollout))
  await cancelRollout(db, id)
  const read = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  // The result is read last, when it is decided that the rollout has ended.
  const slow: Database = {
    ...db,
    run: async (...given) => {
      const result = await db.run(...given)
      read.resolve()
      await resumed.promise
      return result as never
    },
  }
  const worker = startRolloutWorker(slow, { log: pino({ level: 'silent' }) })
  const canceled = worker.finish(id)
  await read.promise
  assert.equal(await reopenRollout(db, id), 'reopened')
  const finished = worker.finish(id)
  resumed.resolve()
  assert.equal((await canceled).status, 'canceled')
  assert.equal((await finished).status, 'done')
  await worker.stop()
  assert.deepEqual(await receivers(boardId), projectIds)
})

test('400 two people who start the same stage do not start two', async () => {
  const fleet = await freshFleet()
  const [first, second] = fleet.projectIds as [number, number]
  const { id } = await plan(fleet, { stages: [{ projects: [first] }, { projects: [second] }, {}] })
  await superadmin.call(`${admin}/rollouts/apply`, { id })
  await reaches(id, 'waiting')
  const answers = await Promise.all([1, 2, 3].map(() => act('start-next-stage', { id, stage: 1 })))
  assert.deepEqual(
    answers.filter(([status]) => status === 200),
    [done],
  )
  assert.equal((await reaches(id, 'waiting')).stage, 2)
  assert.deepEqual(await act('start-next-stage', { id, stage: 1 }), [400, 'rollout_stage_begun'])
  assert.deepEqual(await receivers(fleet.boardId), [first, second])
  assert.deepEqual(await act('start-next-stage', { id, stage: 2 }), done)
  await reaches(id, 'done')
})

test('400 a call that waits for a rollout says that it was paused, and the rollout goes on later', async () => {
  const fleet = await freshFleet()
  const syncing = await whileHeld(fleet.projectIds[0] as number, async () => {
    const answer = post(service, `${admin}/master-boards/sync`, user.token, { board_id: fleet.boardId })
    await waitingForLocks(db, 1)
    assert.deepEqual(await act('pause', { id: (await newest(fleet.boardId)).id }), done)
    return { answer }
  })
  const { status, headers, body } = await syncing.answer
  assert.deepEqual([status, headers.get('x-error-code')], [400, 'rollout_paused'])
  const { id } = await newest(fleet.boardId)
  assert.equal(
    body.message,
    `The rollout was paused after 0 of 6 projects; admin/rollouts/resume with id ${id} continues it.`,
  )
  assert.deepEqual(await receivers(fleet.boardId), [])
  assert.deepEqual(await act('resume', { id }), done)
  await reaches(id, 'done')
  await assertExact(db, fleet, fleet.projectIds)
})

test('200 a rollout whose last project fails has ended, though that was one failure too many', async () => {
  const fleet = await freshFleet({ projects: 2 })
  const [, refused] = fleet.projectIds as [number, number]
  await sql.unsafe(`alter table boards add constraint refused check (project_id <> ${refused}) not valid`)
  try {
    const { id } = await plan(fleet, {
      project_ids: fleet.projectIds,
      stages: [{ projects: fleet.projectIds.slice(0, 1), wait_minutes: 0 }, {}],
      stop_after_failures: 1,
    })
    await superadmin.call(`${admin}/rollouts/apply`, { id })
    const { counts, pause_reason: reason } = await reaches(id, 'done')
    assert.deepEqual([counts.changed, counts.failed, reason], [1, 1, null])
  } finally {
    await sql.unsafe('alter table boards drop constraint refused')
  }
})

seldom(
  '200 four people press every button of a rollout in stages; what it says is what the projects have',
  async () => {
    const random = randomNumbers('buttons')
    for (let round = 0; round < 2 * effort; round++) {
      const fleet = await freshFleet({ projects: 30 })
      const ids = fleet.projectIds
      const stages = [
        { projects: ids.slice(0, 5) },
        { percent: 50, wait_minutes: 0 },
        { projects: ids.slice(9, 12) },
        {},
      ]
      const { id } = await plan(fleet, { stages })
      const names: Act[] = [
        'apply',
        'pause',
        'resume',
        'start-next-stage',
        'cancel',
        'retry',
        'revert',
        'discard',
      ]
      const press = async () => {
        for (let times = 0; times < 12; times++) {
          // Most rollouts would be discarded or canceled at once.
          const name = names[random(times < 3 ? 4 : names.length)] as Act
          const [status, code] = await act(name, { id })
          assert.ok([200, 201, 400, 404].includes(status), `${name}: ${status} ${code}`)
        }
      }
      await act('apply', { id })
      await Promise.all([press(), press(), press(), press()])
      const settled = await reaches(id, 'waiting', 'paused', 'done', 'canceled')
      assert.deepEqual(
        [settled.counts.changed, settled.counts.pending],
        [(await receivers(fleet.boardId)).length, 30 - settled.counts.changed - settled.counts.unchanged],
        JSON.stringify(settled),
      )
      // Whatever state it is in, there is a way to the end.
      for (let step = 0; step < 10 && (await read(id)).status !== 'done'; step++) {
        const { status } = await reaches(id, 'waiting', 'paused', 'done', 'canceled')
        if (status === 'paused') await act('resume', { id })
        if (status === 'waiting') await act('start-next-stage', { id })
        if (status === 'canceled') await act('retry', { id })
      }
      await reaches(id, 'done')
      await assertExact(db, fleet, ids)
      await sql`delete from rollouts where status in ('planning', 'planned')`
      await assertSound(db)
    }
  },
)

seldom('200 a rollout is reverted while a newer one runs: the newer one wins everywhere', async () => {
  const fleet = await freshFleet({ projects: 8 })
  const { cardId, boardId } = fleet
  await sync(boardId)
  await retitle(cardId, 'Second')
  await sync(boardId)
  const { id: reverted } = await newest(boardId)
  await retitle(cardId, 'Third')
  await publish(boardId)
  const ids = fleet.projectIds
  const third = await plan(fleet, { stages: [{ projects: ids.slice(0, 3) }, {}] })
  await superadmin.call(`${admin}/rollouts/apply`, { id: third.id })
  await reaches(third.id, 'waiting')
  const revert = await planRevert(reverted)
  // Both reach the others at the same moment.
  await Promise.all([
    superadmin.call(`${admin}/rollouts/apply`, { id: revert.id }),
    superadmin.call(`${admin}/rollouts/start-next-stage`, { id: third.id }),
  ])
  const [taken] = await Promise.all([reaches(revert.id, 'done'), reaches(third.id, 'done')])
  assert.deepEqual([taken.counts.failed, taken.counts.pending], [0, 0])
  const titles = (await copiesOf(db, cardId)).map(({ title }) => title)
  assert.deepEqual(new Set(titles), new Set(['Third']))
  await sync(boardId)
  await assertExact(db, fleet, ids)
  await assertSound(db)
})

seldom(
  '200 a revert is canceled half way: what it reverted stays so, and another one does the rest',
  async () => {
    const fleet = await freshFleet({ projects: 1_100 })
    const { cardId, boardId } = fleet
    await sync(boardId)
    await retitle(cardId, 'Second')
    await superadmin.call(`${admin}/master-cards/push`, { card_id: cardId })
    const { id: reverted } = await newest(boardId)
    const revert = await planRevert(reverted)
    await db.transaction(async (holding) => {
      // Not the project: one that is busy gets a batch of its own.
      await holding.sql`
        select from boards where project_id = ${fleet.projectIds.at(-1) as number} and master_board_id = ${boardId} for update`
      await superadmin.call(`${admin}/rollouts/apply`, { id: revert.id })
      await eventually(async () => assert.equal((await read(revert.id)).counts.changed, 1_000))
      await waitingForLocks(db, 1)
      assert.deepEqual(await act('cancel', { id: revert.id }), done)
    })
    const canceled = await reaches(revert.id, 'canceled')
    const titles = async () => {
      const all = (await copiesOf(db, cardId)).map(({ title }) => title)
      return [
        all.filter((title) => title === 'Card 1').length,
        all.filter((title) => title === 'Second').length,
      ]
    }
    assert.deepEqual(await titles(), [1_000, 100])
    assert.deepEqual([canceled.counts.changed, canceled.counts.pending], [1_000, 100])
    assert.deepEqual(await act('retry', { id: reverted }), [400, 'rollout_reverted'])
    const rest = await planRevert(reverted)
    assert.equal(rest.plan?.changed, 100)
    await apply(rest.id)
    assert.deepEqual(await titles(), [1_100, 0])
    assert.deepEqual(await act('retry', { id: revert.id }), done)
    assert.deepEqual(await titles(), [1_100, 0])
    await sync(boardId)
    await assertExact(db, fleet, fleet.projectIds)
    await assertSound(db)
  },
)

test('400 a rollout is resumed or reverted, never both', async () => {
  const fleet = await freshFleet({ projects: 4 })
  const [first, second] = fleet.projectIds as [number, number]
  const { id } = await plan(fleet, { stages: [{ projects: [first] }, {}] })
  await superadmin.call(`${admin}/rollouts/apply`, { id })
  await reaches(id, 'waiting')
  assert.deepEqual(await act('cancel', { id }), done)
  const revert = await planRevert(id)
  await whileHeld(second, async () => {
    assert.deepEqual(await act('retry', { id }), done)
    assert.deepEqual(await act('start-next-stage', { id }), done)
    await waitingForLocks(db, 1)
    assert.deepEqual(await act('apply', { id: revert.id }), [400, 'rollout_not_ended'])
    assert.deepEqual(await act('cancel', { id }), done)
  })
  await reaches(id, 'canceled')
  await apply(revert.id)
  assert.deepEqual(await receivers(fleet.boardId), [])
  assert.deepEqual(await act('retry', { id }), [400, 'rollout_reverted'])
  assert.deepEqual(await act('revert', { id }), [400, 'rollout_already_reverted'])
  await assertSound(db)
})

seldom(
  '200 projects that a revert brought back to an older version count as behind, whatever was rolled out alone',
  async () => {
    const fleet = await freshFleet({ projects: 3 })
    const { cardId, boardId } = fleet
    await sync(boardId)
    await retitle(cardId, 'Second')
    await sync(boardId)
    const { id: reverted } = await newest(boardId)
    const push = () => superadmin.call(`${admin}/master-cards/push`, { card_id: cardId })
    await push()
    const revert = await planRevert(reverted)
    await apply(revert.id)
    await apply((await plan(fleet, { version: 1 })).id)
    const behind = async () =>
      (await superadmin.call(`${admin}/master-boards/get`, { id: boardId })).board.behind_count
    assert.equal(await behind(), 3)
    await push()
    assert.equal(await behind(), 0)
  },
)
