import assert from 'node:assert/strict'
import test from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { TOTP } from 'otpauth'
import { disableUser } from '#identity/accounts.ts'
import { mostSessions, shortenSessions } from '#identity/sessions.ts'
import { sha256 } from '#identity/tokens.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { post } from '#tests/post.ts'
import { password, startTestService, type TestService, testTotpSecret } from '#tests/service.ts'
import { sweepExpired } from '../../../../../jobs/sweep-expired.ts'

const service = await startTestService()
const me = '/services/identity/v1/users/me'
const list = '/services/identity/v1/sessions/list'
const revoke = '/services/identity/v1/sessions/revoke'
const revokeAll = '/services/identity/v1/sessions/revoke-all'
const change = '/services/identity/v1/password/change'
const newPassword = 'a much better password'

const statusOf = async (token: string) => (await service.client(token).attempt(me)).status
const signIn = async (email: string) =>
  (await service.client().call('/v1/authenticate', { email, password })).token

test('200 list: the valid sessions of the caller alone, the newest first', async () => {
  const user = await service.addUser()
  await service.addUser()
  const token = await signIn(user.email)
  await service.db.sql`
    update sessions set expires_at = now() - interval '1 second'
    where user_id = ${user.id} and token_hash = sha256(${user.token}::bytea)`
  const { sessions } = await service.client(token).call(list)
  assert.equal(sessions.length, 1)
  assert.deepEqual(
    { ...sessions[0], id: 0, created_at: '', last_used_at: '', expires_at: '' },
    {
      id: 0,
      is_current: true,
      carrier: 'bearer',
      second_factor: false,
      address: '127.0.0.1',
      user_agent: 'node',
      created_at: '',
      last_used_at: '',
      expires_at: '',
    },
  )
})

test('200 revoke: this session, or a named one, ends at once', async () => {
  const user = await service.addUser()
  const other = await signIn(user.email)
  const { sessions } = await service.client(user.token).call(list)
  const otherId = sessions.find((session) => !session.is_current)?.id as number
  await service.client(user.token).call(revoke, { id: otherId })
  assert.equal(await statusOf(other), 401)
  assert.deepEqual(await service.client(user.token).call(revoke), [])
  assert.equal(await statusOf(user.token), 401)
})

test('404 revoke: the session of somebody else is not touched', async () => {
  const user = await service.addUser()
  const other = await service.addUser()
  const { sessions } = await service.client(other.token).call(list)
  for (const id of [sessions[0]?.id as number, 0, -1, 2 ** 53 - 1])
    assert.equal((await service.client(user.token).attempt(revoke, { id })).status, 404)
  assert.equal(await statusOf(other.token), 200)
})

test('200 revoke-all: every session of the caller and nobody else', async () => {
  const user = await service.addUser()
  const other = await service.addUser()
  const second = await signIn(user.email)
  assert.deepEqual(await service.client(second).call(revokeAll), { revoked_count: 2 })
  assert.deepEqual(
    [await statusOf(user.token), await statusOf(second), await statusOf(other.token)],
    [401, 401, 200],
  )
})

test('200 revoke-all: the session that asks is kept where it says so', async () => {
  const user = await service.addUser()
  const second = await signIn(user.email)
  assert.deepEqual(await service.client(second).call(revokeAll, { keep_current: true }), { revoked_count: 1 })
  assert.deepEqual([await statusOf(user.token), await statusOf(second)], [401, 200])
})

const unauthenticated = { error: true, message: 'Unauthenticated.' }

/** The status and code for a token, from the headers: v1 has the code nowhere else. */
async function refusalOf(token: string, at: Pick<TestService, 'fetch'> = service) {
  const { status, headers, body } = await post(at, me, token)
  assert.equal(status === 401, isDeepStrictEqual(body, unauthenticated))
  return [status, headers.get('x-error-code')]
}

/** As if so much time had passed since the session was opened or last used. */
async function age(userId: number, time: string) {
  await service.db.sql`
    update sessions set created_at = created_at - ${time}::interval, last_used_at = last_used_at - ${time}::interval,
      expires_at = expires_at - ${time}::interval, ends_at = ends_at - ${time}::interval, password_at = password_at - ${time}::interval
    where user_id = ${userId}`
}

test('401 session_idle for a session that was not used for a week, and each use gives it another week', async () => {
  const user = await service.addUser()
  const token = await signIn(user.email)
  const unused = await signIn(user.email)
  await age(user.id, '6 days 23 hours')
  assert.deepEqual(await refusalOf(token), [200, null])
  await age(user.id, '6 days 23 hours')
  assert.deepEqual(await refusalOf(unused), [401, 'session_idle'])
  assert.deepEqual(await refusalOf(token), [200, null])
  await age(user.id, '7 days')
  assert.deepEqual(await refusalOf(token), [401, 'session_idle'])
  assert.deepEqual(await refusalOf(token), [401, 'session_idle'])
})

