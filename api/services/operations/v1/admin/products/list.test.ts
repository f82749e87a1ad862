import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const list = () => admin.call('/services/operations/v1/admin/products/list')

test('200 the products of the catalogue and those in use, with how many projects have each', async () => {
  const before = await list()
  assert.ok(before.products.some(({ tool_key, name }) => tool_key === 'website' && name !== null))
  const id = await service.addProject('One', ['website', 'own-product'])
  await service.addProject('Two', ['own-product'])
  const after = await list()
  const count = ({ products }: typeof after, key: string) =>
    products.find(({ tool_key }) => tool_key === key)?.projects_count ?? 0
  assert.equal(after.projects_count, before.projects_count + 2)
  assert.equal(count(after, 'website'), count(before, 'website') + 1)
  assert.deepEqual(
    after.products.filter(({ tool_key }) => tool_key === 'own-product'),
    [{ tool_key: 'own-product', name: null, projects_count: 2 }],
  )
  await service.db.sql`update projects set deleted_at = now() where id = ${id}`
  assert.equal(count(await list(), 'own-product'), 1)
})
