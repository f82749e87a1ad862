// Idempotency-Key: the work of a write and its answer are kept together, and the same key gives the answer again.

import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { post } from '#tests/post.ts'
import { startTestService, testTotpSecret } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const path = `${operations}/tags/create`
const service = await startTestService()
const { sql } = service.db
const projectId = await service.addProject()

const newUser = () => service.addUser({ roles: { [projectId]: 'admin' } })
const keyed = (token: string, key: string, input: object, to = path, headers = {}) =>
  post<{ tag: { id: number } }>(service, to, token, input, { 'idempotency-key': key, ...headers })
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true'
const tagsNamed = async (name: string) => (await sql`select from tags where name = ${name}`).length
const keysOf = async (userId: number) =>
  (await sql`select from idempotency_keys where user_id = ${userId}`).length

test('the same key gives the same status and body again, marked as replayed, and creates one thing', async () => {
  const { token } = await newUser()
  const first = await keyed(token, 'once', { name: 'Once' })
  assert.deepEqual([first.status, first.headers.has('idempotency-replayed')], [201, false])
  for (let i = 0; i < 2; i++) {
    const again = await keyed(token, 'once', { name: 'Once' })
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
    assert.equal(again.text, first.text)
    assert.match(again.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
  }
  assert.equal(await tagsNamed('Once'), 1)
})

test('a 200 with an empty list is repeated too, even if the thing has changed since', async () => {
  const { token } = await newUser()
  const { body } = await keyed(token, 'make', { name: 'Shortlived' })
  const remove = () => keyed(token, 'remove', { id: body.data.tag.id }, `${operations}/tags/delete`)
  const first = await remove()
  const again = await remove()
  assert.deepEqual([first.status, again.status, isReplay(first), isReplay(again)], [200, 200, false, true])
  assert.equal(again.text, first.text)
})

test('a quoted key is the same as a bare one', async () => {
  const { token } = await newUser()
  const bare = await keyed(token, 'quoted', { name: 'Quoted' })
  const quoted = await keyed(token, '"quoted"', { name: 'Quoted' })
  assert.ok(isReplay(quoted))
  assert.equal(quoted.text, bare.text)
})

test('an equivalent body is the same request', async () => {
  const { token } = await newUser()
  await keyed(token, 'same', { name: 'Same', color: 'red' })
  assert.ok(isReplay(await keyed(token, 'same', { color: 'red', unknown: 1, name: ' Same ' })))
})

test('422 on idempotency_key for the same key with another body, operation, version or project; nothing is done', async () => {
  const other = await service.addProject()
  const { token } = await service.addUser({ roles: { [projectId]: 'admin', [other]: 'admin' } })
  await keyed(token, 'taken', { name: 'Taken' })
  const attempts = [
    await keyed(token, 'taken', { name: 'Taken by another' }),
    await keyed(token, 'taken', { name: 'Taken', color: 'red' }),
    await keyed(token, 'taken', { title: 'Taken', name: 'Taken' }, `${operations}/boards/create`),
    await keyed(token, 'taken', { name: 'Taken' }, path.replace('/v1/', '/v2/')),
    await keyed(token, 'taken', { name: 'Taken' }, path, { 'x-project-id': String(other) }),
  ]
  const codes = { code: 'idempotency_key_already_used', codes: { idempotency_key: ['already_used'] } }
  for (const [index, { status, headers, body }] of attempts.entries()) {
    assert.deepEqual([status, headers.get('x-error-code')], [422, codes.code])
    assert.deepEqual(body, {
      message: 'The idempotency key has been used for another request.',
      errors: { idempotency_key: ['The idempotency key has been used for another request.'] },
      ...(index === 3 && codes),
    })
  }
  assert.equal(await tagsNamed('Taken'), 1)
  assert.equal(await tagsNamed('Taken by another'), 0)
  assert.equal((await sql`select from boards where title = 'Taken'`).length, 0)
  assert.ok(
    isReplay(await keyed(token, 'taken', { name: 'Taken' }, path, { 'x-project-id': String(projectId) })),
  )
})

test('the same key of another user is another key', async () => {
  const [one, two] = [await newUser(), await newUser()]
  const first = await keyed(one.token, 'shared', { name: 'Shared' })
  const second = await keyed(two.token, 'shared', { name: 'Shared' })
  assert.deepEqual([second.status, isReplay(second)], [201, false])
  assert.notEqual(second.body.data.tag.id, first.body.data.tag.id)
  assert.equal(await tagsNamed('Shared'), 2)
})

test('of 16 in parallel one is carried out; the others get its answer, or 400 while it runs', async () => {
  const { token } = await newUser()
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => keyed(token, 'parallel', { name: 'Parallel' })),
  )
  const done = answers.filter((answer) => answer.status === 201 && !isReplay(answer))
  const others = answers.filter((answer) => !done.includes(answer))
  assert.equal(done.length, 1)
  for (const answer of others) {
    const isRunning = answer.status === 400 && /still running/.test(answer.body.message)
    assert.ok(isRunning || (isReplay(answer) && answer.text === done[0]?.text), answer.text)
  }
  assert.equal(await tagsNamed('Parallel'), 1)
})

