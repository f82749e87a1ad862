import assert from 'node:assert/strict'
import test from 'node:test'
import type { Role } from '#identity/roles.ts'
import { addMember } from '#projects/members.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { createBoard } from '#tests/board.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { password, startTestService, type TestUser } from '#tests/service.ts'

const base = '/services/identity/v1/members'
const operations = '/services/operations/v1/operations'
const service = await startTestService()

async function scene(...roles: Role[]) {
  const projectId = await service.addProject()
  const users: TestUser[] = []
  for (const role of roles) users.push(await service.addUser({ roles: { [projectId]: role } }))
  const rolesNow = async () => {
    const rows = await service.db.sql<{ user_id: number; role: Role }[]>`
      select user_id, role from memberships where project_id = ${projectId}`
    return users.map(({ id }) => rows.find(({ user_id }) => user_id === id)?.role)
  }
  return { projectId, users: users as [TestUser, TestUser, TestUser], rolesNow }
}

const outcome = (answer: { ok: boolean; status: number; code?: string }) => [
  answer.status,
  answer.ok ? null : answer.code,
]

const setRole = async (by: TestUser, user: TestUser, role: Role, projectId?: number) =>
  outcome(
    await service
      .client(by.token, projectId === undefined ? {} : { 'x-project-id': String(projectId) })
      .attempt(`${base}/update-role`, { user_id: user.id, role }),
  )

test('200 a role changes with the next call, with an event and an entry in the audit log', async () => {
  const { projectId, users, rolesNow } = await scene('owner', 'viewer')
  const [owner, viewer] = users
  const create = async () =>
    (await service.client(viewer.token).attempt(`${operations}/tags/create`, { name: 'x' })).status
  assert.equal(await create(), 403)
  assert.deepEqual(await setRole(owner, viewer, 'member'), [200, null])
  assert.equal(await create(), 201)
  assert.deepEqual(await rolesNow(), ['owner', 'member'])
  const [event] = await service.db.sql`
    select data from events where project_id = ${projectId} and kind = 'member.updated'`
  assert.deepEqual(event?.['data'], {
    user_id: viewer.id,
    changes: { role: { from: 'viewer', to: 'member' } },
  })
  const { entries } = await service
    .client(owner.token)
    .call('/services/identity/v1/audit/list', { kind: 'member.role_changed' })
  assert.deepEqual(entries[0]?.details, { role: 'member', role_before: 'viewer' })
  // The same role again changes nothing.
  assert.deepEqual(await setRole(owner, viewer, 'member'), [200, null])
  assert.equal(
    (await service.db.sql`select from events where project_id = ${projectId} and kind = 'member.updated'`)
      .length,
    1,
  )
})

test('403 nobody gives more than they have, and an admin does not change an owner', async () => {
  const { projectId, users, rolesNow } = await scene('owner', 'admin', 'member')
  const [owner, admin, member] = users
  assert.deepEqual(await setRole(admin, member, 'owner'), [403, 'role_too_high'])
  assert.deepEqual(await setRole(admin, admin, 'owner'), [403, 'role_too_high'])
  assert.deepEqual(await setRole(admin, owner, 'member'), [403, 'owner_needed'])
  assert.deepEqual(await setRole(admin, member, 'admin'), [200, null])
  assert.deepEqual(await setRole(member, member, 'owner'), [403, 'role_too_high'])
  const superadmin = await service.addUser({ superadmin: true })
  assert.deepEqual(await setRole(superadmin, member, 'owner', projectId), [200, null])
  assert.deepEqual(await rolesNow(), ['owner', 'admin', 'owner'])
})

test('400 for the last owner; of two owners who demote each other one stays', async () => {
  const { users, rolesNow } = await scene('owner', 'owner')
  const [one, two] = users
  const outcomes = await Promise.all([setRole(one, two, 'member'), setRole(two, one, 'member')])
  assert.equal(outcomes.filter(([status]) => status === 200).length, 1)
  assert.equal((await rolesNow()).filter((role) => role === 'owner').length, 1)
  const { users: alone } = await scene('owner')
  assert.deepEqual(await setRole(alone[0], alone[0], 'admin'), [400, 'last_owner'])
  assert.deepEqual(outcome(await service.client(alone[0].token).attempt(`${base}/leave`)), [
    400,
    'last_owner',
  ])
})

