import assert from 'node:assert/strict'
import test from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService()
const folder = '/services/identity/v1/second-factor'
const me = '/services/identity/v1/users/me'
const signIn = (email: string, more: { code?: string; is_recovery?: boolean } = {}) =>
  service.client().attempt('/v1/authenticate', { email, password, ...more })

/** A code of the step after the present one, so that the one that was confirmed does not stand in its way. */
const codeOf = (secret: string, stepsFromNow = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsFromNow * 30_000 })

async function enrolled() {
  const user = await service.addUser()
  const client = service.client(user.token)
  const { secret } = await client.call(`${folder}/begin`, { password })
  const { recovery_codes } = await client.call(`${folder}/confirm`, { code: codeOf(secret) })
  return { user, client, secret, codes: recovery_codes }
}

test('200 begin, confirm: from then on a code is needed, the one that was confirmed works no more, others do', async () => {
  const user = await service.addUser()
  const other = await signIn(user.email)
  const client = service.client(user.token)
  const { secret, uri } = await client.call(`${folder}/begin`, { password })
  assert.match(
    uri,
    new RegExp(`^otpauth://totp/Cardinal:${encodeURIComponent(user.email)}\\?.*secret=${secret}`),
  )
  assert.equal((await signIn(user.email)).status, 200)
  const code = codeOf(secret)
  const { recovery_codes } = await client.call(`${folder}/confirm`, { code })
  assert.equal(new Set(recovery_codes).size, 10)
  for (const recovery of recovery_codes) assert.match(recovery, /^[a-z2-7]{6}(-[a-z2-7]{6}){3}$/)
  assert.equal((await client.call(me)).user.second_factor, true)
  const ended = other.ok && (await service.client(other.data.token).attempt(me))
  assert.equal(ended && !ended.ok && ended.code, 'session_second_factor_changed')
  assert.equal((await signIn(user.email)).status, 403)
  assert.equal((await signIn(user.email, { code })).status, 401)
  assert.equal((await signIn(user.email, { code: codeOf(secret, 1) })).status, 200)
  assert.equal(
    (await signIn(user.email, { code: recovery_codes[0] as string, is_recovery: true })).status,
    200,
  )
})

test('a recovery code works with capitals, with spaces and without its dashes', async () => {
  const { user, codes } = await enrolled()
  const [first = '', second = '', third = ''] = codes
  for (const code of [first.toUpperCase(), ` ${second.replaceAll('-', ' ')} `, third.replaceAll('-', '')])
    assert.equal((await signIn(user.email, { code, is_recovery: true })).status, 200, code)
  const used = third.replaceAll('-', ' – ')
  assert.equal((await signIn(user.email, { code: used, is_recovery: true })).status, 401)
})

test('400 begin when it is on, confirm without a secret; 422 a wrong code or password, and nothing is on', async () => {
  const { client } = await enrolled()
  assert.equal((await client.attempt(`${folder}/begin`, { password })).status, 400)
  assert.equal((await client.attempt(`${folder}/confirm`, { code: '123456' })).status, 400)
  const other = service.client((await service.addUser()).token)
  assert.equal((await other.attempt(`${folder}/begin`, { password: 'wrong' })).status, 422)
  await other.call(`${folder}/begin`, { password })
  assert.equal((await other.attempt(`${folder}/confirm`, { code: '000000' })).status, 422)
  assert.equal((await other.call(me)).user.second_factor, false)
})

test('401 for a change that was still under way when the sessions ended, as after a new password; nothing changes', async () => {
  const off = service.client((await service.addUser()).token)
  const begun = await service.addUser()
  const { secret } = await service.client(begun.token).call(`${folder}/begin`, { password })
  const on = await enrolled()
  const changes = [
    [off, 'begin', { password }],
    [service.client(begun.token), 'confirm', { code: codeOf(secret) }],
    [on.client, 'regenerate-codes', { password, code: on.codes[0] as string, is_recovery: true }],
    [on.client, 'disable', { password, code: codeOf(on.secret, 1) }],
  ] as const
  const state = () => service.db.sql`
    select id, totp_secret, totp_pending_secret, (select count(*) from recovery_codes r where r.user_id = u.id and r.used_at is null)
    from users u order by id`
  const before = await state()
  const answers = await service.db.transaction(async ({ sql }) => {
    await sql`select from users for update`
    const calls = changes.map(([client, name, input]) => client.attempt(`${folder}/${name}`, input))
    await waitingForLocks(service.db, changes.length)
    await sql`delete from sessions`
    return { calls }
  })
  for (const call of answers.calls) assert.equal((await call).status, 401)
  assert.deepEqual(await state(), before)
})

test('200 regenerate-codes with the password and a code of either kind: the new ones work, the old ones do not', async () => {
  const { user, client, secret, codes } = await enrolled()
  const regenerate = `${folder}/regenerate-codes` as const
  const code = codeOf(secret, 1)
  const second = await client.call(regenerate, { password, code })
  assert.equal((await client.attempt(regenerate, { password, code })).status, 422)
  const [recovery = ''] = second.recovery_codes
  const third = await client.call(regenerate, { password, code: recovery, is_recovery: true })
  for (const [given, status] of [
    [codes[0], 401],
    [second.recovery_codes[1], 401],
    [third.recovery_codes[0], 200],
  ] as const)
    assert.equal((await signIn(user.email, { code: given as string, is_recovery: true })).status, status)
})

