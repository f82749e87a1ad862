import assert from 'node:assert/strict'
import test from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { addRecoveryCodes, disableUser } from '#identity/accounts.ts'
import { beginAttempt, passwordGuessing } from '#identity/attempts.ts'
import { secretsWith } from '#identity/secrets.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService()
const nobody = service.client()
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) })
const codeAt = (stepsFromNow: number) => totp.generate({ timestamp: Date.now() + stepsFromNow * 30_000 })

const signIn = (input: {
  email: string
  password?: string
  code?: string | null
  token?: string | null
  is_recovery?: boolean
}) => nobody.attempt('/v1/authenticate', { password, ...input })

async function signedIn(input: Parameters<typeof signIn>[0]) {
  const result = await signIn(input)
  assert.ok(result.ok, JSON.stringify(result))
  return result.data
}

const isValid = async (token: string) =>
  (await service.client(token).attempt('/services/identity/v1/users/me')).status === 200

/** Has signed in before from where the tests do. */
async function userOfKnownDevice() {
  const user = await service.addUser()
  await signedIn({ email: user.email })
  return user
}

async function secureUser({ codes = [] as string[] } = {}) {
  const user = await service.addUser({ totpSecret })
  await addRecoveryCodes(service.db, user.id, codes)
  return user
}

/** A sign-in from an address of its own is not delayed by the failures of others. */
const failuresOf = async (email: string, times: number) => {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await signIn({ email, password: 'wrong' })).status)
  return statuses
}

test('200 with the exact keys, and the token works as Bearer', async () => {
  const user = await service.addUser()
  const response = await service.fetch('/v1/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password }),
  })
  const body = (await response.json()) as { data: { token: string } }
  assert.deepEqual(body, {
    error: false,
    message: 'Signed in.',
    data: {
      needs_code__regeneration: false,
      warn_message: '',
      token: body.data.token,
      language: null,
      id: user.id,
      name: 'User 1',
      email: user.email,
      superadmin: false,
      superadmin_billing: false,
      enable_ai: false,
    },
    errors: [],
  })
  assert.ok(await isValid(body.data.token))
})

test('200 with the e-mail in another case and with spaces around it', async () => {
  const user = await service.addUser()
  await signedIn({ email: `  ${user.email.toUpperCase()} ` })
})

test('the database holds no token, only its hash', async () => {
  const user = await service.addUser()
  const { token } = await signedIn({ email: user.email })
  const rows = await service.db.sql`select s::text as row from sessions s where user_id = ${user.id}`
  assert.equal(rows.length, 2)
  assert.ok(rows.every((row) => !row['row'].includes(token)))
})

test('401 for a wrong password and for an unknown account, with the same body', async () => {
  const user = await service.addUser()
  const wrong = await signIn({ email: user.email, password: 'wrong' })
  const unknown = await signIn({ email: 'nobody@example.test' })
  assert.equal(wrong.status, 401)
  assert.deepEqual({ ...wrong, requestId: '' }, { ...unknown, requestId: '' })
})

test('401 for a password with a space too many: passwords are not trimmed', async () => {
  const user = await service.addUser()
  assert.equal((await signIn({ email: user.email, password: `${password} ` })).status, 401)
})

test('401 for a password of more than 1,024 bytes, without hashing it', async () => {
  const user = await service.addUser()
  assert.equal((await signIn({ email: user.email, password: 'x'.repeat(1025) })).status, 401)
})

test('403 for a disabled account with the right password; its tokens are refused at once', async () => {
  const user = await service.addUser()
  const { token } = await signedIn({ email: user.email })
  await disableUser(service.db, user.id)
  assert.equal((await signIn({ email: user.email })).status, 403)
  assert.equal((await signIn({ email: user.email, password: 'wrong' })).status, 401)
  assert.equal(await isValid(token), false)
})

test('403 when the second factor is on and no code was sent, which counts as no failure', async () => {
  const user = await secureUser()
  for (let i = 0; i < 12; i++) assert.equal((await signIn({ email: user.email })).status, 403)
  await signedIn({ email: user.email, code: codeAt(0) })
})

test('200 with a code of this step and of one either side; 401 two steps away', async () => {
  for (const step of [-1, 0, 1]) await signedIn({ email: (await secureUser()).email, code: codeAt(step) })
  for (const step of [-3, 3])
    assert.equal((await signIn({ email: (await secureUser()).email, code: codeAt(step) })).status, 401)
})

test('401 for a code that was used, and for an older one after it', async () => {
  const user = await secureUser()
  const code = codeAt(0)
  await signedIn({ email: user.email, code })
  assert.equal((await signIn({ email: user.email, code })).status, 401)
  assert.equal((await signIn({ email: user.email, code: codeAt(-1) })).status, 401)
})

