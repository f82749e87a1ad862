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
    assert.deepEqual(answer, { user: { language } })
    assert.deepEqual(await shown(user), [language, language])
    assert.deepEqual(await shown(other), [null, null])
  }
})

test('200 without a language changes nothing', async () => {
  const user = await service.addUser()
  await service.client(user.token).call(path, { language: 'de' })
  assert.deepEqual(await service.client(user.token).call(path, {}), { user: { language: 'de' } })
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
