// Whose password is checked when strangers send more sign-ins than can wait.
import assert from 'node:assert/strict'
import test from 'node:test'
import { password } from '#tests/service.ts'
import { cookieOf, flood, from, signIn, users } from '#tests/sign-in-flood.ts'

const [user] = users as [(typeof users)[0]]

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