test('a use is noted if the last one was noted more than five minutes ago', async () => {
  const user = await service.addUser()
  const token = await signIn(user.email)
  const minutes = async () => {
    const { sessions } = await service.client(token).call(list)
    const used = sessions.find(({ is_current }) => is_current)?.last_used_at ?? ''
    return Math.round((Date.now() - Date.parse(used)) / 60_000)
  }
  await age(user.id, '4 minutes')
  assert.equal(await minutes(), 4)
  await age(user.id, '2 minutes')
  assert.equal(await minutes(), 0)
})

test('401 session_expired 30 days after sign-in, however often it is used; the job that sweeps keeps the reason', async () => {
  const user = await service.addUser()
  const token = await signIn(user.email)
  for (let day = 5; day < 30; day += 5) {
    await age(user.id, '5 days')
    assert.deepEqual(await refusalOf(token), [200, null])
  }
  await age(user.id, '5 days')
  assert.deepEqual(await refusalOf(token), [401, 'session_expired'])
  await sweepExpired(service.db)
  assert.equal((await service.db.sql`select from sessions where token_hash = ${sha256(token)}`).length, 0)
  assert.deepEqual(await refusalOf(token), [401, 'session_expired'])
  await service.db.sql`update ended_sessions set ended_at = now() - interval '31 days'`
  await sweepExpired(service.db)
  assert.deepEqual(await refusalOf(token), [401, 'unauthenticated'])
})

test('lifetimes are settings; shorter ones also apply to sessions that were opened before', async () => {
  const short = await startTestService({ sessions: { days: 2, idleHours: 1 } }, service.address)
  const user = await service.addUser()
  const opened = await short.client().call('/v1/authenticate', { email: user.email, password })
  await age(user.id, '59 minutes')
  assert.deepEqual(await refusalOf(opened.token, short), [200, null])
  await age(user.id, '1 hour')
  assert.deepEqual(await refusalOf(opened.token, short), [401, 'session_idle'])
  const before = await signIn(user.email)
  await age(user.id, '2 hours')
  assert.deepEqual(await refusalOf(before), [200, null])
  await age(user.id, '2 hours')
  await shortenSessions(service.db, { days: 2, idleHours: 1 })
  assert.deepEqual(await refusalOf(before), [401, 'session_idle'])
})

test('the cookie lasts as long as the session can', async () => {
  const short = await startTestService({ sessions: { days: 2, idleHours: 1 } }, service.address)
  const { email } = await service.addUser()
  const response = await short.fetch('/v1/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session': 'cookie' },
    body: JSON.stringify({ email, password }),
  })
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /__Host-cardinal=cardinal_\S+; Path=\/; Max-Age=172800;/,
  )
})

test('401 says why a session has ended: by its user, a new password, a newer token, a disabled account', async () => {
  const user = await service.addUser()
  const revoked = await signIn(user.email)
  const { sessions } = await service.client(user.token).call(list)
  await service.client(user.token).call(revoke, { id: sessions[0]?.id as number })
  assert.deepEqual(await refusalOf(revoked), [401, 'session_revoked'])
  const { token } = await service
    .client(user.token)
    .call(change, { current_password: password, new_password: newPassword })
  assert.deepEqual(await refusalOf(user.token), [401, 'session_password_changed'])
  await disableUser(service.db, user.id)
  assert.deepEqual(await refusalOf(token), [401, 'session_account_disabled'])

  const secured = await service.addUser({ totpSecret: testTotpSecret })
  const code = new TOTP({ secret: testTotpSecret }).generate()
  const passed = await service.client().call('/v1/authenticate', { email: secured.email, password, code })
  await service.client().call('/v1/authenticate', { email: secured.email, password, token: passed.token })
  assert.deepEqual(await refusalOf(passed.token), [401, 'session_replaced'])
})