test('400 an owner whose account is disabled is no other owner: the last who can sign in stays', async () => {
  const { projectId, users, rolesNow } = await scene('owner', 'owner')
  const [owner, disabled] = users
  const client = service.client(owner.token)
  await service.db.sql`update users set disabled_at = now() where id = ${disabled.id}`
  assert.deepEqual(outcome(await client.attempt(`${base}/leave`)), [400, 'last_owner'])
  const demotion = { user_id: owner.id, role: 'admin' } as const
  assert.deepEqual(outcome(await client.attempt(`${base}/update-role`, demotion)), [400, 'last_owner'])
  assert.deepEqual(outcome(await client.attempt(`${base}/remove`, { user_id: owner.id })), [
    400,
    'last_owner',
  ])
  const closing = await client.attempt('/services/identity/v1/users/close')
  assert.deepEqual(outcome(closing), [400, 'last_owner'])
  const transfer = { user_id: disabled.id }
  assert.deepEqual(outcome(await client.attempt(`${base}/transfer-ownership`, transfer)), [
    400,
    'member_disabled',
  ])
  assert.deepEqual(await rolesNow(), ['owner', 'owner'])
  // If nobody of them can sign in, an operator still brings order, up to the last one.
  await service.db.sql`update users set disabled_at = now() where id = ${owner.id}`
  const superadmin = await service.addUser({ superadmin: true })
  const operator = service.client(superadmin.token, { 'x-project-id': String(projectId) })
  assert.equal((await operator.attempt(`${base}/remove`, { user_id: owner.id })).status, 200)
  const last = await operator.attempt(`${base}/remove`, { user_id: disabled.id })
  assert.deepEqual(outcome(last), [400, 'last_owner'])
})

test('404 who is a member again in any way and then leaves is not brought back by the removal before', async () => {
  const { projectId, users } = await scene('owner', 'admin')
  const [owner, admin] = users
  const client = service.client(owner.token)
  await client.call(`${base}/remove`, { user_id: admin.id })
  // As the command line and single sign-on do.
  await addMember(service.db, projectId, admin.id, 'viewer')
  await service.client(admin.token).call(`${base}/leave`)
  assert.deepEqual(outcome(await client.attempt(`${base}/restore`, { user_id: admin.id })), [
    404,
    'removal_not_found',
  ])
})

test('404 for people who are not members', async () => {
  const { users } = await scene('owner')
  const stranger = await service.addUser()
  assert.deepEqual(await setRole(users[0], stranger, 'member'), [404, 'member_not_found'])
  for (const path of [`${base}/transfer-ownership`, `${base}/restore`] as const) {
    const answer = await service.client(users[0].token).attempt(path, { user_id: stranger.id })
    assert.equal(answer.status, 404)
  }
})

test('200 ownership is transferred: the other is owner, the caller admin', async () => {
  const { users, rolesNow } = await scene('owner', 'member', 'admin')
  const [owner, member, admin] = users
  const transfer = async (by: TestUser, to: TestUser) =>
    outcome(await service.client(by.token).attempt(`${base}/transfer-ownership`, { user_id: to.id }))
  assert.deepEqual(await transfer(admin, member), [403, 'forbidden'])
  await service.db
    .sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${owner.id}`
  assert.deepEqual(await transfer(owner, member), [403, 'password_confirmation_required'])
  await service.db.sql`update sessions set password_at = now() where user_id = ${owner.id}`
  assert.deepEqual(await transfer(owner, member), [200, null])
  assert.deepEqual(await rolesNow(), ['admin', 'owner', 'admin'])
  // To oneself it changes nothing.
  assert.deepEqual(await transfer(member, member), [200, null])
  assert.deepEqual(await rolesNow(), ['admin', 'owner', 'admin'])
})

test('403 a session of long ago makes nobody an owner until the password is entered again', async () => {
  const { users, rolesNow } = await scene('owner', 'member')
  const [owner, member] = users
  await service.db
    .sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${owner.id}`
  const give = async (role: Role) =>
    outcome(await service.client(owner.token).attempt(`${base}/update-role`, { user_id: member.id, role }))
  assert.deepEqual(await give('admin'), [200, null])
  assert.deepEqual(await give('owner'), [403, 'password_confirmation_required'])
  assert.deepEqual(await rolesNow(), ['owner', 'admin'])
  await service.client(owner.token).call('/services/identity/v1/password/confirm', { password })
  assert.deepEqual(await give('owner'), [200, null])
  assert.deepEqual(await rolesNow(), ['owner', 'owner'])
})

