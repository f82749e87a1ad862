import assert from 'node:assert/strict'
import test from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { addRecoveryCodes } from '#identity/accounts.ts'
import { listWrongCodes } from '#identity/wrong-codes.ts'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) })
/** Of ten minutes ago, so that it is never right by chance. */
const wrongCode = () => totp.generate({ timestamp: Date.now() - 600_000 })
const me = '/services/identity/v1/users/me'
const home = '192.0.2.1'

interface Attempt {
  from: string
  code?: string | undefined
  is_recovery?: boolean
  password?: string
}

async function signIn(email: string, { from, ...more }: Attempt) {
  const response = await service.fetch('/v1/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password, ...more }),
  })
  const { data } = (await response.json()) as { data: { token: string } }
  return { status: response.status, retryAfter: response.headers.get('retry-after'), token: data?.token }
}

async function secureUser() {
  const user = await service.addUser({ totpSecret })
  await addRecoveryCodes(service.db, user.id, ['rescue'])
  return user
}

const guessFrom = async (email: string, addresses: string[]) => {
  const statuses: number[] = []
  for (const from of addresses) statuses.push((await signIn(email, { from, code: wrongCode() })).status)
  return statuses
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `198.51.100.${index + 1}`)

test('429 from the fifth wrong code on, whatever addresses they come from, and the right code waits too', async () => {
  const { email } = await secureUser()
  assert.deepEqual(await guessFrom(email, addresses(6)), [401, 401, 401, 401, 429, 429])
  const right = await signIn(email, { from: home, code: totp.generate() })
  assert.deepEqual([right.status, Number(right.retryAfter) > 0], [429, true])
})

test('of 30 parallel wrong codes from 30 addresses at most five are judged', async () => {
  const { email } = await secureUser()
  const results = await Promise.all(addresses(30).map((from) => signIn(email, { from, code: wrongCode() })))
  assert.equal(results.filter(({ status }) => status === 401).length, 4)
})

test('200 by a recovery code while somebody else guesses codes', async () => {
  const { email } = await secureUser()
  await guessFrom(email, addresses(6))
  assert.equal((await signIn(email, { from: home, code: 'rescue', is_recovery: true })).status, 200)
})

test('strangers without the password lock nobody out', async () => {
  const { email } = await secureUser()
  for (const from of addresses(20))
    assert.equal((await signIn(email, { from, code: wrongCode(), password: 'wrong' })).status, 401)
  assert.equal((await signIn(email, { from: home, code: totp.generate() })).status, 200)
})

test('a success begins a new count', async () => {
  const { email } = await secureUser()
  assert.deepEqual(await guessFrom(email, addresses(4)), [401, 401, 401, 401])
  assert.equal((await signIn(email, { from: home, code: totp.generate() })).status, 200)
  assert.deepEqual(await guessFrom(email, addresses(4)), [401, 401, 401, 401])
})

test('429 after ten wrong passwords, however the letters of the address are written', async () => {
  const user = await service.addUser()
  await service.db.sql`update users set email = ${`istanbul-${user.email}`} where id = ${user.id}`
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const spelled = attempt % 2 === 0 ? 'istanbul' : 'İstanbul'
    statuses.push((await signIn(`${spelled}-${user.email}`, { from: home, password: 'wrong' })).status)
  }
  assert.deepEqual(statuses, [...Array(9).fill(401), 429, 429, 429])
  const right = await signIn(`İstanbul-${user.email}`, { from: '192.0.2.2' })
  assert.equal(right.status, 200, 'both are ways to write the same address')
})

test('the owner is told of wrong codes from elsewhere until they dismiss it, not of their own slips', async () => {
  const user = await secureUser()
  const wrongCodes = async () => (await service.client(user.token).call(me)).user.wrong_codes
  assert.equal(await wrongCodes(), null)
  await guessFrom(user.email, ['198.51.100.7', '198.51.100.7', home])
  const warning = await wrongCodes()
  assert.deepEqual([warning?.count, warning?.last_address], [3, home])
  assert.equal((await signIn(user.email, { from: home, code: totp.generate() })).status, 200)
  const left = await wrongCodes()
  assert.deepEqual([left?.count, left?.last_address], [2, '198.51.100.7'])
  const operators = (await listWrongCodes(service.db)).find(({ email }) => email === user.email)
  assert.deepEqual([operators?.count, operators?.last_address], [2, '198.51.100.7'])
  await service.client(user.token).call('/services/identity/v1/second-factor/dismiss-warning')
  assert.equal(await wrongCodes(), null)
  // Three in a row from one place may be somebody else's there.
  await guessFrom(user.email, [home, home, home])
  assert.equal((await signIn(user.email, { from: home, code: 'rescue', is_recovery: true })).status, 200)
  assert.deepEqual([(await wrongCodes())?.count, (await wrongCodes())?.last_address], [3, home])
})

test('200 a password change settles the warning', async () => {
  const user = await secureUser()
  await guessFrom(user.email, ['198.51.100.7'])
  const { token } = await service.client(user.token).call('/services/identity/v1/password/change', {
    current_password: password,
    new_password: 'a much better password',
  })
  assert.equal((await service.client(token).call(me)).user.wrong_codes, null)
})

test('200 dismiss-warning where there is none', async () => {
  const user = await service.addUser()
  await service.client(user.token).call('/services/identity/v1/second-factor/dismiss-warning')
})
