// A rollout to 2,000 projects by a real process that stops or is killed beside another one, or is left alone; it completes every time.
// tests/kills.test.ts kills a single instance and its PostgreSQL.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '#database/connect.ts'
import { waitingCount } from '#tests/lock-waits.ts'
import { eventually, networkDatabase, type RunningService, run, serve, within } from '#tests/process.ts'
import {
  addProjects,
  admin,
  assertExact,
  assertSound,
  createMaster,
  type Fleet,
} from '#tests/templates/fleet.ts'
import { demoPassword } from '../demo/accounts.ts'

const email = 'superadmin@cardinal.test'
const limits = { CARDINAL_RATE_LIMIT: '1000000', CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000' }
const count = 2_000

interface Scene extends Fleet {
  token: string
  projectIds: number[]
  editedIds: number[]
}

/** A board of ten cards in 2,000 projects, a hundred of which have customized a title; then the template changes. */
async function prepare(service: RunningService, db: Database): Promise<Scene> {
  const token = await service.signIn(email, demoPassword)
  const superadmin = service.client(token)
  const { sql } = db
  await sql`update projects set deleted_at = now() where name <> 'Acme'`
  const projectIds = await addProjects(db, count, ['fleet'])
  const fleet = await createMaster(superadmin, { cards: 10, toolKey: 'fleet' })
  const { synced_count: synced } = await superadmin.call(`${admin}/master-boards/sync`, {
    board_id: fleet.boardId,
  })
  assert.equal(synced, count)
  const edited = await sql<{ project_id: number }[]>`
    update cards set title = 'own' where master_card_id = ${fleet.cardIds[0] as number} and project_id % 20 = 0
    returning project_id`
  return { ...fleet, token, projectIds, editedIds: edited.map((row) => row.project_id) }
}

/** Changes the template for every project: one more card, another title, another position. */
async function change(service: RunningService, { cardIds, groupIds, token }: Scene, title: string) {
  const superadmin = service.client(token)
  const [first, second] = cardIds as [number, number]
  await superadmin.call(`${admin}/master-cards/update`, { id: first, title })
  await superadmin.call(`${admin}/master-cards/update`, { id: second, title })
  await superadmin.call(`${admin}/master-cards/move`, {
    id: second,
    group_id: groupIds[0] as number,
    position: 1,
  })
  await superadmin.call(`${admin}/master-cards/create`, { group_id: groupIds[1] as number, title })
}

/** Runs the work when the rollout has done this many of its four batches and waits in the next two. */
async function inBatchesAfter<Begun>(
  db: Database,
  { projectIds, boardId }: Scene,
  done: number,
  begin: () => Begun,
  work: (begun: Begun) => Promise<unknown>,
): Promise<Begun> {
  const held = [done, done + 1]
    .filter((batch) => batch < 4)
    .map((batch) => projectIds[batch * 500 + 250] as number)
  return db.transaction(async (holding) => {
    // Not the projects: those that are busy get a batch of their own.
    await holding.sql`
      select from boards where project_id = any(${held}::bigint[]) and master_board_id = ${boardId} for update`
    const begun = begin()
    await eventually(async () => {
      const [rollout] = await db.sql<{ done: number }[]>`
        select count(*) as done from rollout_batches where rollout_id = (select max(id) from rollouts) and done_at is not null
          and no_access_ids = '{}'`
      assert.deepEqual([rollout?.done, await waitingCount(db)], [done, held.length])
    }, 20_000)
    await work(begun)
    return begun
  })
}

const sync = (service: RunningService, { boardId, token }: Scene) => {
  const answer = service.client(token).attempt(`${admin}/master-boards/sync`, { board_id: boardId })
  answer.catch(() => {})
  return answer
}

/** Asserts that the rollout has ended, applied everything once, kept what projects changed, and counted correctly. */
async function assertDone(service: RunningService, db: Database, scene: Scene) {
  const superadmin = service.client(scene.token)
  const rollout = await eventually(async () => {
    const [newest] = (await superadmin.call(`${admin}/rollouts/list`, { limit: 1 })).rollouts
    assert.equal(newest?.status, 'done')
    return (await superadmin.call(`${admin}/rollouts/get`, { id: newest.id })).rollout
  }, 20_000)
  const counts = {
    projects: count + 1,
    changed: count,
    unchanged: 0,
    opted_out: 0,
    no_access: 1,
    failed: 0,
    pending: 0,
    differs: 0,
  }
  assert.deepEqual(rollout.counts, counts)
  const { editedIds, projectIds, cardIds } = scene
  await assertExact(
    db,
    scene,
    projectIds.filter((id) => !editedIds.includes(id)),
  )
  const [rows] = await db.sql<Record<'cards' | 'own', number>[]>`
    select count(*) as cards,
      count(*) filter (where title = 'own' and master_card_id = ${cardIds[0] as number}) as own
    from cards where project_id = any(${projectIds}::bigint[]) and deleted_at is null`
  const [masters] = await db.sql<{ count: number }[]>`
    select count(*) from master_cards where board_id = ${scene.boardId}`
  assert.deepEqual(rows, { cards: count * (masters?.count ?? 0), own: editedIds.length })
  assert.deepEqual(await eventsOf(db, rollout.id), [
    ['template.kept', editedIds.length],
    ['template.rolled_out', count],
  ])
  await assertSound(db)
}

/** How many events of each kind the rollout has; two of a kind in a project would say that it was changed twice. */
async function eventsOf({ sql }: Database, rolloutId: number) {
  const rows = await sql<{ kind: string; count: number }[]>`
    select kind, count(*) as count from events where data ->> 'rollout_id' = ${String(rolloutId)} group by kind order by kind`
  return rows.map(({ kind, count: events }) => [kind, events])
}

test('a sync goes on when the caller leaves, the service stops, or the instance dies beside another one', async (t) => {
  const { url } = await networkDatabase()
  const environment = { ...limits, DATABASE_URL: url }
  assert.equal((await run(['demo'], environment)).code, 0)
  const db = connect(url)
  t.after(() => db.end())
  let service = await serve(environment)
  const scene = await prepare(service, db)

  await t.test('the caller leaves', async () => {
    await change(service, scene, 'left')
    const leaving = new AbortController()
    const begin = () => {
      const answer = fetch(`${service.url}/api${admin}/master-boards/sync`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ board_id: scene.boardId }),
        signal: leaving.signal,
      })
      answer.catch(() => {})
      return { answer }
    }
    await inBatchesAfter(db, scene, 1, begin, async ({ answer: gone }) => {
      leaving.abort()
      await assert.rejects(gone, { name: 'AbortError' })
    })
    await assertDone(service, db, scene)
  })

  await t.test('400 the service stops, and the next start finishes it', async () => {
    await change(service, scene, 'stopped')
    const begin = () => ({ answer: sync(service, scene) })
    const { answer } = await inBatchesAfter(db, scene, 1, begin, async () => service.child.kill('SIGTERM'))
    const { status, message } = await answer
    assert.equal(status, 400)
    assert.match(message, /^The service is stopping; the rollout continues when it is back/)
    assert.equal(await within(10_000, service.ended), 0)
    const [left] = await db.sql<{ open: number }[]>`
      select count(*) as open from rollout_batches where rollout_id = (select max(id) from rollouts) and done_at is null`
    assert.equal(left?.open, 1)
    service = await serve(environment)
    await assertDone(service, db, scene)
  })

  const other = await serve(environment)
  await t.test(
    'the instance dies while its sync is being canceled, and another one ends the cancel',
    async () => {
      await change(service, scene, 'canceled')
      const superadmin = other.client(scene.token)
      const begin = () => ({ answer: sync(service, scene) })
      const { answer } = await inBatchesAfter(db, scene, 1, begin, async () => {
        const [newest] = (await superadmin.call(`${admin}/rollouts/list`, { limit: 1 })).rollouts
        const { rollout } = await superadmin.call(`${admin}/rollouts/cancel`, { id: newest?.id as number })
        assert.deepEqual(
          [rollout.status, rollout.counts.changed, rollout.counts.pending],
          ['canceling', 500, 1_500],
        )
        await service.stop('SIGKILL')
      })
      await assert.rejects(answer)
      const canceled = await eventually(async () => {
        const [newest] = (await superadmin.call(`${admin}/rollouts/list`, { limit: 1 })).rollouts
        assert.equal(newest?.status, 'canceled')
        return newest
      }, 20_000)
      const [received] = await db.sql<{ count: number }[]>`
      select count(distinct project_id) from events where data ->> 'rollout_id' = ${String(canceled.id)}`
      assert.deepEqual([canceled.counts.changed, canceled.counts.pending, received?.count], [500, 1_500, 500])
      await superadmin.call(`${admin}/rollouts/retry`, { id: canceled.id })
      await assertDone(other, db, scene)
      service = await serve(environment)
    },
  )

  const superadmin = other.client(scene.token)
  /** Lets the instance begin, and kills it while its batch waits, and one of the other instance, which has come to help. */
  const killIn = (
    begin: (client: typeof superadmin) => Promise<{ rollout: { id: number } }>,
    work: (id: number) => Promise<unknown> = async () => undefined,
  ) =>
    db.transaction(async ({ sql }) => {
      await sql`lock table groups in access exclusive mode`
      const { rollout } = await begin(service.client(scene.token))
      await eventually(async () => assert.ok((await waitingCount(db)) >= 2), 20_000)
      await work(rollout.id)
      await service.stop('SIGKILL')
      return rollout.id
    })
  const reaches = (id: number, status: string) =>
    eventually(
      async () =>
        assert.equal((await superadmin.call(`${admin}/rollouts/get`, { id })).rollout.status, status),
      20_000,
    )

  await t.test('the instance dies while it plans and in each stage, and another one goes on', async () => {
    await change(service, scene, 'planned')
    const { boardId } = scene
    await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
    const stages = [{ percent: 50 }, {}]
    const id = await killIn((client) => client.call(`${admin}/rollouts/plan`, { board_id: boardId, stages }))
    await reaches(id, 'planned')
    const { rollout } = await superadmin.call(`${admin}/rollouts/get`, { id })
    assert.deepEqual([rollout.plan?.changed, rollout.planned_count], [count, count])
    service = await serve(environment)
    await killIn((client) => client.call(`${admin}/rollouts/apply`, { id }))
    await reaches(id, 'waiting')
    service = await serve(environment)
    await killIn((client) => client.call(`${admin}/rollouts/start-next-stage`, { id }))
    await assertDone(other, db, scene)
    service = await serve(environment)
  })

  await t.test(
    'the instance dies while it reverts a rollout and when it has paused it, and another one goes on',
    async () => {
      const { cardIds, projectIds } = scene
      const [taken] = (await superadmin.call(`${admin}/rollouts/list`, { limit: 1 })).rollouts
      const stages = [{ percent: 50 }, {}]
      const id = await killIn((client) =>
        client.call(`${admin}/rollouts/revert`, { id: taken?.id as number, stages }),
      )
      await reaches(id, 'planned')
      service = await serve(environment)
      await killIn((client) => client.call(`${admin}/rollouts/apply`, { id }))
      await reaches(id, 'waiting')
      service = await serve(environment)
      await service.client(scene.token).call(`${admin}/rollouts/pause`, { id })
      await service.stop('SIGKILL')
      await superadmin.call(`${admin}/rollouts/resume`, { id })
      await reaches(id, 'waiting')
      await superadmin.call(`${admin}/rollouts/start-next-stage`, { id })
      await reaches(id, 'done')
      const { rollout } = await superadmin.call(`${admin}/rollouts/get`, { id })
      assert.deepEqual([rollout.counts.changed, rollout.counts.differs], [count, 0])
      assert.deepEqual((await eventsOf(db, id)).at(-1), ['template.rolled_out', count])
      const [titles] = await db.sql<{ before: number; after: number }[]>`
      select count(*) filter (where title = 'canceled') as before, count(*) filter (where title = 'planned') as after
      from cards where master_card_id = ${cardIds[1] as number} and project_id = any(${projectIds}::bigint[])`
      assert.deepEqual(titles, { before: count, after: 0 })
      await assertSound(db)
      service = await serve(environment)
    },
  )

  await t.test(
    'the instance dies with a batch of a rollout that was paused, and while the next stage begins by its time',
    async () => {
      await change(service, scene, 'paused')
      const { boardId } = scene
      await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
      const stages = [{ percent: 50, wait_minutes: 60 }, {}]
      const plan = { board_id: boardId, stages }
      const { id } = (await superadmin.call(`${admin}/rollouts/plan`, plan)).rollout
      await reaches(id, 'planned')
      const countsOf = async () => (await superadmin.call(`${admin}/rollouts/get`, { id })).rollout.counts
      await killIn(
        (client) => client.call(`${admin}/rollouts/apply`, { id }),
        () => superadmin.call(`${admin}/rollouts/pause`, { id }),
      )
      service = await serve(environment)
      // Both have had the time to take it up.
      await sleep(5_000)
      await reaches(id, 'paused')
      assert.deepEqual([(await countsOf()).changed, (await countsOf()).pending], [0, count])
      await superadmin.call(`${admin}/rollouts/resume`, { id })
      await reaches(id, 'waiting')
      assert.equal((await countsOf()).changed, count / 2)
      await killIn(async () => {
        await db.sql`update rollouts set next_stage_at = now() where id = ${id}`
        return { rollout: { id } }
      })
      await assertDone(other, db, scene)
      service = await serve(environment)
    },
  )

  await t.test('the instance dies beside another one, which takes over', async () => {
    await change(service, scene, 'killed')
    const begin = () => ({ answer: sync(service, scene) })
    const { answer } = await inBatchesAfter(db, scene, 1, begin, () => service.stop('SIGKILL'))
    await assert.rejects(answer)
    await assertDone(other, db, scene)
    assert.equal(await other.stop(), 0)
  })
})
