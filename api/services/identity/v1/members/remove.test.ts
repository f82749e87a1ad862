import assert from 'node:assert/strict'
import test from 'node:test'
import type { Role } from '#identity/roles.ts'
import { createBoard } from '#tests/board.ts'
import { openStream } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const remove = '/services/identity/v1/members/remove'
const operations = '/services/operations/v1/operations'

async function scene(...roles: Role[]) {
  const projectId = await service.addProject()
  const users = []
  for (const role of roles) users.push(await service.addUser({ roles: { [projectId]: role } }))
  return { projectId, users: users as [User, User, User] }
}
type User = Awaited<ReturnType<typeof service.addUser>>

const codeOf = async (by: User, userId: number) => {
  const answer = await service.client(by.token).attempt(remove, { user_id: userId })
  return [answer.status, answer.ok ? null : answer.code]
}

test('200 the member is refused at once, their cards are unassigned with an event, and the log names both', async () => {
  const { projectId, members, boardId, groupIds } = await createBoard(service)
  const { owner, member } = members
  const other = await service.addProject()
  const client = service.client(owner.token)
  const { card } = await client.call(`${operations}/cards/create`, {
    group_id: groupIds[0] as number,
    title: 'Mine',
    owner_id: member.id,
  })
  await service.db
    .sql`insert into memberships (project_id, user_id, role) values (${other}, ${member.id}, 'viewer')`
  // Kept in memory with its assignee.
  await client.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(await client.call(remove, { user_id: member.id }), { unassigned_count: 1 })
  const refused = await service
    .client(member.token, { 'x-project-id': String(projectId) })
    .attempt(`${operations}/boards/get`, { id: boardId })
  assert.equal(refused.status, 403)
  const me = await service.client(member.token).call('/services/identity/v1/users/me')
  assert.equal(me.current_project?.id, other)
  const { board: read } = await client.call(`${operations}/boards/get`, { id: boardId })
  assert.equal(read.groups[0]?.cards[0]?.owner_id, null)
  const { activity } = await client.call(`${operations}/activity/list`, {
    board_id: boardId,
    card_id: card.id,
    limit: 1,
  })
  assert.deepEqual(activity[0]?.data, { changes: { owner_id: { from: member.id, to: null } } })
  const { entries } = await client.call('/services/identity/v1/audit/list', { kind: 'member.removed' })
  assert.deepEqual(
    entries.map(({ actor_id, account_id, project_id, details }) => ({
      actor_id,
      account_id,
      project_id,
      details,
    })),
    [{ actor_id: owner.id, account_id: member.id, project_id: projectId, details: { role: 'member' } }],
  )
})

test('200 an event stream of the member ends', async () => {
  const { users } = await scene('owner', 'viewer')
  const [owner, viewer] = users
  const stream = await openStream(service, viewer.token)
  assert.equal(stream.response.status, 200)
  await service.client(owner.token).call(remove, { user_id: viewer.id })
  for (let attempt = 0; !stream.hasEnded() && attempt < 200; attempt++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(stream.hasEnded())
})

test('403 an admin removes admins but no owner; owners and superadmins remove owners', async () => {
  const { projectId, users } = await scene('owner', 'owner', 'admin')
  const [owner, second, admin] = users
  assert.deepEqual(await codeOf(admin, owner.id), [403, 'owner_needed'])
  assert.deepEqual(await codeOf(owner, second.id), [200, null])
  const other = await service.addUser({ roles: { [projectId]: 'admin' } })
  assert.deepEqual(await codeOf(admin, other.id), [200, null])
})

test('400 for the last owner, also by themselves and by a superadmin; of two who remove each other one stays', async () => {
  const { projectId, users } = await scene('owner', 'owner')
  const [one, two] = users
  const outcomes = await Promise.all([codeOf(one, two.id), codeOf(two, one.id)])
  assert.deepEqual(outcomes.filter(([status]) => status === 200).length, 1)
  const [left] = await service.db.sql<{ user_id: number }[]>`
    select user_id from memberships where project_id = ${projectId}`
  const superadmin = await service.addUser({ superadmin: true })
  const answer = await service
    .client(superadmin.token, { 'x-project-id': String(projectId) })
    .attempt(remove, { user_id: left?.user_id as number })
  assert.deepEqual([answer.status, answer.ok ? null : answer.code], [400, 'last_owner'])
})

test('404 for somebody who is no member of the project', async () => {
  const { users } = await scene('owner')
  const stranger = await service.addUser()
  assert.deepEqual(await codeOf(users[0], stranger.id), [404, 'member_not_found'])
})
