import assert from 'node:assert/strict'
import test from 'node:test'
import { post } from '#tests/post.ts'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService()
const path = '/services/identity/v1/users/update'
const me = '/services/identity/v1/users/me'

const shown = async ({ token, email }: { token: string; email: string }) => [
  (await service.client(token).call(me)).user.language,
  (await service.client().call('/v1/authenticate', { email, password })).language,
]

test('200 with the language; sign-in and users/me answer with it from then on, and other users keep theirs', async () => {
  const user = await service.addUser()
  const other = await service.addUser()
  assert.deepEqual(await shown(user), [null, null])
  for (const language of ['de', 'de', 'en', null] as const) {
    const answer = await service.client(user.token).call(path, { language })
    const { name } = (await service.client(user.token).call(me)).user
    assert.deepEqual(answer, { user: { name, language, time_zone: null } })
    assert.deepEqual(await shown(user), [language, language])
    assert.deepEqual(await shown(other), [null, null])
  }
})

test('200 without a language changes nothing', async () => {
  const user = await service.addUser()
  await service.client(user.token).call(path, { language: 'de' })
  const { name } = (await service.client(user.token).call(me)).user
  assert.deepEqual(await service.client(user.token).call(path, {}), {
    user: { name, language: 'de', time_zone: null },
  })
  assert.deepEqual(await shown(user), ['de', 'de'])
})

test('422 for a language that is not known, and nothing changes', async () => {
  const user = await service.addUser()
  await service.client(user.token).call(path, { language: 'en' })
  for (const language of ['fr', 'DE', 'de-AT', 'xx', 'english', '__proto__', 1, true, ['de'], { de: 1 }]) {
    const { status, body } = await post(service, path, user.token, { language })
    assert.equal(status, 422, String(language))
    assert.equal(body.errors?.['language']?.at(-1), 'The selected language is invalid.')
  }
  assert.deepEqual(await shown(user), ['en', 'en'])
})

test('200 with the time zone, which users/me tells; 422 for one that does not exist', async () => {
  const user = await service.addUser()
  const client = service.client(user.token)
  const zone = async () => (await client.call(me)).user.time_zone
  assert.equal(await zone(), null)
  for (const time_zone of ['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT-14', null]) {
    await client.call(path, { time_zone })
    assert.equal(await zone(), time_zone)
  }
  await client.call(path, { time_zone: 'Asia/Kolkata' })
  for (const time_zone of [
    'Mars/Olympus',
    '../../etc/passwd',
    "UTC'; drop table users",
    '+05:00',
    'XYZ5',
    'ü',
  ]) {
    const { status, headers } = await post(service, path, user.token, { time_zone })
    assert.deepEqual([status, headers.get('x-error-code')], [422, 'time_zone_not_found'], time_zone)
  }
  await client.call(path, { language: 'de' })
  assert.equal(await zone(), 'Asia/Kolkata')
})

test('200 with the name, which others see from then on; 422 for an empty one', async () => {
  const projectId = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const client = service.client(user.token)
  await client.call(path, { language: 'de' })
  assert.equal((await client.call(path, { name: ' Ada Lovelace ' })).user.name, 'Ada Lovelace')
  assert.equal((await client.call(path, { name: null })).user.name, 'Ada Lovelace')
  const { members } = await client.call('/services/identity/v1/members/list')
  assert.equal(members[0]?.name, 'Ada Lovelace')
  for (const name of ['', '  ', 'x'.repeat(256)])
    assert.equal((await post(service, path, user.token, { name })).status, 422)
  assert.equal((await client.call(me)).user.language, 'de')
})

test('422 for the name of the support of Cardinal, however it is written', async () => {
  const user = await service.addUser()
  for (const name of [
    'Cardinal support',
    ' CARDINAL-Support ',
    'Cardinal\u200b\u00a0support',
    'Ｃardinal support',
    'Cardinal\u3164support',
    // With Cyrillic letters, a digit and a capital i.
    'С\u0430rdin\u0430l supp\u043ert',
    'CardinaI supp0rt',
    'Cárdinal support',
  ]) {
    const { status, headers } = await post(service, path, user.token, { name })
    assert.deepEqual([status, headers.get('x-error-code')], [422, 'name_reserved'], name)
  }
  const { user: other } = await service.client(user.token).call(path, { name: 'Cardinal Supporter' })
  assert.equal(other.name, 'Cardinal Supporter')
})
