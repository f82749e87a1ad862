import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { grayJpeg } from '#tests/photo.ts'
import { post } from '#tests/post.ts'
import { password, startTestService } from '#tests/service.ts'

const path = '/services/identity/v1/users/close' as const
const me = '/services/identity/v1/users/me' as const
const area = '/services/operations/v1/operations'
const server = await startMailServer()
const service = await startTestService({ mail: server.mail })
const { sql } = service.db

test('200 the person is gone and what they wrote stays, by a former member; their cards are unassigned and the address is free', async () => {
  const { projectId, boardId, members, member, admin } = await createBoard(service, { cards: 1 })
  const { id, token, email } = members.member
  const [card] = (await member.call(`${area}/boards/get`, { id: boardId })).board.groups.flatMap(
    (one) => one.cards,
  )
  const cardId = card?.id as number
  await member.call(`${area}/comments/create`, { card_id: cardId, comment: 'Stays' })
  await admin.call(`${area}/cards/update`, { id: cardId, owner_id: id })
  await member.call('/services/identity/v1/users/set-photo', { photo: grayJpeg().toString('base64') })
  const { photo_url: photo } = (await member.call(me)).user
  await member.call(`${area}/cards/follow`, { id: cardId })
  const stream = await openStream(service, token)
  await until(() => stream.messages.length >= 1, 'the first message')
  await member.call(path)
  await until(() => stream.hasEnded(), 'the end of the stream')
  const refused = await post(service, me, token)
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [401, 'session_account_closed'])
  const signIn = await service.client().attempt('/v1/authenticate', { email, password })
  assert.equal(signIn.status, 401)
  const { comments, people } = await admin.call(`${area}/cards/get`, { id: cardId }).then(
    (read) =>
      read as unknown as {
        comments: { comment: string; user_id: number }[]
        people: { id: number; name: string }[]
      },
  )
  assert.deepEqual(
    comments.map(({ comment, user_id }) => [comment, user_id]),
    [['Stays', id]],
  )
  assert.equal(people.find((one) => one.id === id)?.name, 'Former member')
  const [row] = await sql`select owner_id from cards where project_id = ${projectId} and id = ${cardId}`
  assert.equal(row?.['owner_id'], null)
  const { members: left } = await admin.call('/services/identity/v1/members/list')
  assert.ok(!left.some((one) => one.user_id === id))
  assert.equal(
    (await fetch(service.url + photo, { headers: { authorization: `Bearer ${members.admin.token}` } }))
      .status,
    404,
  )
  const [user] = await sql`
    select email, name, password_hash, closed_at is not null as is_closed from users where id = ${id}`
  assert.deepEqual(
    { ...user },
    { email: `closed-${id}@invalid`, name: 'Former member', password_hash: null, is_closed: true },
  )
  for (const table of ['card_follows', 'inbox_items', 'sessions', 'user_photos', 'memberships'])
    assert.equal((await sql`select from ${sql(table)} where user_id = ${id}`).length, 0, table)
  assert.match((await server.newest(email)).subject, /account was closed/)
  const again = await service.addUser()
  await sql`update users set email = ${email} where id = ${again.id}`
})

test('200 an item that was being added to the inbox is deleted too', async () => {
  const { projectId, members, member, admin, cardIds } = await createBoard(service, { cards: 1 })
  const { id } = members.member
  await admin.call(`${area}/cards/update`, { id: cardIds[0] as number, owner_id: id })
  const items = () => sql`select from inbox_items where user_id = ${id}`
  await until(async () => (await items()).length === 1, 'the first item')
  let closing: Promise<unknown> | undefined
  await service.db.transaction(async ({ sql: following }) => {
    await following`select from inbox_positions where project_id = ${projectId} for update`
    await following`
      insert into inbox_items (project_id, user_id, reason, actor_id)
      values (${projectId}, ${id}, 'invitation_accepted', ${members.admin.id})`
    closing = member.call(path)
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    }, 'waiting')
  })
  await closing
  assert.equal((await items()).length, 0)
})

test('400 the last owner of a project hands over first, and learns of which', async () => {
  const { projectId, members } = await createBoard(service)
  await sql`update projects set name = 'Garden' where id = ${projectId}`
  const { token, id } = members.owner
  const refused = await post(service, path, token)
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [400, 'last_owner'])
  assert.equal(
    refused.body.message,
    'You are the last owner of Garden. Transfer the ownership or delete it first.',
  )
  assert.equal((await post(service, me, token)).status, 200)
  await sql`update projects set deleted_at = now() where id = ${projectId}`
  assert.equal((await post(service, path, token)).status, 200)
  assert.equal((await sql`select from memberships where user_id = ${id}`).length, 0)
})

