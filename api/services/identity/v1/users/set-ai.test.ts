import assert from 'node:assert/strict'
import test from 'node:test'
import { post } from '#tests/post.ts'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService()
const path = '/services/identity/v1/users/set-ai'
const me = '/services/identity/v1/users/me'

test('200 by a superadmin; sign-in and users/me answer with it from then on, and other users keep theirs', async () => {
  const superadmin = service.client((await service.addUser({ superadmin: true })).token)
  const user = await service.addUser()
  const other = await service.addUser()
  const shown = async ({ token, email }: { token: string; email: string }) => [
    (await service.client(token).call(me)).user.enable_ai,
    (await service.client().call('/v1/authenticate', { email, password })).enable_ai,
  ]
  assert.deepEqual(await shown(user), [false, false])
  for (const isEnabled of [true, true, false]) {
    const answer = await superadmin.call(path, { id: user.id, enable_ai: isEnabled })
    assert.deepEqual(answer, { user: { id: user.id, enable_ai: isEnabled } })
    assert.deepEqual(await shown(user), [isEnabled, isEnabled])
    assert.deepEqual(await shown(other), [false, false])
  }
})

test('404 for an id that names no user, 403 for everyone else, also about themselves', async () => {
  const { token } = await service.addUser({ superadmin: true })
  for (const id of [0, -1, 999_999_999, Number.MAX_SAFE_INTEGER]) {
    const answer = await post(service, path, token, { id, enable_ai: true })
    assert.deepEqual(
      [answer.status, answer.headers.get('x-error-code'), answer.body],
      [404, 'user_not_found', { error: true, message: 'There is no user with this id.', data: [] }],
    )
  }
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  assert.equal((await post(service, path, owner.token, { id: owner.id, enable_ai: true })).status, 403)
  assert.equal((await service.client(owner.token).call(me)).user.enable_ai, false)
  assert.equal((await post(service, path, token, { id: owner.id, enable_ai: true })).status, 200)
})