test('400 at once while the first request still runs, and its answer afterwards', async () => {
  const { token } = await newUser()
  const held = await service.db.transaction(async (queries) => {
    await queries.sql`select from projects where id = ${projectId} for update`
    const first = keyed(token, 'running', { name: 'Running' })
    await waitingForLocks(service.db, 1)
    const { status, body } = await keyed(token, 'running', { name: 'Running' })
    assert.deepEqual(
      { status, body },
      {
        status: 400,
        body: { error: true, message: 'A request with this Idempotency-Key is still running.', data: [] },
      },
    )
    return { first }
  })
  const first = await held.first
  const again = await keyed(token, 'running', { name: 'Running' })
  assert.deepEqual([first.status, again.status, isReplay(again)], [201, 201, true])
})

test('a finished answer is repeated to any number of requests at once', async () => {
  const { token } = await newUser()
  const first = await keyed(token, 'finished', { name: 'Finished' })
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => keyed(token, 'finished', { name: 'Finished' })),
  )
  for (const answer of answers)
    assert.deepEqual([answer.status, isReplay(answer), answer.text], [201, true, first.text])
})

test('a request that failed keeps nothing: the key is free once it can succeed', async () => {
  const user = await newUser()
  const { token } = user
  const board = () => keyed(token, 'tool', { title: 'Shop', tool_key: 'shop' }, `${operations}/boards/create`)
  assert.equal((await board()).status, 422)
  const { admin, boardId, projectId: otherId } = await createBoard(service)
  const group = () =>
    keyed(token, 'group', { board_id: boardId, title: 'Group' }, `${operations}/groups/create`)
  assert.equal((await group()).status, 403)
  await admin.call(`${operations}/boards/delete`, { id: boardId })
  assert.equal((await group()).status, 404)
  assert.equal((await keyed(token, 'field', { name: '' })).status, 422)
  assert.equal(await keysOf(user.id), 0)

  await sql`update projects set tool_keys = '["shop"]' where id = ${projectId}`
  await sql`update boards set deleted_at = null where id = ${boardId}`
  await sql`insert into memberships (project_id, user_id, role) values (${otherId}, ${user.id}, 'admin')`
  for (const answer of [await board(), await group(), await keyed(token, 'field', { name: 'Field' })])
    assert.deepEqual([answer.status, isReplay(answer)], [201, false])
  assert.equal(await keysOf(user.id), 3)
})

test('500 without any effect if the answer cannot be stored', async () => {
  const { token } = await newUser()
  await sql.unsafe(`alter table idempotency_keys add constraint broken check (key <> 'broken')`)
  assert.equal((await keyed(token, 'broken', { name: 'Broken' })).status, 500)
  assert.equal(await tagsNamed('Broken'), 0)
  await sql.unsafe('alter table idempotency_keys drop constraint broken')
  assert.equal((await keyed(token, 'broken', { name: 'Broken' })).status, 201)
  assert.equal(await tagsNamed('Broken'), 1)
})

test('422 for a key of no or more than 255 characters; quotes do not count', async () => {
  const { token } = await newUser()
  for (const key of ['k'.repeat(256), `"${'k'.repeat(256)}"`, '', '""']) {
    const { status, body } = await keyed(token, key, { name: 'Length' })
    assert.equal(status, 422, key)
    assert.deepEqual(Object.keys(body.errors ?? {}), ['idempotency_key'])
  }
  assert.equal(await tagsNamed('Length'), 0)
  for (const key of ['k'.repeat(255), `"${'q'.repeat(255)}"`])
    assert.equal((await keyed(token, key, { name: 'Length' })).status, 201, key)
})

test('after 24 hours the key is free again', async () => {
  const { token, id } = await newUser()
  await keyed(token, 'old', { name: 'Old' })
  await sql`update idempotency_keys set created_at = now() - interval '23 hours' where user_id = ${id}`
  assert.ok(isReplay(await keyed(token, 'old', { name: 'Old' })))
  await sql`update idempotency_keys set created_at = now() - interval '25 hours' where user_id = ${id}`
  const later = await keyed(token, 'old', { name: 'Old later' })
  assert.deepEqual([later.status, isReplay(later)], [201, false])
  assert.ok(isReplay(await keyed(token, 'old', { name: 'Old later' })))
})

