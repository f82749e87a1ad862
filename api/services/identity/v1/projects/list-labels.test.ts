import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const path = '/services/identity/v1/projects/list-labels' as const
const label = '/services/operations/v1/admin/projects/label' as const
const service = await startTestService()

test('200 admins and owners see the labels of their own project, 403 others see none', async () => {
  const { projectId, members, admin, member } = await createBoard(service)
  const { projectId: otherId } = await createBoard(service)
  const superadmin = service.client((await service.addUser({ superadmin: true })).token)
  assert.deepEqual(await admin.call(path), { labels: [] })
  await superadmin.call(label, { ids: [projectId], add: ['Retail', 'berlin'], remove: [] })
  await superadmin.call(label, { ids: [otherId], add: ['secret'], remove: [] })
  for (const client of [admin, service.client(members.owner.token)])
    assert.deepEqual(await client.call(path), { labels: ['berlin', 'retail'] })
  assert.equal((await member.attempt(path)).status, 403)
  const elsewhere = service.client(members.owner.token, { 'x-project-id': String(otherId) })
  assert.equal((await elsewhere.attempt(path)).status, 403)
})