const stuff = async (userId: number, count: number) => {
  await service.db.sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at, last_used_at)
    select sha256(('stuffed ' || ${userId}::text || ' ' || number)::bytea), ${userId}, 'bearer', false, '127.0.0.1', 'test',
      now() + interval '1 day', now() - make_interval(mins => number)
    from generate_series(1, ${count}::int) number`
}

test('the 101st session ends the one that was used longest ago, and the log says so', async () => {
  const user = await service.addUser()
  await stuff(user.id, 98)
  await service.db.sql`
    update sessions set last_used_at = now() - interval '5 hours' where token_hash = ${sha256(user.token)}`
  const kept = await signIn(user.email)
  assert.deepEqual(await refusalOf(kept), [200, null])
  const newest = await signIn(user.email)
  assert.deepEqual(await refusalOf(user.token), [401, 'session_limit_reached'])
  const { sessions } = await service.client(newest).call(list)
  assert.equal(sessions.length, mostSessions)
  const entries = await service.db.sql`
    select details from audit_entries where kind = 'session.ended' and account_id = ${user.id}`
  assert.deepEqual(
    entries.map(({ details }) => details),
    [{ reason: 'limit_reached' }],
  )
})

test('of the sessions of a user that have ended, the newest 1,000 say why', async () => {
  const user = await service.addUser()
  await service.db.sql`
    insert into ended_sessions (token_hash, user_id, reason, ended_at)
    select sha256(('ended ' || number)::bytea), ${user.id}, 'revoked', now() - make_interval(mins => number)
    from generate_series(1, 1100) number`
  await stuff(user.id, mostSessions - 1)
  const count = async () =>
    (await service.db.sql`select from ended_sessions where user_id = ${user.id}`).length
  const newest = await signIn(user.email)
  assert.equal(await count(), 1000)
  await service.client(newest).call('/services/identity/v1/sessions/revoke')
  assert.equal(await count(), 1000)
  assert.deepEqual(await refusalOf(newest), [401, 'session_revoked'])
})

test('sign-ins at the same moment do not exceed the bound, and each gets a session that works', async () => {
  const user = await service.addUser()
  await stuff(user.id, mostSessions - 1)
  const tokens = await Promise.all([1, 2, 3, 4].map(() => signIn(user.email)))
  for (const token of tokens) assert.deepEqual(await refusalOf(token), [200, null])
  const { sessions } = await service.client(tokens[0]).call(list)
  assert.equal(sessions.length, mostSessions)
})

const confirm = '/services/identity/v1/password/confirm'

test('403 for ending other sessions 15 minutes after the password was entered, until it is confirmed; signing out never asks', async () => {
  const user = await service.addUser()
  const other = await signIn(user.email)
  const client = service.client(user.token)
  const { sessions } = await client.call(list)
  const id = sessions.find((session) => !session.is_current)?.id as number
  await age(user.id, '14 minutes')
  assert.equal((await client.attempt(revoke, { id: 0 })).status, 404)
  await age(user.id, '1 minute')
  for (const answer of [await client.attempt(revoke, { id }), await client.attempt(revokeAll)])
    assert.deepEqual([answer.status, answer.ok || answer.code], [403, 'password_confirmation_required'])
  assert.equal(await statusOf(other), 200)
  assert.equal((await client.attempt(confirm, { password: 'wrong' })).status, 422)
  assert.equal((await client.attempt(revoke, { id })).status, 403)
  await client.call(confirm, { password })
  await client.call(revoke, { id })
  assert.equal(await statusOf(other), 401)
  await age(user.id, '15 minutes')
  await client.call(revoke)
  assert.equal(await statusOf(user.token), 401)
})

test('a password that is confirmed in one session does not count in another', async () => {
  const user = await service.addUser()
  const other = await signIn(user.email)
  await age(user.id, '15 minutes')
  await service.client(user.token).call(confirm, { password })
  assert.equal((await service.client(other).attempt(revokeAll)).status, 403)
})

test('403 if the password was entered at a time that is yet to come, because the clock has gone back since', async () => {
  const { id, token } = await service.addUser()
  await service.db.sql`update sessions set password_at = now() + interval '1 minute' where user_id = ${id}`
  assert.equal((await service.client(token).attempt(revokeAll)).status, 403)
})

test('429 password/confirm: guessing is slowed down like signing in', async () => {
  const { token } = await service.addUser()
  const statuses: number[] = []
  for (let i = 0; i < 10; i++)
    statuses.push((await service.client(token).attempt(confirm, { password: `wrong ${i}` })).status)
  assert.deepEqual(statuses, [...Array(9).fill(422), 429])
})

test('revocation is seen at once by a second instance on the same database', async () => {
  const second = await startTestService({}, service.address)
  const user = await service.addUser()
  assert.equal((await second.client(user.token).attempt(me)).status, 200)
  await service.client(user.token).call(revoke)
  assert.equal((await second.client(user.token).attempt(me)).status, 401)
})

test('200 password/change: every session ends and the new token works', async () => {
  const user = await service.addUser()
  const second = await signIn(user.email)
  const { token } = await service
    .client(second)
    .call(change, { current_password: password, new_password: newPassword })
  assert.deepEqual(
    [await statusOf(user.token), await statusOf(second), await statusOf(token)],
    [401, 401, 200],
  )
  const signedIn = (secret: string) =>
    service.client().attempt('/v1/authenticate', { email: user.email, password: secret })
  assert.equal((await signedIn(password)).status, 401)
  assert.equal((await signedIn(newPassword)).status, 200)
})

test('422 password/change: a wrong current password, a short and a long new one; nothing changes', async () => {
  const user = await service.addUser()
  const client = service.client(user.token)
  const attempts = [
    { current_password: 'wrong', new_password: newPassword },
    { current_password: password, new_password: 'short' },
    { current_password: password, new_password: 'ü'.repeat(600) },
  ]
  for (const attempt of attempts) assert.equal((await client.attempt(change, attempt)).status, 422)
  assert.equal(await statusOf(user.token), 200)
  await signIn(user.email)
})

test('422 password/change: a common or leaked password, words, names, dates, keys or words of the person, with the reason and what to do', async () => {
  const projectId = await service.addProject('Sunflower Bakery')
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const client = service.client(user.token)
  const cause = {
    known: 'most of it is a common password',
    own: 'it has your name, email address or project in it',
    word: 'most of it is a common word',
    name: 'most of it is a name',
  }
  for (const [easy, reason] of [
    ['P@ssw0rd1234', cause.known],
    [user.email, cause.own],
    ['SunflowerBakery1', cause.own],
    ['Sunflower GmbH 2026', cause.own],
    ['cardinal2026', cause.known],
    ['correct horse battery staple', cause.known],
    ['Tr0ub4dor&3xyz', cause.known],
    ['ihatemyjob1234', cause.known],
    ['localhost:4715!', cause.known],
    ['grace@other-site.test', cause.own],
    ['Hallo Welt 2026', cause.word],
    ['Willkommen2024', cause.word],
    ['Schmetterling1', cause.word],
    ['Christopher123', cause.name],
    ['01.02.2003abcd', 'most of it is a date'],
    ['asdfghjklöä1', 'its keys are next to each other'],
    ['mondaytuesday1', 'most of it is a sequence such as abcd or 6543'],
  ] as const) {
    const answer = await client.attempt(change, { current_password: password, new_password: easy })
    assert.ok(!answer.ok, easy)
    const sentence = `This password is too easy to guess, because ${reason}. Use a longer phrase of words that do not belong together.`
    assert.deepEqual(
      [answer.code, answer.errors['new_password']],
      ['new_password_too_easy', [sentence]],
      easy,
    )
  }
  for (const leaked of ['iloveyouforever', 'qwertyuiop123', 'RumTumTugger']) {
    const answer = await client.attempt(change, { current_password: password, new_password: leaked })
    assert.deepEqual(
      !answer.ok && answer.errors['new_password'],
      [
        'This password is on a list of leaked passwords. Use a longer phrase of words that do not belong together.',
      ],
      leaked,
    )
  }
  for (const easy of [
    'Sommer2024!!',
    'Frühling2025!!',
    'Welcome2024!!!',
    'Liverpool2024!',
    'Passwort1234!',
  ]) {
    const answer = await client.attempt(change, { current_password: password, new_password: easy })
    assert.deepEqual([answer.status, answer.ok || answer.code], [422, 'new_password_too_easy'], easy)
  }
  const inGerman = await service
    .client(user.token, { 'accept-language': 'de' })
    .attempt(change, { current_password: password, new_password: 'Willkommen2024' })
  assert.deepEqual(!inGerman.ok && inGerman.errors['new_password'], [
    'Das Passwort ist zu leicht zu erraten, denn es besteht großenteils aus einem häufigen Wort. Besser ist ein längerer Satz aus Wörtern, die nicht zusammengehören.',
  ])
  assert.equal(await statusOf(user.token), 200)
})

test('429 password/change: guessing the current password is slowed down like signing in', async () => {
  const user = await service.addUser()
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) {
    const input = { current_password: `wrong ${i}`, new_password: newPassword }
    statuses.push((await service.client(user.token).attempt(change, input)).status)
  }
  assert.deepEqual(statuses, [...Array(9).fill(422), 429, 429])
})

test('401 password/change: of two at once, the one whose session the other has ended', async () => {
  const user = await service.addUser()
  const attempt = () =>
    service.client(user.token).attempt(change, { current_password: password, new_password: newPassword })
  const held = await service.db.transaction(async (holding) => {
    await holding.sql`select from users where id = ${user.id} for update`
    const both = Promise.all([attempt(), attempt()])
    await waitingForLocks(service.db, 2)
    return { both }
  })
  const statuses = (await held.both).map((result) => result.status).sort()
  assert.deepEqual(statuses, [200, 401])
})
