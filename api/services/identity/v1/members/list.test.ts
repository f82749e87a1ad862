import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()

test('200 every member with name and role, and nobody else', async () => {
  const projectId = await service.addProject()
  const elsewhere = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const viewer = await service.addUser({ roles: { [projectId]: 'viewer' } })
  await service.addUser({ roles: { [elsewhere]: 'owner' } })
  const { members } = await service.client(viewer.token).call('/services/identity/v1/members/list')
  assert.deepEqual(
    members.map(({ user_id, role }) => ({ user_id, role })),
    [
      { user_id: owner.id, role: 'owner' },
      { user_id: viewer.id, role: 'viewer' },
    ],
  )
  assert.ok(members.every(({ name }) => name.startsWith('User ')))
})

test('403 and 422 for a project that is not the caller’s, or no project', async () => {
  const projectId = await service.addProject()
  const elsewhere = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'viewer' } })
  const asking = (project: string) =>
    service.client(user.token, { 'x-project-id': project }).attempt('/services/identity/v1/members/list')
  assert.equal((await asking(String(elsewhere))).status, 403)
  assert.equal((await asking('x')).status, 422)
})
