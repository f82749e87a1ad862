import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Redis } from 'ioredis'
import { until } from '#tests/event-stream.ts'
import { startTestService, type TestService } from '#tests/service.ts'

const me = '/services/identity/v1/users/me'

async function freePort(): Promise<number> {
  const finder = createServer().listen(0, '127.0.0.1')
  await once(finder, 'listening')
  const { port } = finder.address() as { port: number }
  finder.close()
  return port
}

async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ])
  after(() => redis.kill('SIGKILL'))
  let output = ''
  redis.stdout.on('data', (chunk) => {
    output += chunk
  })
  await until(() => output.includes('Ready to accept connections'), 'the start of Redis')
  return redis
}

const port = await freePort()
const redisUrl = `redis://127.0.0.1:${port}`
let redis = await startRedis(port)
const first = await startTestService({ redisUrl, rateLimit: 4 })
const second = await startTestService({ redisUrl, rateLimit: 4 }, first.address)

const callOn = async (service: TestService, token: string) => {
  const { status, headers } = await service.fetch(me, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5_000),
  })
  return [status, headers.get('x-ratelimit-remaining'), headers.get('retry-after')]
}

test('two instances count together, in a window from the first call', async () => {
  const { token } = await first.addUser()
  await until(
    async () => (await callOn(first, (await first.addUser()).token))[1] === '3',
    'the connection to Redis',
  )
  assert.deepEqual(await callOn(first, token), [200, '3', null])
  assert.deepEqual(await callOn(second, token), [200, '2', null])
  assert.deepEqual(await callOn(first, token), [200, '1', null])
  assert.deepEqual(await callOn(second, token), [200, '0', null])
  const [status, remaining, retryAfter] = await callOn(first, token)
  assert.deepEqual([status, remaining], [429, '0'])
  assert.ok(Number(retryAfter) >= 1 && Number(retryAfter) <= 60)
})

test('429 lasts a minute at most, also after the clock of Redis has gone back an hour', async () => {
  const { token } = await first.addUser()
  for (let count = 0; count < 4; count++) await callOn(first, token)
  const admin = new Redis(redisUrl)
  for (const key of await admin.keys('cardinal:limit:*')) await admin.pexpire(key, 3_660_000)
  for (const service of [first, second]) {
    const [status, , retryAfter] = await callOn(service, token)
    assert.deepEqual([status, Number(retryAfter) <= 60], [429, true])
  }
  const left = await Promise.all((await admin.keys('cardinal:limit:*')).map((key) => admin.pttl(key)))
  assert.ok(left.some((milliseconds) => milliseconds <= 60_000))
  await admin.quit()
})

/** A new user calls one instance, then the other one. */
const callBoth = async () => {
  const { token } = await first.addUser()
  return [await callOn(first, token), await callOn(second, token)]
}
const apart = [
  [200, '3', null],
  [200, '3', null],
]
const together = [
  [200, '3', null],
  [200, '2', null],
]

test('a Redis that hangs or refuses writes holds up nobody, and is used again when it answers', async () => {
  redis.kill('SIGSTOP')
  assert.deepEqual(await callBoth(), apart)
  redis.kill('SIGCONT')
  await until(async () => isDeepStrictEqual(await callBoth(), together), 'the common count')

  const admin = new Redis(redisUrl)
  await admin.replicaof('127.0.0.1', await freePort())
  assert.deepEqual(await callBoth(), apart)
  await admin.replicaof('NO', 'ONE')
  await until(async () => isDeepStrictEqual(await callBoth(), together), 'the common count')
  await admin.quit()
})

test('without Redis each instance counts on its own and refuses nothing, until it is back', async () => {
  redis.kill('SIGKILL')
  await once(redis, 'exit')
  assert.deepEqual(await callBoth(), apart)
  redis = await startRedis(port)
  await until(async () => isDeepStrictEqual(await callBoth(), together), 'the common count')
})
