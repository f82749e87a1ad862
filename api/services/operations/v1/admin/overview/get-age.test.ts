import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { createMaster } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'

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