test('one of eight parallel sign-ins with the same code succeeds', async () => {
  const user = await secureUser()
  const code = codeAt(0)
  const results = await Promise.all(Array.from({ length: 8 }, () => signIn({ email: user.email, code })))
  const statuses = results.map((result) => result.status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 401 || status === 429).length, 7)
})

test('one of eight parallel sign-ins with the same recovery code succeeds', async () => {
  const user = await secureUser({ codes: ['only-one'] })
  const results = await Promise.all(
    Array.from({ length: 8 }, () => signIn({ email: user.email, code: 'only-one', is_recovery: true })),
  )
  assert.deepEqual(results.map((result) => result.status).sort(), [200, 401, 401, 401, 401, 401, 401, 401])
})

test('a code is ignored where there is no second factor', async () => {
  const user = await service.addUser()
  await signedIn({ email: user.email, code: '000000', is_recovery: true })
})

test('recovery codes: a warning below three, and regeneration when none is left', async () => {
  const user = await secureUser({ codes: ['a', 'b', 'c', 'd'] })
  const use = async (code: string) => {
    const { warn_message, needs_code__regeneration } = await signedIn({
      email: user.email,
      code,
      is_recovery: true,
    })
    return [warn_message, needs_code__regeneration]
  }
  assert.deepEqual(await use('a'), ['', false])
  assert.deepEqual(await use('b'), ['2 recovery codes left.', false])
  assert.deepEqual(await use('c'), ['1 recovery code left.', false])
  assert.deepEqual(await use('d'), ['No recovery codes are left; make new ones.', true])
})

test('401 for a recovery code as a code, and for a code as a recovery code', async () => {
  const user = await secureUser({ codes: ['a'] })
  assert.equal((await signIn({ email: user.email, code: 'a' })).status, 401)
  assert.equal((await signIn({ email: user.email, code: codeAt(0), is_recovery: true })).status, 401)
})

test('a token that passed the second factor stands in for the code, once, and is replaced', async () => {
  const user = await secureUser()
  const first = await signedIn({ email: user.email, code: codeAt(0) })
  const second = await signedIn({ email: user.email, token: first.token })
  assert.equal(await isValid(first.token), false)
  assert.equal(await isValid(second.token), true)
  assert.equal((await signIn({ email: user.email, token: first.token })).status, 403)
  await signedIn({ email: user.email, token: second.token })
})

test('403 with a token of somebody else, of a sign-in without second factor, or of nothing', async () => {
  const other = await signedIn({ email: (await secureUser()).email, code: codeAt(0) })
  const user = await secureUser()
  for (const token of [other.token, user.token, 'nonsense', ''])
    assert.equal((await signIn({ email: user.email, token })).status, 403)
  assert.ok(await isValid(other.token))
})

test('429 from the tenth failure in a row on, also for an account that does not exist', async () => {
  const user = await service.addUser()
  const expected = [...Array(9).fill(401), 429, 429]
  assert.deepEqual(await failuresOf(user.email, 11), expected)
  assert.deepEqual(await failuresOf('nobody-2@example.test', 11), expected)
  const right = await signIn({ email: user.email })
  assert.equal(right.status, 429)
})