test('the answers of a user take 256 MB at most: the oldest are deleted, and the newest are repeated', async () => {
  const { members, cardIds } = await createBoard(service, { cards: 1 })
  const { id, token } = members.member
  await sql`
    insert into idempotency_keys (user_id, key, request_hash, status, body, created_at)
    select ${id}, 'old ' || number, '', 200, repeat('x', 1000000), now() - number * interval '1 minute'
    from generate_series(1, 300) number`
  const rename = (number: number) =>
    keyed(token, `new ${number}`, { id: cardIds[0], title: `Title ${number}` }, `${operations}/cards/update`)
  const { status } = await post(service, `${operations}/cards/update`, token, {
    id: cardIds[0],
    description: '😀'.repeat(65_000),
  })
  assert.equal(status, 200)
  for (let number = 1; number <= 17; number++) assert.equal((await rename(number)).status, 200)
  const [kept] = await sql<{ bytes: number; old: number; oldest: number }[]>`
    select sum(octet_length(body))::int as bytes, count(*) filter (where key like 'old %')::int as old,
      max(substr(key, 5)::int) filter (where key like 'old %') as oldest
    from idempotency_keys where user_id = ${id}`
  assert.ok(kept && kept.bytes <= 260_000_000, `${kept?.bytes} bytes`)
  assert.deepEqual(kept, { ...kept, oldest: kept.old })
  for (const number of [1, 17]) assert.ok(isReplay(await rename(number)))
})

test('403 instead of the answer for a caller who has lost the role', async () => {
  const { token, id } = await newUser()
  await keyed(token, 'role', { name: 'Role' })
  await sql`update memberships set role = 'viewer' where user_id = ${id}`
  assert.equal((await keyed(token, 'role', { name: 'Role' })).status, 403)
})

test('403 instead of an answer that was kept before its project was recorded', async () => {
  const { token, id } = await newUser()
  await keyed(token, 'earlier', { name: 'Earlier' })
  await sql`update idempotency_keys set in_project_id = null where user_id = ${id}`
  assert.equal((await keyed(token, 'earlier', { name: 'Earlier' })).status, 403)
  assert.equal(await tagsNamed('Earlier'), 1)
})

test('reads ignore a key', async () => {
  const { token, id } = await newUser()
  for (let i = 0; i < 2; i++) {
    const answer = await keyed(token, 'read', {}, `${operations}/boards/list`)
    assert.deepEqual([answer.status, isReplay(answer)], [200, false])
  }
  assert.equal(await keysOf(id), 0)
})

test('a write that names a thing of another project waits only for that project', async () => {
  const one = await createBoard(service)
  const two = await createBoard(service)
  const { id, token } = await service.addUser({
    roles: { [one.projectId]: 'admin', [two.projectId]: 'admin' },
  })
  const rename = () =>
    keyed(token, 'across', { id: two.boardId, title: 'Across' }, `${operations}/boards/update`, {
      'x-project-id': String(one.projectId),
    })
  const answer = await service.db.transaction(async (queries) => {
    await queries.run('select lock_project($1)', [one.projectId])
    return rename()
  })
  assert.equal(answer.status, 200)
  assert.equal(await keysOf(id), 1)
})

test('403 for a kept answer after the caller has lost the membership or the role in the project of the answer', async () => {
  const elsewhere = await service.addProject()
  const user = await service.addUser({
    roles: { [elsewhere]: 'admin', [projectId]: 'admin' },
    // Superadmins need one.
    totpSecret: testTotpSecret,
  })
  const there = { 'x-project-id': String(projectId) }
  const create = () => keyed(user.token, 'lost create', { name: 'Lost' }, path, there)
  const { body } = await create()
  const change = () =>
    keyed(user.token, 'lost change', { id: body.data.tag.id, name: 'Found' }, `${operations}/tags/update`)
  assert.equal((await change()).status, 200)
  const replays = async () => [await create(), await change()].map(({ status }) => status)
  assert.deepEqual(await replays(), [201, 200])
  const become = (role: string) => sql`
    update memberships set role = ${role}::role where project_id = ${projectId} and user_id = ${user.id}`
  await become('viewer')
  assert.deepEqual(await replays(), [403, 403])
  await become('member')
  assert.deepEqual(await replays(), [201, 200])
  await sql`delete from memberships where project_id = ${projectId} and user_id = ${user.id}`
  assert.deepEqual(await replays(), [403, 403])
  const refused = await change()
  assert.equal(refused.headers.get('x-error-code'), 'forbidden')
  assert.ok(!isReplay(refused))
  await sql`update users set superadmin = true where id = ${user.id}`
  assert.deepEqual(await replays(), [201, 200])
})
