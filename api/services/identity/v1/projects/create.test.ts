import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const path = '/services/identity/v1/projects/create'
const me = '/services/identity/v1/users/me'

test('201 with its templates; the superadmin owns it, and starts in it where they had none', async () => {
  const owner = await service.addUser({ superadmin: true })
  const superadmin = service.client(owner.token)
  const masterBoards = '/services/operations/v1/admin/master-boards'
  const template = await superadmin.call(`${masterBoards}/create`, { title: 'Launch' })
  await superadmin.call(`${masterBoards}/publish`, { id: template.board.id })
  const made = await superadmin.attempt(path, { name: 'Acme' })
  assert.ok(made.ok)
  const { project } = made.data
  assert.deepEqual([made.status, project.name, project.role], [201, 'Acme', 'owner'])
  const { memberships, current_project: current } = await superadmin.call(me)
  assert.deepEqual(memberships, [{ project_id: project.id, project_name: 'Acme', role: 'owner' }])
  assert.equal(current?.id, project.id)
  const { boards } = await superadmin.call('/services/operations/v1/operations/boards/list')
  assert.deepEqual(
    boards.map((board) => board.master_board_id),
    [template.board.id],
  )

  const { entries } = await superadmin.call('/services/identity/v1/audit/list', { kind: 'member.added' })
  assert.deepEqual(
    entries.map(({ actor_id, account_id, project_id, details }) => [
      actor_id,
      account_id,
      project_id,
      details,
    ]),
    [[owner.id, owner.id, project.id, { role: 'owner' }]],
  )

  const second = await superadmin.call(path, { name: 'Blue' })
  assert.equal((await superadmin.call(me)).current_project?.id, project.id)
  assert.notEqual(second.project.id, project.id)
})

test('201 once for one Idempotency-Key', async () => {
  const roles = { [await service.addProject()]: 'owner' as const }
  const { token } = await service.addUser({ superadmin: true, roles })
  const superadmin = service.client(token, { 'idempotency-key': 'one' })
  const first = await superadmin.call(path, { name: 'Once' })
  assert.deepEqual(await superadmin.call(path, { name: 'Once' }), first)
  assert.equal((await service.db.sql`select from projects where name = 'Once'`).length, 1)
})

test('201 once for one Idempotency-Key, also if the project becomes the first of the caller', async () => {
  const { token } = await service.addUser({ superadmin: true })
  const superadmin = service.client(token, { 'idempotency-key': 'first' })
  const first = await superadmin.call(path, { name: 'First' })
  assert.deepEqual(await superadmin.call(path, { name: 'First' }), first)
  assert.equal((await service.db.sql`select from projects where name = 'First'`).length, 1)
})

test('422 for a name that is empty or too long', async () => {
  const superadmin = service.client((await service.addUser({ superadmin: true })).token)
  for (const name of [' ', 'x'.repeat(256)])
    assert.equal((await superadmin.attempt(path, { name })).status, 422)
})