test('422 regenerate-codes without a right code, then 429: the password alone is not enough to get past the factor', async () => {
  const { user, client, codes } = await enrolled()
  const missing = await client.attempt(`${folder}/regenerate-codes`, { password } as never)
  assert.deepEqual([missing.status, missing.ok || missing.code], [422, 'code_required'])
  const statuses: number[] = []
  for (let i = 0; i < 5; i++)
    statuses.push((await client.attempt(`${folder}/regenerate-codes`, { password, code: '000000' })).status)
  assert.deepEqual(statuses, [422, 422, 422, 422, 429])
  assert.equal((await signIn(user.email, { code: codes[0] as string, is_recovery: true })).status, 200)
})

test('429 confirm: codes of a new secret are guessed no faster than at sign-in', async () => {
  const client = service.client((await service.addUser()).token)
  const { secret } = await client.call(`${folder}/begin`, { password })
  const statuses: number[] = []
  for (let i = 0; i < 5; i++)
    statuses.push((await client.attempt(`${folder}/confirm`, { code: '000000' })).status)
  assert.deepEqual(statuses, [422, 422, 422, 422, 429])
  const right = await client.attempt(`${folder}/confirm`, { code: codeOf(secret) })
  assert.deepEqual([right.status, right.ok || right.code], [429, 'too_many_attempts'])
})

test('400 confirm after 15 minutes: the secret has expired, and a new one works', async () => {
  const { id, token } = await service.addUser()
  const client = service.client(token)
  const { secret } = await client.call(`${folder}/begin`, { password })
  const pass = (minutes: number) => service.db.sql`
    update users set totp_pending_until = totp_pending_until - make_interval(mins => ${minutes}) where id = ${id}`
  await pass(14)
  assert.equal((await client.attempt(`${folder}/confirm`, { code: '000000' })).status, 422)
  await pass(1)
  const late = await client.attempt(`${folder}/confirm`, { code: codeOf(secret) })
  assert.deepEqual([late.status, late.ok || late.code], [400, 'second_factor_setup_expired'])
  const next = await client.call(`${folder}/begin`, { password })
  await client.call(`${folder}/confirm`, { code: codeOf(next.secret) })
})

test('200 disable with the password and a code: no code is needed any more', async () => {
  const { user, client, secret } = await enrolled()
  const code = codeOf(secret, 1)
  assert.equal((await client.attempt(`${folder}/disable`, { password: 'wrong', code })).status, 422)
  const wrong = await client.attempt(`${folder}/disable`, { password, code: '000000' })
  assert.deepEqual([wrong.status, wrong.ok || wrong.code], [422, 'code_incorrect'])
  // The code that was confirmed has been used.
  assert.equal((await client.attempt(`${folder}/disable`, { password, code: codeOf(secret) })).status, 422)
  assert.equal((await signIn(user.email)).status, 403)
  assert.deepEqual(await client.call(`${folder}/disable`, { password, code }), { revoked_count: 0 })
  assert.equal((await signIn(user.email)).status, 200)
})

test('200 disable with a recovery code, and the other sessions end if asked; the log says how many', async () => {
  const { user, client, secret, codes } = await enrolled()
  const other = await signIn(user.email, { code: codeOf(secret, 1) })
  assert.ok(other.ok)
  const [code = ''] = codes
  const wanted = { password, code, is_recovery: true, end_other_sessions: true }
  assert.deepEqual(await client.call(`${folder}/disable`, wanted), { revoked_count: 1 })
  const ended = await service.client(other.data.token).attempt(me)
  assert.deepEqual([ended.status, ended.ok || ended.code], [401, 'session_revoked'])
  assert.equal((await client.call(me)).user.second_factor, false)
  const entries = await service.db.sql`
    select details from audit_entries where kind = 'second_factor.disabled' and account_id = ${user.id}`
  assert.deepEqual(
    entries.map(({ details }) => details),
    [{ sessions_ended: 1 }],
  )
})

test('429 disable: codes are guessed no faster than at sign-in', async () => {
  const { client, codes } = await enrolled()
  const statuses: number[] = []
  for (let i = 0; i < 6; i++)
    statuses.push((await client.attempt(`${folder}/disable`, { password, code: '000000' })).status)
  assert.deepEqual(statuses, [422, 422, 422, 422, 429, 429])
  const recovery = { password, code: codes[0] as string, is_recovery: true }
  assert.equal((await client.attempt(`${folder}/disable`, recovery)).status, 200)
})

test('400 disable and regenerate-codes when it is not on', async () => {
  const client = service.client((await service.addUser()).token)
  for (const operation of ['disable', 'regenerate-codes'] as const)
    assert.equal((await client.attempt(`${folder}/${operation}`, { password, code: '000000' })).status, 400)
})