test('429: the delay starts at 5 seconds and doubles to 15 minutes', async () => {
  const user = await service.addUser()
  await failuresOf(user.email, 9)
  const delays: (number | undefined)[] = []
  for (let i = 0; i < 10; i++) {
    const result = await signIn({ email: user.email, password: 'wrong' })
    delays.push(result.ok ? 0 : result.retryAfterSeconds)
    await service.db.sql`update sign_in_attempts set blocked_until = now() where blocked_until > now()`
  }
  assert.deepEqual(delays, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
})

test('a success forgets the failures before it', async () => {
  const user = await service.addUser()
  // The first one on a device, and those after it.
  for (let time = 0; time < 2; time++) {
    await failuresOf(user.email, 9)
    await signedIn({ email: user.email })
  }
  assert.deepEqual(await failuresOf(user.email, 9), Array(9).fill(401))
})

test('of 30 parallel guesses at most ten are judged', async () => {
  const user = await service.addUser()
  const results = await Promise.all(
    Array.from({ length: 30 }, () => signIn({ email: user.email, password: 'wrong' })),
  )
  const judged = results.filter((result) => result.status === 401)
  assert.equal(judged.length, 9)
})

test('429 when more sign-ins wait than are admitted, instead of a queue without end', async () => {
  const user = await service.addUser()
  const results = await Promise.all(Array.from({ length: 300 }, () => signIn({ email: user.email })))
  const statuses = new Set(results.map((result) => result.status))
  assert.deepEqual([...statuses].sort(), [200, 429])
})

test('a block that is lifted while its end is being read is no fault', async () => {
  const { sql } = service.db
  const guessing = passwordGuessing('user 0', '127.0.0.1')
  await beginAttempt(service.db, guessing)
  for (let round = 0; round < 100; round++) {
    const turn = sql`update sign_in_attempts set failures = 20, blocked_until =
      case blocked_until when '-infinity' then now() + interval '15 minutes' else '-infinity' end where key = ${guessing.key}`
    await Promise.all([...Array.from({ length: 4 }, () => beginAttempt(service.db, guessing)), turn])
  }
})

test('a hash with other parameters is replaced at the next sign-in', async () => {
  const user = await service.addUser()
  const weaker =
    '$argon2id$v=19$m=8192,t=1,p=1$jxDsi3nYdSAzQw9lNapHUw$OQ5Ve7P4SOT0T3uKQlZtHgVAthUEVjHwUla8yUExDZo'
  await service.db.sql`update users set password_hash = ${weaker} where id = ${user.id}`
  await signedIn({ email: user.email })
  const [row] = await service.db.sql`select password_hash from users where id = ${user.id}`
  assert.match(row?.['password_hash'], /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await signedIn({ email: user.email })
})

test('hostile input ends in a refusal of the right shape', async () => {
  const user = await service.addUser()
  for (const [field, value] of [
    ['email', "x' or '1'='1"],
    ['email', 'a\0b@example.test'],
    ['email', '\ud800@example.test'],
    ['email', `${'a'.repeat(1e4)}@example.test`],
    ['token', 'a\0b'],
  ])
    assert.equal(
      (await signIn({ email: user.email, [field as string]: value })).status,
      422,
      `${field} ${value}`,
    )
  for (const wrong of ['\0', '\ud800', '" or ""="', ' '])
    assert.equal((await signIn({ email: user.email, password: wrong })).status, 401)
  const { superadmin } = await signedIn({
    email: user.email,
    ...{ superadmin: true, id: 1, __proto__: null },
  })
  assert.equal(superadmin, false)
})

test('401 for a code of other characters than digits', async () => {
  const user = await secureUser()
  for (const code of ['éééééé', '12345a', '１２３４５６', '0'.repeat(1000)])
    assert.equal((await signIn({ email: user.email, code })).status, 401, code)
})

test('no session with the old password outlives a change of it, however close they come', async () => {
  const newPassword = 'a much better password'
  for (const user of [await service.addUser(), await userOfKnownDevice(), await userOfKnownDevice()]) {
    const signIns = Array.from({ length: 8 }, async (_, number) => {
      await new Promise((resolve) => setTimeout(resolve, number * 8))
      return signIn({ email: user.email })
    })
    await service.client(user.token).call('/services/identity/v1/password/change', {
      current_password: password,
      new_password: newPassword,
    })
    for (const result of await Promise.all(signIns))
      assert.equal(result.ok && (await isValid(result.data.token)), false)
  }
})

const meanwhile = {
  'the second factor was turned on': { totp_secret: totpSecret },
  'the password was changed': { password_hash: 'another' },
  'the account was disabled': { disabled_at: 'now' },
}
for (const [what, change] of Object.entries(meanwhile))
  test(`a sign-in that began before ${what} opens no session after it`, async () => {
    for (const user of [await service.addUser(), await userOfKnownDevice()]) {
      const { signing } = await service.db.transaction(async ({ sql }) => {
        await sql`select from users where id = ${user.id} for no key update`
        const running = signIn({ email: user.email })
        await waitingForLocks(service.db, 1)
        await sql`update users set ${sql(change)} where id = ${user.id}`
        await sql`delete from sessions where user_id = ${user.id}`
        return { signing: running }
      })
      assert.equal((await signing).status, 401)
      assert.equal((await service.db.sql`select from sessions where user_id = ${user.id}`).length, 0)
    }
  })

test('200 for a code whose secret gets another key while somebody signs in', async () => {
  const user = await secureUser()
  const secrets = secretsWith(() => [Buffer.alloc(32).toString('base64')])
  const { signing } = await service.db.transaction(async ({ sql }) => {
    await sql`select from users where id = ${user.id} for no key update`
    const running = signIn({ email: user.email, code: codeAt(0) })
    await waitingForLocks(service.db, 1)
    await sql`update users set totp_secret = ${secrets.seal(user.id, totpSecret)} where id = ${user.id}`
    return { signing: running }
  })
  assert.equal((await signing).status, 200)
})

test('200 for an address whose small letters are others in JavaScript than in PostgreSQL', async () => {
  const user = await service.addUser()
  const email = `İ${user.email}`
  await service.db.sql`update users set email = ${email} where id = ${user.id}`
  assert.equal((await signIn({ email })).status, 200)
})
