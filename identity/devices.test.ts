// Whose password is checked next when strangers send many sign-ins at once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import { until } from '#tests/event-stream.ts'
import { password, startTestService } from '#tests/service.ts'
import { knownDevices } from './devices.ts'

const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
const users = await Promise.all(Array.from({ length: 8 }, () => service.addUser()))
const [user, other] = users as [(typeof users)[0], (typeof users)[0]]

const signIn = (email: string, given: string, headers: Record<string, string>) =>
  service.fetch('/v1/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password: given }),
  })

const from = (address: string) => ({ 'x-forwarded-for': address })
const guess = (address: string) => signIn(`${randomUUID()}@example.test`, 'a wrong password', from(address))

/** Keeps wrong sign-ins in flight until the returned function is called. */
async function flood(count: number, addressOf: (number: number) => string) {
  const statuses: number[] = []
  let isOver = false
  const guesses = Array.from({ length: count }, async (_, number) => {
    while (!isOver) statuses.push((await guess(addressOf(number))).status)
  })
  await until(() => statuses.length > 0, 'an answer')
  return async () => {
    isOver = true
    await Promise.all(guesses)
    return new Set(statuses)
  }
}

test('200 for 8 people at new devices while 64 wrong sign-ins come from changing addresses', async () => {
  const stop = await flood(64, (number) => `203.0.113.${number}`)
  const answers = await Promise.all(
    users.map(({ email }, number) => signIn(email, password, from(`198.51.100.${number}`))),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    users.map(() => 200),
  )
  assert.deepEqual(await stop(), new Set([401]))
})

test('200 for 8 people at new devices behind one address while each of 64 wrong sign-ins comes from a new address', async () => {
  let count = 0
  const stop = await flood(64, () => `20.${count >> 8}.${count++ & 255}.7`)
  const answers = await Promise.all(users.map(({ email }) => signIn(email, password, from('198.51.100.200'))))
  assert.deepEqual(
    answers.map(({ status }) => status),
    users.map(() => 200),
  )
  assert.deepEqual(await stop(), new Set([401]))
})

test('200 at a new device while the addresses of one IPv4 network send more than can wait', async () => {
  const stop = await flood(250, (number) => `203.0.113.${number}`)
  assert.equal((await signIn(user.email, password, from('198.51.100.201'))).status, 200)
  assert.deepEqual(await stop(), new Set([401, 429]))
})

test('200 at a new device while the addresses of one IPv6 site send more than can wait', async () => {
  const stop = await flood(300, (number) => `2001:db8:1:${number.toString(16)}::1`)
  assert.equal((await signIn(user.email, password, from('2001:db8:2::1'))).status, 200)
  assert.deepEqual(await stop(), new Set([401, 429]))
})

const cookieOf = async (email: string) => {
  const response = await signIn(email, password, from('198.51.100.1'))
  return response.headers.getSetCookie()[0] ?? ''
}

test('200 at devices that have signed in to the account before, while no other sign-in finds room', async () => {
  const cookies = await Promise.all(users.map(async ({ email }) => (await cookieOf(email)).split(';')[0]))
  const stop = await flood(260, (number) => `20.${number >> 8}.${number & 255}.7`)
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      users.map(({ email }, number) => signIn(email, password, { cookie: `a=b; ${cookies[number]}` })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      users.map(() => 200),
    )
  }
  assert.deepEqual(await stop(), new Set([401, 429]))
})

test('the cookie is for one account, cannot be forged, and scripts and other sites cannot use it', async () => {
  const header = await cookieOf(user.email)
  assert.match(
    header,
    /^__Host-cardinal-device=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; Secure; SameSite=Strict$/,
  )
  const devices = knownDevices(service.db)
  const isKnown = (cookie: string | undefined, email: string) =>
    devices.isKnown({ header: () => cookie }, email)
  const cookie = header.split(';')[0] as string
  assert.ok(await isKnown(cookie, user.email))
  assert.ok(await isKnown(`a=b; ${cookie}; c=d`, user.email.toUpperCase()))
  assert.equal(await isKnown(cookie, other.email), false)
  assert.equal(await isKnown(undefined, user.email), false)
  for (const [part, forged] of [
    [/=./, '=-'],
    [/.{5}$/, 'AAAAA'],
    [/\..*/, ''],
  ] as const)
    assert.equal(await isKnown(cookie.replace(part, forged), user.email), false, forged)
})