test('400 the last superadmin stays; one of two can go, also at the same moment', async () => {
  const alone = await startTestService()
  const first = await alone.addUser({ superadmin: true })
  const refused = await post(alone, path, first.token)
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [400, 'last_superadmin'])
  const second = await alone.addUser({ superadmin: true })
  const answers = await Promise.all([first, second].map(({ token }) => post(alone, path, token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
})

test('403 with a password that was entered long ago; 401 if the session ends at the same moment', async () => {
  const { token, id } = await service.addUser()
  await sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${id}`
  const refused = await post(service, path, token)
  assert.equal(refused.headers.get('x-error-code'), 'password_confirmation_required')
  await service.client(token).call('/services/identity/v1/password/confirm', { password })
  const both = await service.db.transaction(async ({ sql: held }) => {
    await held`select from sessions where user_id = ${id} for update`
    const calls = Promise.all([post(service, path, token), post(service, path, token)])
    await waitingForLocks(service.db, 2)
    return { calls }
  })
  assert.deepEqual((await both.calls).map(({ status }) => status).sort(), [200, 401])
})

test('404 a removal of somebody who has closed their account cannot be undone', async () => {
  const { members, admin } = await createBoard(service)
  const { id, token } = members.member
  await admin.call('/services/identity/v1/members/remove', { user_id: id })
  assert.equal((await post(service, path, token)).status, 200)
  const restored = await post(service, '/services/identity/v1/members/restore', members.admin.token, {
    user_id: id,
  })
  assert.equal(restored.status, 404)
})

test('nobody joins a project, comes back or gets a name, a photo or a setting while their account is being closed', async () => {
  const { members, admin } = await createBoard(service)
  const { id, token, email } = members.member
  await admin.call('/services/identity/v1/members/remove', { user_id: id })
  const projectId = await service.addProject()
  const inviter = await service.addUser({ roles: { [projectId]: 'owner' } })
  const { secret, hash } = newInvitationSecret(projectId)
  await sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${projectId}, ${email}, 'member', ${hash}, ${inviter.id}, now() + interval '1 day')`
  const { answers } = await service.db.transaction(async (queries) => {
    await queries.sql`select from users where id = ${id} for update`
    const closing = post(service, path, token)
    await waitingForLocks(service.db, 1)
    const others = [
      post(service, '/services/identity/v1/invitations/accept', token, { token: secret }),
      post(service, '/services/identity/v1/members/restore', members.admin.token, { user_id: id }),
      post(service, '/services/identity/v1/users/update', token, { name: 'Still here' }),
      post(service, '/services/identity/v1/users/set-photo', token, { photo: grayJpeg().toString('base64') }),
      post(service, '/services/identity/v1/notifications/update', token, { assigned: 'off' }),
    ]
    await waitingForLocks(service.db, 6)
    return { answers: Promise.all([closing, ...others]) }
  })
  assert.deepEqual(
    (await answers).map(({ status }) => status),
    [200, 403, 404, 401, 401, 401],
  )
  const [user] = await sql`select name, default_project_id from users where id = ${id}`
  assert.deepEqual({ ...user }, { name: 'Former member', default_project_id: null })
  for (const table of ['memberships', 'user_photos', 'notification_settings'])
    assert.equal((await sql`select from ${sql(table)} where user_id = ${id}`).length, 0, table)
})

test('everything that belongs to one person is deleted: a new table of such rows has to be added', async () => {
  const source = await readFile(
    new URL('../../../../../projects/closing-account.ts', import.meta.url),
    'utf8',
  )
  const tables = await sql<{ name: string }[]>`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'users'::regclass and confdeltype = 'c' order by 1`
  // Ending a session moves it to the ended ones; invitations are revoked, and removals cannot be undone.
  const otherwise = ['sessions', 'ended_sessions', 'invitations', 'removed_members']
  const missing = tables.filter(
    ({ name }) => !otherwise.includes(name) && !source.includes(`delete from ${name} `),
  )
  assert.deepEqual(missing, [])
  assert.ok(tables.length > 8)
})
