import assert from 'node:assert/strict'
import test from 'node:test'
import { waitingCount } from '#tests/lock-waits.ts'
import { createMaster, type MasterFixture, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects } from '#tests/templates/fleet.ts'

const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const send = sender(service, superadmin.token, `${masters}/rollouts`)

const lastRollout = async ({ boardId }: MasterFixture) =>
  present((await admin.call(`${masters}/rollouts/list`, { board_id: boardId })).rollouts[0])
const idsWith = async (id: number, outcome: 'changed' | 'failed' | 'pending') => {
  const { results } = await admin.call(`${masters}/rollouts/get`, { id, outcome, limit: 200 })
  return results.map(({ project_id }) => project_id)
}
/** The projects that really have the board. */
const receivers = async ({ boardId }: MasterFixture) =>
  (
    await sql<{ project_id: number }[]>`
      select project_id from boards where master_board_id = ${boardId} order by project_id`
  ).map((row) => row.project_id)

/** A rollout of three batches to 1,100 projects, of which the first and the last cannot get past a project that is held. */
async function createHeldRollout() {
  const master = await createMaster(service, { projects: 0 })
  const ids = await addProjects(service.db, 1_100, [master.toolKey])
  const held = [ids[0], ids[1_099]] as number[]
  const { promise: untilRelease, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holding = service.db.transaction(async (queries) => {
    await queries.sql`select lock_project(id) from unnest(${held}::bigint[]) id order by id`
    hold()
    await untilRelease
  })
  await isHeld
  const answer = admin.attempt(`${masters}/master-boards/sync`, { board_id: master.boardId })
  await eventually(async () => {
    const { counts } = await lastRollout(master)
    assert.deepEqual([counts.changed, counts.pending, await waitingCount(service.db)], [500, 600, 2])
  })
  const { id } = await lastRollout(master)
  const release = async () => {
    letGo()
    await holding
  }
  return { master, ids, id, answer, release }
}

test('200 cancel is a state until the batches at work have stopped; nothing is changed after it, and the record is true', async () => {
  const { master, ids, id, answer, release } = await createHeldRollout()
  const { rollout: canceling } = await admin.call(`${masters}/rollouts/cancel`, { id })
  assert.deepEqual([canceling.status, canceling.finished_at], ['canceling', null])
  assert.deepEqual([canceling.counts.changed, canceling.counts.pending], [500, 600])
  assert.deepEqual((await admin.call(`${masters}/rollouts/cancel`, { id })).rollout, canceling)
  assert.equal((await send('/cancel', { id })).body.message, 'The cancellation has begun.')
  const early = await send('/retry', { id })
  assert.deepEqual([early.status, early.body.message], [400, 'This rollout is still being canceled.'])
  await release()

  const refused = await answer
  assert.deepEqual(
    [refused.status, refused.message],
    [
      400,
      `The rollout was canceled after 500 of 1,100 projects; admin/rollouts/get with id ${id} tells what was done in each project.`,
    ],
  )
  const canceled = await lastRollout(master)
  assert.equal(canceled.status, 'canceled')
  assert.ok(canceled.finished_at)
  assert.deepEqual(canceled.counts, canceling.counts)
  assert.deepEqual(await receivers(master), ids.slice(500, 1_000))
  assert.deepEqual(await idsWith(id, 'changed'), ids.slice(500, 700))
  assert.deepEqual(await idsWith(id, 'pending'), ids.slice(0, 200))
  const again = await send('/cancel', { id })
  assert.deepEqual([again.status, again.body.message], [400, 'This rollout has ended already.'])

  const { rollout } = await admin.call(`${masters}/rollouts/retry`, { id })
  assert.deepEqual([rollout.status, rollout.counts.changed, rollout.counts.pending], ['done', 1_100, 0])
  assert.deepEqual(await receivers(master), ids)
})

test('200 cancel where no batch is at work: canceled at once', async () => {
  const master = await createMaster(service, { projects: 1 })
  const id = await addLeftBehind(master, 'paused', 'now()')
  const { rollout } = await admin.call(`${masters}/rollouts/cancel`, { id })
  assert.deepEqual([rollout.status, rollout.counts.changed, rollout.counts.pending], ['canceled', 0, 1])
  assert.ok(rollout.finished_at)
})

test('a cancel that an instance left behind is ended by another, and retry goes on from there', async () => {
  const master = await createMaster(service, { projects: 1 })
  const id = await addLeftBehind(master, 'canceling', "now() - interval '1 minute'")
  await eventually(async () => assert.equal((await lastRollout(master)).status, 'canceled'))
  const { finished_at, counts } = await lastRollout(master)
  assert.ok(finished_at)
  assert.deepEqual([counts.changed, counts.pending], [0, 1])
  assert.deepEqual(await receivers(master), [])
  const { rollout } = await admin.call(`${masters}/rollouts/retry`, { id })
  assert.deepEqual([rollout.status, rollout.counts.changed], ['done', 1])
})

/** A rollout that no instance works on at the moment. */
async function addLeftBehind(
  { boardId, projects, publish }: MasterFixture,
  status: string,
  workedAt: string,
) {
  await publish()
  const [row] = await sql.unsafe<{ id: number }[]>(
    `insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by, status, worked_at)
     select 'board', platform_id, id, newest_revision, title, title, $2, $3::rollout_status, ${workedAt} from master_boards where id = $1 returning id`,
    [boardId, superadmin.id, status],
  )
  const id = row?.id as number
  await sql`
    insert into rollout_batches (rollout_id, number, project_ids)
    values (${id}, 1, ${projects.map((project) => project.id)}::bigint[])`
  return id
}

test('one refusing project of 64 is found by halves: what is committed counts at once, and a cancel records exactly that', async () => {
  const master = await createMaster(service, { projects: 0 })
  const ids = await addProjects(service.db, 64, [master.toolKey])
  const [refused, slow] = [ids[0], ids[63]] as [number, number]
  // The second half waits for this lock, while the first is taken apart.
  await sql.unsafe(`
    create function refuse_or_wait() returns trigger language plpgsql as $$
    begin
      if new.project_id = ${refused} then raise exception 'no room here'; end if;
      perform pg_advisory_xact_lock(64);
      return new;
    end $$;
    create trigger refuse_or_wait before insert on boards for each row
      when (new.project_id in (${refused}, ${slow})) execute function refuse_or_wait()`)
  const { answer } = await service.db.transaction(async (holding) => {
    await holding.sql`select pg_advisory_xact_lock(64)`
    const answer = admin.attempt(`${masters}/master-boards/sync`, { board_id: master.boardId })
    await eventually(async () => {
      const { changed, failed, pending } = (await lastRollout(master)).counts
      assert.deepEqual([changed, failed, pending], [31, 1, 32])
    })
    const { id } = await lastRollout(master)
    const { rollout } = await admin.call(`${masters}/rollouts/cancel`, { id })
    assert.deepEqual([rollout.status, rollout.counts.changed, rollout.counts.pending], ['canceling', 31, 32])
    return { answer }
  })
  assert.equal((await answer).status, 400)
  await sql.unsafe('drop function refuse_or_wait cascade')
  const { id, status, counts } = await lastRollout(master)
  assert.deepEqual([status, counts.changed, counts.failed, counts.pending], ['canceled', 31, 1, 32])
  assert.deepEqual(await receivers(master), ids.slice(1, 32))
  assert.deepEqual(await idsWith(id, 'changed'), ids.slice(1, 32))
  assert.deepEqual(await idsWith(id, 'failed'), [refused])
  assert.deepEqual(await idsWith(id, 'pending'), ids.slice(32))
  const { rollout } = await admin.call(`${masters}/rollouts/retry`, { id })
  assert.deepEqual([rollout.counts.changed, rollout.counts.failed, rollout.counts.pending], [64, 0, 0])
})
