// A rollout to 2,000 projects while the service and PostgreSQL are killed; it completes.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Database } from '#database/connect.ts'
import { eventually, postgresOn, serve, temporaryDirectory, withDatabaseOf } from '#tests/process.ts'
import { assertDone, change, limits, prepare, sync } from '#tests/templates/killed-rollout.ts'

const me = '/services/identity/v1/users/me'

/** Lets batches wait before they commit, for as long as `held` names one of their projects: also after restarts, unlike a lock. */
const holding = `
  create table held (project_id bigint);
  create function wait_while_held() returns trigger language plpgsql as $$
  begin
    while exists (select from held where project_id = new.project_id) loop perform pg_sleep(0.02); end loop;
    return new;
  end $$;
  create trigger waits before insert on events for each row execute function wait_while_held()`

test('a sync survives the death of the service and of PostgreSQL in the middle, again and again', async () => {
  const directory = await temporaryDirectory()
  const environment = { ...limits, CARDINAL_DATA_DIR: directory }
  let service = await serve(environment)
  const scene = await withDatabaseOf(directory, (db) => prepare(service, db))
  await change(service, scene, 'new')
  const hold = async ({ sql }: Database, batches: number[]) => {
    const ids = batches.map((batch) => scene.projectIds[batch * 500 + 250] as number)
    await sql`with released as (delete from held where project_id <> all(${ids}::bigint[]))
      insert into held select unnest(${ids}::bigint[])`
  }
  const waiting = ({ sql }: Database) =>
    sql<{ pid: number }[]>`select pid from pg_stat_activity where wait_event = 'PgSleep'`
  const reached = (db: Database, done: number) =>
    eventually(async () => {
      const [push] = await db.sql<{ done: number }[]>`
        select count(*) as done from push_batches where push_id = (select max(id) from pushes) and done_at is not null
          and no_access_ids = '{}'`
      assert.deepEqual([push?.done, (await waiting(db)).length], [done, Math.min(2, 4 - done)])
    }, 20_000)
  const killService = async (db: Database) => {
    await service.stop('SIGKILL')
    // PostgreSQL would notice only at their end that nobody waits for them.
    for (const { pid } of await waiting(db)) await db.sql`select pg_terminate_backend(${pid})`
  }

  await withDatabaseOf(directory, async (db) => {
    await db.sql.unsafe(holding)
    await hold(db, [1, 2, 3])
    const answer = sync(service, scene)
    await reached(db, 1)
    await killService(db)
    await assert.rejects(answer)
  })
  service = await serve(environment)
  await withDatabaseOf(directory, async (db) => {
    await hold(db, [2, 3])
    await reached(db, 2)
  })
  process.kill((await postgresOn(directory)) as number, 'SIGKILL')
  await eventually(async () => assert.equal((await service.client(scene.token).attempt(me)).status, 200))
  await withDatabaseOf(directory, async (db) => {
    await hold(db, [3])
    await reached(db, 3)
    await killService(db)
    await hold(db, [])
  })
  service = await serve(environment)
  await withDatabaseOf(directory, (db) => assertDone(service, db, scene))
  assert.equal(await service.stop(), 0)
})