test('403 a session of long ago takes the role of no other owner, removes none and brings none back until the password is entered again', async () => {
  const { users, rolesNow } = await scene('owner', 'owner', 'admin')
  const [owner, second, admin] = users
  const client = service.client(owner.token)
  const waitAWhile = async () =>
    void (await service.db.sql`update sessions set password_at = now() - interval '1 hour'
      where user_id in (${owner.id}, ${admin.id})`)
  const confirm = () => client.call('/services/identity/v1/password/confirm', { password })
  const act = async (path: 'remove' | 'restore', user: TestUser, by = owner) =>
    outcome(await service.client(by.token).attempt(`${base}/${path}`, { user_id: user.id }))
  const unconfirmed = [403, 'password_confirmation_required']

  await waitAWhile()
  assert.deepEqual(await setRole(owner, second, 'admin'), unconfirmed)
  assert.deepEqual(await act('remove', second), unconfirmed)
  assert.deepEqual(await rolesNow(), ['owner', 'owner', 'admin'])
  // The same role again changes nothing, and an admin is not asked for what they may not do anyway.
  assert.deepEqual(await setRole(owner, second, 'owner'), [200, null])
  assert.deepEqual(await setRole(admin, second, 'member'), [403, 'owner_needed'])
  assert.deepEqual(await act('remove', second, admin), [403, 'owner_needed'])
  assert.deepEqual(await act('remove', admin), [200, null])
  assert.deepEqual(await act('restore', admin), [200, null])

  await confirm()
  assert.deepEqual(await act('remove', second), [200, null])
  await waitAWhile()
  assert.deepEqual(await act('restore', second, admin), [403, 'role_too_high'])
  assert.deepEqual(await act('restore', second), unconfirmed)
  assert.deepEqual(await rolesNow(), ['owner', undefined, 'admin'])
  await confirm()
  assert.deepEqual(await act('restore', second), [200, null])
  assert.deepEqual(await setRole(owner, second, 'member'), [200, null])
  assert.deepEqual(await setRole(owner, second, 'owner'), [200, null])

  // One's own ownership is given up without a question.
  await waitAWhile()
  assert.deepEqual(await setRole(owner, owner, 'admin'), [200, null])
  assert.deepEqual(await rolesNow(), ['admin', 'owner', 'admin'])
})

test('403 who is no owner any more at the moment of the transfer', async () => {
  const { projectId, users, rolesNow } = await scene('owner', 'member', 'owner')
  const [owner, member] = users
  const transferring = await service.db.transaction(async ({ sql }) => {
    await sql`update memberships set role = 'admin' where project_id = ${projectId} and user_id = ${owner.id}`
    const answer = service.client(owner.token).attempt(`${base}/transfer-ownership`, { user_id: member.id })
    await waitingForLocks(service.db, 1)
    return { answer }
  })
  assert.deepEqual(outcome(await transferring.answer), [403, 'role_too_high'])
  assert.deepEqual(await rolesNow(), ['admin', 'member', 'owner'])
})

test('200 who leaves has no cards left and comes back by an invitation only', async () => {
  const { projectId, members, groupIds, boardId } = await createBoard(service)
  const { owner, member } = members
  const client = service.client(owner.token)
  await client.call(`${operations}/cards/create`, {
    group_id: groupIds[0] as number,
    title: 'Mine',
    owner_id: member.id,
  })
  assert.deepEqual(await service.client(member.token).call(`${base}/leave`), { unassigned_count: 1 })
  const { board } = await client.call(`${operations}/boards/get`, { id: boardId })
  assert.equal(board.groups[0]?.cards[0]?.owner_id, null)
  const [event] = await service.db.sql`
    select data from events where project_id = ${projectId} and kind = 'member.left'`
  assert.deepEqual(event?.['data'], { user_id: member.id })
  assert.deepEqual(outcome(await client.attempt(`${base}/restore`, { user_id: member.id })), [
    404,
    'removal_not_found',
  ])
  const superadmin = await service.addUser({ superadmin: true })
  const left = await service
    .client(superadmin.token, { 'x-project-id': String(projectId) })
    .attempt(`${base}/leave`)
  assert.deepEqual(outcome(left), [400, 'not_a_member'])
})

