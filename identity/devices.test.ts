// Whose password is checked next when strangers send many sign-ins at once; devices.long.test.ts has the ones that find no room.
import assert from 'node:assert/strict'
import test from 'node:test'
import { password } from '#tests/service.ts'
import { cookieOf, db, flood, from, signIn, users } from '#tests/sign-in-flood.ts'
import { knownDevices } from './devices.ts'

const [user, other] = users as [(typeof users)[0], (typeof users)[0]]

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

test('the cookie is for one account, cannot be forged, and scripts and other sites cannot use it', async () => {
  const header = await cookieOf(user.email)
  assert.match(
    header,
    /^__Host-cardinal-device=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; Secure; SameSite=Strict$/,
  )
  const devices = knownDevices(db)
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
