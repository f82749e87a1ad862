import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { addressKey, memoryCounter, redisCounter, siteKey } from './rate-limit.ts'

test('a window starts with the first request, and refused ones do not extend it', (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const count = memoryCounter(Date.now)
  assert.deepEqual(count('a', 2), { limit: 2, remaining: 1 })
  t.mock.timers.tick(30_000)
  assert.deepEqual(count('a', 2), { limit: 2, remaining: 0 })
  assert.deepEqual(count('a', 2), { limit: 2, remaining: 0, retryAfterSeconds: 30 })
  assert.deepEqual(count('b', 2), { limit: 2, remaining: 1 })
  t.mock.timers.tick(29_500)
  assert.deepEqual(count('a', 2), { limit: 2, remaining: 0, retryAfterSeconds: 1 })
  t.mock.timers.tick(500)
  assert.deepEqual(count('a', 2), { limit: 2, remaining: 1 })
})

test('a large request counts as several, and each key has a window of its own', () => {
  let now = 0
  const count = memoryCounter(() => now)
  assert.deepEqual(count('a', 10, 7), { limit: 10, remaining: 3 })
  now = 59_000
  assert.deepEqual(count('b', 10), { limit: 10, remaining: 9 })
  assert.deepEqual(count('a', 10, 4), { limit: 10, remaining: 0, retryAfterSeconds: 1 })
  // Past the end of one window and within the other.
  now = 61_000
  assert.deepEqual(count('b', 10), { limit: 10, remaining: 8 })
  assert.deepEqual(count('a', 10), { limit: 10, remaining: 9 })
  now = 118_999
  assert.deepEqual(count('b', 10), { limit: 10, remaining: 7 })
  now = 119_000
  assert.deepEqual(count('b', 10), { limit: 10, remaining: 9 })
})

test('while Redis does not answer, this instance counts for itself', async () => {
  const redis = new Redis({ port: 1, lazyConnect: true, maxRetriesPerRequest: 0, enableOfflineQueue: false })
  redis.on('error', () => {})
  const count = redisCounter(redis, 'test:')
  assert.deepEqual(await count('a', 3, 2), { limit: 3, remaining: 1 })
  assert.deepEqual(await count('a', 3), { limit: 3, remaining: 0 })
  assert.equal((await count('a', 3)).retryAfterSeconds, 60)
  redis.disconnect()
})

test('while Redis hangs only the first call waits for it, and the count is common again once it answers', async () => {
  const answers = [
    Promise.withResolvers<unknown>(),
    Promise.withResolvers<unknown>(),
    Promise.withResolvers<unknown>(),
  ]
  let asked = 0
  const commands = {
    set: () => commands,
    incrby: () => commands,
    pttl: () => commands,
    exec: () => answers[asked++]?.promise,
  }
  const count = redisCounter({ multi: () => commands } as unknown as Redis, 'test:')
  const first = count('a', 9)
  answers[0]?.reject(new Error('Command timed out'))
  assert.equal((await first).remaining, 8)
  // The second asks whether it answers again, and waits no more than the third.
  assert.equal((await count('a', 9)).remaining, 7)
  assert.equal((await count('a', 9)).remaining, 6)
  assert.equal(asked, 2)
  const replies = [
    [null, 'OK'],
    [null, 5],
    [null, 60_000],
  ]
  for (const { resolve } of answers) resolve(replies)
  await setImmediate()
  assert.equal((await count('a', 9)).remaining, 4)
  assert.equal(asked, 3)
})

test('an IPv6 subscriber is one address, however it is written', () => {
  assert.equal(addressKey('203.0.113.7'), '203.0.113.7')
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressKey('2001:db8:1:2::9'), '2001:db8:1:2::/64')
  assert.equal(addressKey('2001:db8::9'), '2001:db8:0:0::/64')
  assert.equal(addressKey('2001:0DB8::9'), '2001:db8:0:0::/64')
  assert.equal(addressKey('2001:db8:0:0:1::'), '2001:db8:0:0::/64')
  assert.equal(addressKey('fe80::1:2%eth0'), 'fe80:0:0:0::/64')
  assert.equal(addressKey('::1'), '0:0:0:0::/64')
  for (const mapped of ['::FFFF:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7', '::ffff:203.0.113.7'])
    assert.equal(addressKey(mapped), '203.0.113.7')
  assert.notEqual(addressKey('::ffff:102:304'), addressKey('::ffff:102:305'))
  assert.equal(addressKey('gone'), 'gone')
  assert.equal(siteKey('2001:db8:1:2::9'), '2001:db8:1::/48')
  assert.equal(siteKey('::ffff:203.0.113.7'), '203.0.113.0/24')
  assert.equal(siteKey('203.0.113.250'), '203.0.113.0/24')
  assert.equal(siteKey('::ffff:198.51.100.77'), '198.51.100.0/24')
  // What is no address is one of a kind.
  for (const odd of ['1.203.0.113.7', '203.0.113.7.1']) assert.equal(siteKey(odd), odd)
})