test('200 a removal is undone with role and cards, except those that somebody else has now', async () => {
  const { members, groupIds, boardId, projectId } = await createBoard(service)
  const { owner, member, admin } = members
  const client = service.client(owner.token)
  const cards: number[] = []
  for (const title of ['One', 'Two', 'Three']) {
    const { card } = await client.call(`${operations}/cards/create`, {
      group_id: groupIds[0] as number,
      title,
      owner_id: member.id,
    })
    cards.push(card.id)
  }
  await client.call(`${base}/remove`, { user_id: member.id })
  await client.call(`${operations}/cards/update`, { id: cards[1] as number, owner_id: admin.id })
  await client.call(`${operations}/cards/delete`, { id: cards[2] as number })
  assert.deepEqual(await client.call(`${base}/restore`, { user_id: member.id }), {
    role: 'member',
    reassigned_count: 1,
  })
  const { board } = await client.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups[0]?.cards.map(({ owner_id }) => owner_id),
    [member.id, admin.id],
  )
  assert.equal((await service.client(member.token).attempt(`${operations}/boards/list`)).status, 200)
  assert.deepEqual(outcome(await client.attempt(`${base}/restore`, { user_id: member.id })), [
    404,
    'removal_not_found',
  ])
  await client.call(`${base}/remove`, { user_id: member.id })
  await service.db.sql`
    update removed_members set removed_at = now() - interval '31 days' where project_id = ${projectId}`
  assert.equal((await client.attempt(`${base}/restore`, { user_id: member.id })).status, 404)
})

test('403 an admin does not bring an owner back, 400 into a project that is full', async () => {
  const { users } = await scene('owner', 'owner', 'admin')
  const [owner, second, admin] = users
  await service.client(owner.token).call(`${base}/remove`, { user_id: second.id })
  const restore = async (by: TestUser, at = service) =>
    outcome(await at.client(by.token).attempt(`${base}/restore`, { user_id: second.id }))
  assert.deepEqual(await restore(admin), [403, 'role_too_high'])
  const full = await startTestService({ quotas: { ...usualQuotas, membersPerProject: 2 } }, service.address)
  assert.deepEqual(await restore(owner, full), [400, 'limit_reached'])
  assert.deepEqual(await restore(owner), [200, null])
})

test('200 whoever loses a role loses the open invitations to it', async () => {
  const { projectId, users } = await scene('owner', 'owner', 'owner')
  const [owner, second, third] = users
  const add = (by: TestUser, role: Role) => service.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${projectId}, ${`${role}${by.id}@example.test`}, ${role}, sha256(${`${role}${by.id}`}::bytea), ${by.id}, now() + interval '1 day')`
  for (const by of [second, third]) for (const role of ['member', 'owner'] as const) await add(by, role)
  await setRole(owner, second, 'admin')
  await service.client(owner.token).call(`${base}/remove`, { user_id: third.id })
  const open = await service.db.sql<{ email: string }[]>`
    select email from invitations where project_id = ${projectId} and revoked_at is null`
  assert.deepEqual(
    open.map(({ email }) => email),
    [`member${second.id}@example.test`],
  )
})

test('200 those who manage members see addresses, two-factor authentication and when people were seen', async () => {
  const { users } = await scene('admin', 'member')
  const [admin, member] = users
  await service.db.sql`delete from sessions where user_id = ${member.id}`
  const list = async () => {
    const { members } = await service.client(admin.token).call(`${base}/list-details`)
    return members.map(({ user_id, email, role, second_factor, last_seen_at }) => ({
      ...{ user_id, email, role, second_factor, isSeen: last_seen_at !== null },
    }))
  }
  assert.deepEqual(await list(), [
    { user_id: admin.id, email: admin.email, role: 'admin', second_factor: false, isSeen: true },
    { user_id: member.id, email: member.email, role: 'member', second_factor: false, isSeen: false },
  ])
  await service.db.sql`
    insert into passkeys (user_id, credential, public_key, counter, name, is_synced)
    values (${member.id}, ${Buffer.from(`passkey ${member.id}`)}, '', 0, 'Phone', false)`
  const factors = async () => (await list()).map(({ second_factor }) => second_factor)
  assert.deepEqual(await factors(), [false, false])
  await service.db.sql`update users set password_hash = null where id = ${member.id}`
  assert.deepEqual(await factors(), [false, true])
  // What a session says is kept when it ends.
  await service.db
    .sql`update sessions set last_used_at = now() - interval '1 hour' where user_id = ${admin.id}`
  await service.client(admin.token).call(`${base}/list-details`)
  const [seen] = await service.db.sql`
    select last_seen_at > now() - interval '1 minute' as is_recent from users where id = ${admin.id}`
  assert.equal(seen?.['is_recent'], true)
})
