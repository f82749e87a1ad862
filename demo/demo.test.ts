import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { isEmpty, seedDemo } from './seed.ts'

const service = await startTestService()

test('the demo has a running trial, an expired one and a paid subscription, all to the website', async () => {
  assert.ok(await isEmpty(service.db))
  await seedDemo(service.db)
  assert.ok(!(await isEmpty(service.db)))
  const { token } = await service.addUser({ superadmin: true })
  const found = []
  for (const { id, name } of await service.db.sql<{ id: number; name: string }[]>`
    select id, name from projects where kind = 'customer' order by id`) {
    const client = service.client(token, { 'x-project-id': String(id) })
    const { subscriptions } = await client.call('/services/platforms/v1/subscriptions/list')
    for (const { product, status, plan } of subscriptions) found.push([name, product, status, plan])
  }
  assert.deepEqual(found, [
    ['Acme', 'website', 'trialing', null],
    ['Blue', 'website', 'expired', null],
    ['Cedar', 'website', 'active', 'pro'],
  ])
})
