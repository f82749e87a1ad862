import assert from 'node:assert/strict'
import test from 'node:test'
import { readAge } from '#fleet/age.ts'
import { countProjects } from '#fleet/counting.ts'
import { countNews } from '#fleet/follower.ts'
import { createMaster } from '#tests/master.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects } from '#tests/templates/fleet.ts'

const admin = '/services/operations/v1/admin'
const service = await startTestService({ figures: false })

test('200 says since when the figures lack what rollouts changed, until it is counted; on its platform only', async () => {
  const master = await createMaster(service, { projects: 2 })
  const ids = master.projects.map(({ id }) => id)
  const count = () => service.db.transaction((queries) => countProjects(queries, ids))
  const asOf = async (client = master.admin) => (await client.call(`${admin}/overview/get-age`)).as_of
  await count()
  assert.equal(await asOf(), null)
  await master.sync()
  const [first] = await service.db.sql<{ at: string }[]>`
    select wire_time(min(created_at)) as at from events where project_id = any(${ids}::bigint[]) and kind = 'template.rolled_out'`
  assert.equal(await asOf(), first?.at)
  const [other] = await service.db.sql<
    { id: number }[]
  >`insert into platforms (name) values ('Other') returning id`
  const { token } = await service.addUser({ superadmin: true, platformId: other?.id as number })
  assert.equal(await asOf(service.client(token)), null)
  await count()
  assert.equal(await asOf(), null)
})

test('of what a rollout changed in many projects a few are read, and none once the figures have followed it', async () => {
  const { sql } = service.db
  const master = await createMaster(service, { projects: 0 })
  const ids = await addProjects(service.db, 200, [master.toolKey])
  await service.db.transaction((queries) => countProjects(queries, ids))
  await master.sync()
  // As in a rollout of 100 batches.
  await sql`
    insert into rollout_batches (rollout_id, number, project_ids, changed_ids, done_at)
    select rollout_id, 1000 + half, array[changed_ids[2 * half - 1], changed_ids[2 * half]], array[changed_ids[2 * half - 1], changed_ids[2 * half]],
      done_at + half * interval '1 millisecond'
    from rollout_batches, generate_series(1, 100) half where cardinality(changed_ids) = 200`
  await sql`update rollout_batches set is_counted = true where cardinality(changed_ids) = 200`
  let asOf: string | null = null
  const read = (...tables: string[]) =>
    readsOf(service.db, tables, async (queries) => {
      asOf = await readAge(queries, null)
    })
  const reads = await read('events')
  assert.ok(reads > 0 && reads < 100, String(reads))
  assert.notEqual(asOf, null)
  await countNews(service.db, ids)
  assert.deepEqual([await read('events', 'project_figures', 'project_versions'), asOf], [0, null])
})
