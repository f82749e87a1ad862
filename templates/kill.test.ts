// A rollout to 2,000 projects by a real process that is killed, stopped or left alone; it completes every time.
import assert from 'node:assert/strict'
import test from 'node:test'
import { connect, type Database } from '#database/connect.ts'
import { waitingCount } from '#tests/lock-waits.ts'
import { eventually, networkDatabase, run, serve, within } from '#tests/process.ts'
import { admin } from '#tests/templates/fleet.ts'
import { assertDone, change, limits, prepare, type Scene, sync } from '#tests/templates/killed-rollout.ts'

/** Runs the work when the rollout has done this many of its four batches and waits in the next two. */
async function inBatchesAfter<Begun>(
  db: Database,
  { projectIds }: Scene,
  done: number,
  begin: () => Begun,
  work: (begun: Begun) => Promise<unknown>,
): Promise<Begun> {
  const held = [done, done + 1]
    .filter((batch) => batch < 4)
    .map((batch) => projectIds[batch * 500 + 250] as number)
  return db.transaction(async (holding) => {
    await holding.sql`select from projects where id = any(${held}::bigint[]) order by id for update`
    const begun = begin()
    await eventually(async () => {
      const [push] = await db.sql<{ done: number }[]>`
        select count(*) as done from push_batches where push_id = (select max(id) from pushes) and done_at is not null
          and no_access_ids = '{}'`
      assert.deepEqual([push?.done, await waitingCount(db)], [done, held.length])
    }, 20_000)
    await work(begun)
    return begun
  })
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
    assert.match(message, /^The service is stopping; the rollout goes on when it is back/)
    assert.equal(await within(10_000, service.ended), 0)
    const [left] = await db.sql<
      { open: number }[]
    >`select count(*) as open from push_batches where done_at is null`
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
        const [newest] = (await superadmin.call(`${admin}/pushes/list`, { limit: 1 })).pushes
        const { push } = await superadmin.call(`${admin}/pushes/cancel`, { id: newest?.id as number })
        assert.deepEqual([push.status, push.counts.changed, push.counts.pending], ['canceling', 500, 1_500])
        await service.stop('SIGKILL')
      })
      await assert.rejects(answer)
      const canceled = await eventually(async () => {
        const [newest] = (await superadmin.call(`${admin}/pushes/list`, { limit: 1 })).pushes
        assert.equal(newest?.status, 'canceled')
        return newest
      }, 20_000)
      const [received] = await db.sql<{ count: number }[]>`
      select count(distinct project_id) from events where data ->> 'push_id' = ${String(canceled.id)}`
      assert.deepEqual([canceled.counts.changed, canceled.counts.pending, received?.count], [500, 1_500, 500])
      await superadmin.call(`${admin}/pushes/retry`, { id: canceled.id })
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
