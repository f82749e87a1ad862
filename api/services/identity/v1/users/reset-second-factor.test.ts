import assert from 'node:assert/strict'
import test from 'node:test'
import { TOTP } from 'otpauth'
import { renewRecoveryCodes } from '#identity/second-factor.ts'
import { sender } from '#tests/post.ts'
import { password, startTestService, testTotpSecret } from '#tests/service.ts'

const service = await startTestService()
const { sql } = service.db
const reset = '/services/identity/v1/users/reset-second-factor'
const me = '/services/identity/v1/users/me'
const templates = '/services/operations/v1/admin/master-boards/list'
const [home] = await sql<{ id: number }[]>`select id from platforms order by id limit 1`
const [other] = await sql<{ id: number }[]>`insert into platforms (name) values ('Other') returning id`
const superadmin = await service.addUser({ superadmin: true })

const codeOf = async (token: string, id: number) => {
  const answer = await service.client(token).attempt(reset, { id })
  return [answer.status, answer.ok ? null : answer.code]
}

test('200 the person signs in with the password alone, their sessions end, and the log says who did it for whom', async () => {
  const lost = await service.addUser({ superadmin: true })
  const [recovery = ''] = await service.db.transaction((queries) => renewRecoveryCodes(queries, lost.id))
  const { status, text } = await sender(service, superadmin.token, reset)('', { id: lost.id })
  assert.equal(status, 200, text)
  assert.deepEqual(JSON.parse(text).data, { user: { id: lost.id }, revoked_count: 1 })
  const ended = await service.client(lost.token).attempt(me)
  assert.deepEqual([ended.status, ended.ok || ended.code], [401, 'session_second_factor_changed'])
  const { token } = await service.client().call('/v1/authenticate', { email: lost.email, password })
  const refused = await service.client(token).attempt(templates)
  assert.deepEqual([refused.status, refused.ok || refused.code], [403, 'second_factor_setup_required'])
  assert.equal((await sql`select from recovery_codes where user_id = ${lost.id}`).length, 0, recovery)
  const { entries } = await service
    .client(superadmin.token)
    .call('/services/identity/v1/audit/list', { kind: 'second_factor.reset' })
  assert.deepEqual(
    entries.map(({ actor_id, account_id, details }) => [actor_id, account_id, details]),
    [[superadmin.id, lost.id, { sessions_ended: 1 }]],
  )
})

test('400 for oneself, and for somebody who does not use it; 404 for nobody', async () => {
  assert.deepEqual(await codeOf(superadmin.token, superadmin.id), [400, 'own_second_factor'])
  assert.equal((await service.client(superadmin.token).attempt(templates)).status, 200)
  const without = await service.addUser()
  assert.deepEqual(await codeOf(superadmin.token, without.id), [400, 'second_factor_off'])
  for (const id of [0, -1, 2 ** 53 - 1])
    assert.deepEqual(await codeOf(superadmin.token, id), [404, 'user_not_found'])
})

test('404 for superadmins of another platform, and of one for those of all; 200 within the platform', async () => {
  const ofHome = await service.addUser({ superadmin: true, platformId: home?.id as number })
  const second = await service.addUser({ superadmin: true, platformId: home?.id as number })
  const ofOther = await service.addUser({ superadmin: true, platformId: other?.id as number })
  const inOther = await service.addProject('Elsewhere', [], other?.id as number)
  const inHome = await service.addProject('Here', [], home?.id as number)
  const member = await service.addUser({ roles: { [inHome]: 'member' }, totpSecret: testTotpSecret })
  const ofBoth = await service.addUser({
    roles: { [inHome]: 'member', [inOther]: 'member' },
    totpSecret: testTotpSecret,
  })
  for (const { id } of [superadmin, ofHome, member, ofBoth])
    assert.deepEqual(await codeOf(ofOther.token, id), [404, 'user_not_found'])
  for (const { id } of [superadmin, ofBoth])
    assert.deepEqual(await codeOf(ofHome.token, id), [404, 'user_not_found'])
  for (const { id } of [second, member]) assert.deepEqual(await codeOf(ofHome.token, id), [200, null])
  const code = new TOTP({ secret: testTotpSecret }).generate()
  const still = await service.client().attempt('/v1/authenticate', { email: ofBoth.email, password, code })
  assert.equal(still.status, 200)
})

test('403 if the password was entered more than 15 minutes ago', async () => {
  const late = await service.addUser({ superadmin: true })
  const lost = await service.addUser({ totpSecret: testTotpSecret })
  await sql`update sessions set password_at = now() - interval '15 minutes' where user_id = ${late.id}`
  assert.deepEqual(await codeOf(late.token, lost.id), [403, 'password_confirmation_required'])
  assert.equal((await service.client(lost.token).call(me)).user.second_factor, true)
})

test('of two at once, one resets and the other finds it off', async () => {
  const lost = await service.addUser({ totpSecret: testTotpSecret })
  const second = await service.addUser({ superadmin: true })
  const outcomes = await Promise.all([codeOf(superadmin.token, lost.id), codeOf(second.token, lost.id)])
  assert.deepEqual(
    outcomes.sort(([one], [another]) => Number(one) - Number(another)),
    [
      [200, null],
      [400, 'second_factor_off'],
    ],
  )
})
