// What programs decide by: the code of every refusal, in a header at v1 and v2, and in the body at v2 alone.
import assert from 'node:assert/strict'
import test from 'node:test'
import { CallFailure } from '#contract/client.ts'
import { createBoard } from './board.ts'
import { startTestService } from './service.ts'

const service = await startTestService()
const projectId = await service.addProject()
const member = await service.addUser({ roles: { [projectId]: 'member' } })
const cards = '/services/operations/v1/operations/cards'

interface Asked {
  path: string
  token?: string
  body?: string
  method?: string
  headers?: Record<string, string>
}

async function ask({ path, token = member.token, body = '{}', method = 'POST', headers }: Asked) {
  const response = await service.fetch(path, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      ...headers,
    },
    ...(method === 'POST' && { body }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  return { status: response.status, code: response.headers.get('x-error-code'), answer }
}

const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`

test('every refusal of the router has a code, and only v2 has it in the body', async () => {
  const cases: [number, string, Omit<Asked, 'path'>, string?][] = [
    [400, 'body_not_json', { body: '{' }],
    [400, 'body_not_an_object', { body: '[]' }],
    [400, 'body_too_large', { body: large }],
    [400, 'body_too_complex', { body: `{"a":[${'0,'.repeat(2000)}0]}` }],
    [400, 'content_type_not_json', { body: '{"a":1}', headers: { 'content-type': 'text/plain' } }],
    [400, 'content_encoding_not_supported', { body: '{}', headers: { 'content-encoding': 'gzip' } }],
    [401, 'unauthenticated', { token: '' }],
    [403, 'forbidden', {}, '/services/operations/v1/admin/master-boards/list'],
    [404, 'address_not_found', {}, '/services/operations/v1/operations/cards/nothing'],
    [404, 'card_not_found', { body: '{"id":0}' }],
    [405, 'method_not_allowed', { method: 'GET' }],
  ]
  for (const [status, code, asked, path = `${cards}/get`] of cases) {
    const v1 = await ask({ path, ...asked })
    assert.deepEqual([v1.status, v1.code, 'code' in v1.answer], [status, code, false], code)
    const v2 = await ask({ path: path.replace('/v1/', '/v2/'), ...asked })
    assert.deepEqual([v2.status, v2.code], [status, code])
    assert.deepEqual(v2.answer, { ...v1.answer, code })
  }
})

test('422 the code is for the first failing field; v2 lists the codes of all fields', async () => {
  const body = JSON.stringify({ title: 'x'.repeat(256), owner_id: 'me', priority: 5 })
  const v1 = await ask({ path: `${cards}/create`, body })
  assert.deepEqual(v1, {
    status: 422,
    code: 'title_too_long',
    answer: {
      message: 'The title field must not be greater than 255 characters. (and 3 more errors)',
      errors: {
        title: ['The title field must not be greater than 255 characters.'],
        owner_id: ['The owner id field must be an integer.'],
        priority: ['The priority field must be a string.', 'The selected priority is invalid.'],
      },
    },
  })
  const v2 = await ask({ path: `${cards.replace('/v1/', '/v2/')}/create`, body })
  assert.deepEqual(v2.answer, {
    ...v1.answer,
    code: 'title_too_long',
    codes: { title: ['too_long'], owner_id: ['not_an_integer'], priority: ['not_a_string', 'not_a_choice'] },
  })
})

test('422 an operation and a type give codes of the same form for a field', async () => {
  const homeless = await ask({ path: `${cards}/create`, body: '{"title":"A"}' })
  assert.deepEqual([homeless.status, homeless.code], [422, 'group_id_not_found'])
  const groups = '/services/operations/v2/operations/groups/reorder'
  const listed = await ask({ path: groups, body: '{"groups":[{"id":0,"position":1}]}' })
  assert.deepEqual([listed.status, listed.code], [422, 'groups_id_not_found'])
  assert.deepEqual(listed.answer['codes'], { 'groups.0.id': ['not_found'] })
})

test('the client has the code and the field codes, returned or thrown', async () => {
  const client = service.client(member.token)
  const missing = await client.attempt(`${cards}/get`, { id: 0 })
  assert.ok(!missing.ok)
  assert.deepEqual([missing.code, missing.codes], ['card_not_found', {}])
  await assert.rejects(
    client.call(`${cards}/create`, { title: '' }),
    (error) =>
      error instanceof CallFailure &&
      error.refusal.code === 'title_required' &&
      error.refusal.codes['title']?.[0] === 'required',
  )
})

test('400 for two credentials at once, and 403 for a user without a project', async () => {
  const both = { cookie: '__Host-cardinal=x', origin: service.url }
  const twice = await ask({ path: `${cards}/get`, headers: both })
  assert.deepEqual([twice.status, twice.code], [400, 'two_credentials'])
  const nowhere = await service.addUser({ superadmin: true })
  const alone = await ask({ path: '/services/operations/v1/operations/tags/list', token: nowhere.token })
  assert.deepEqual([alone.status, alone.code], [403, 'no_project'])
})

test('the event stream refuses with codes, at v2 in the body too', async () => {
  for (const version of ['v1', 'v2']) {
    const path = `/services/operations/${version}/operations/events/stream`
    const nobody = await ask({ path, method: 'GET', token: '' })
    assert.deepEqual([nobody.status, nobody.code], [401, 'unauthenticated'])
    assert.equal('code' in nobody.answer, version === 'v2')
    const nowhere = await ask({ path: `${path}?project_id=x`, method: 'GET' })
    assert.deepEqual([nowhere.status, nowhere.code], [422, 'x_project_id_not_an_integer'])
  }
})

test('422 a description that is too long or has too much markup, wherever one is taken', async () => {
  const { token } = await service.addUser({ superadmin: true })
  const { groupIds, cardIds, members } = await createBoard(service, { cards: 1 })
  const admin = '/services/operations/v1/admin'
  const taking: [string, string, object][] = [
    [token, `${admin}/master-boards/create`, { title: 'A' }],
    [token, `${admin}/master-boards/update`, { id: 0 }],
    [token, `${admin}/master-groups/create`, { board_id: 0, title: 'A' }],
    [token, `${admin}/master-groups/update`, { id: 0 }],
    [token, `${admin}/master-cards/create`, { group_id: 0, title: 'A' }],
    [token, `${admin}/master-cards/update`, { id: 0 }],
    [members.member.token, `${cards}/create`, { title: 'A', group_id: groupIds[0] }],
    [members.member.token, `${cards}/update`, { id: cardIds[0] }],
  ]
  const wrong = { too_long: `<p>${'ü'.repeat(40_000)}`, too_much_markup: '<p>x'.repeat(2501) }
  for (const [by, path, fields] of taking)
    for (const [code, description] of Object.entries(wrong)) {
      const refused = await ask({ path, token: by, body: JSON.stringify({ ...fields, description }) })
      assert.deepEqual([refused.status, refused.code], [422, `description_${code}`], path)
    }
})

test('422 for a bad description comes before 403 and 404 for the thing, with and without an Idempotency-Key', async () => {
  const { cardIds } = await createBoard(service, { cards: 1 })
  const description = '<p>x'.repeat(2501)
  for (const [index, id] of [0, cardIds[0]].entries())
    for (const headers of [{}, { 'idempotency-key': `description ${index}` }]) {
      const path = `${cards}/update`
      const bad = await ask({ path, body: JSON.stringify({ id, description }), headers })
      assert.deepEqual([bad.status, bad.code], [422, 'description_too_much_markup'])
      const good = await ask({ path, body: JSON.stringify({ id, description: 'x' }), headers })
      assert.equal(good.status, id === 0 ? 404 : 403)
    }
})

test('404 for a thing of any kind that is not deleted', async () => {
  for (const kind of ['board', 'group', 'card']) {
    const path = '/services/operations/v1/operations/trash/get'
    const missing = await ask({ path, body: JSON.stringify({ kind, id: 0 }) })
    assert.deepEqual([missing.status, missing.code], [404, `${kind}_not_found`])
  }
})

test('403 users/me for a user who has left their default project', async () => {
  const left = await service.addProject()
  const user = await service.addUser({ roles: { [left]: 'member' } })
  await service.db.sql`delete from memberships where project_id = ${left} and user_id = ${user.id}`
  const path = '/services/identity/v1/users/me'
  const { status, code } = await ask({ path, token: user.token })
  assert.deepEqual([status, code], [403, 'no_project'])
})

test('422 and then 429 for wrong passwords, in every operation that asks for one', async () => {
  for (const action of ['begin', 'disable', 'regenerate-codes']) {
    const { token } = await service.addUser()
    const path = `/services/identity/v1/second-factor/${action}`
    const codes = new Set<string | null>()
    for (let attempt = 0; attempt < 10; attempt++)
      codes.add((await ask({ path, token, body: '{"password":"wrong","code":"000000"}' })).code)
    assert.deepEqual([...codes], ['password_incorrect', 'too_many_attempts'], action)
  }
})
