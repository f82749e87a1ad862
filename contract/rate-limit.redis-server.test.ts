import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { until } from '#tests/event-stream.ts'
import { startTestService, type TestService } from '#tests/service.ts'

const me = '/services/identity/v1/users/me'

async function startRedis(): Promise<{ url: string; process: ChildProcess }> {
  const finder = createServer().listen(0, '127.0.0.1')
  await once(finder, 'listening')
  const { port } = finder.address() as { port: number }
  finder.close()
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
  return { url: `redis://127.0.0.1:${port}`, process: redis }
}

const redis = await startRedis()
const first = await startTestService({ redisUrl: redis.url, rateLimit: 4 })
const second = await startTestService({ redisUrl: redis.url, rateLimit: 4 }, first.address)

const callOn = async (service: TestService, token: string) => {
  const { status, headers } = await service.fetch(me, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
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

test('without Redis each instance counts on its own and refuses nothing', async () => {
  const { token } = await first.addUser()
  redis.process.kill('SIGKILL')
  await once(redis.process, 'exit')
  assert.deepEqual(await callOn(first, token), [200, '3', null])
  assert.deepEqual(await callOn(second, token), [200, '3', null])
})
