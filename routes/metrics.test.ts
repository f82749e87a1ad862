import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const me = '/services/identity/v1/users/me'
const metrics = (at = service, headers: Record<string, string> = {}) =>
  fetch(`${at.url}/metrics`, { headers })

test('metrics count answers by operation and status', async () => {
  await service.client().attempt(me)
  const text = await (await metrics()).text()
  assert.match(text, new RegExp(`cardinal_answer_seconds_count\\{operation="${me}",status="401"\\} 1`))
  assert.match(text, /process_resident_memory_bytes \d+/)
})

test('metrics show pools, queues, streams, kept boards, jobs and rollouts, and all that alerts and the dashboard use', async () => {
  const { boardId, members } = await createBoard(service, { cards: 1 })
  const viewer = members.viewer.token
  await service.client(viewer).call('/services/operations/v1/operations/boards/get', { id: boardId })
  const stream = await openStream(service, viewer)
  await until(() => stream.messages.length > 0, 'the first message')
  // The service does late jobs at once, two at a time.
  const text = await eventually(async () => {
    await service.db.sql`update jobs set run_at = now() - interval '1 hour'`
    const all = await (await metrics()).text()
    assert.match(all, /^cardinal_jobs_due [1-9]/m)
    return all
  })
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  assert.equal(value('cardinal_streams'), 1)
  assert.equal(value('cardinal_kept_boards'), 1)
  assert.ok(value('cardinal_kept_board_bytes') > 100)
  assert.equal(value('cardinal_pool_connections{pool="reads"}'), 10)
  assert.equal(value('cardinal_pool_running{pool="reads"}'), 0)
  assert.ok(value('cardinal_jobs_late_seconds') >= 3600)
  assert.equal(value('cardinal_jobs_dead'), 0)
  await stream.close()

  const monitoring = path.join(import.meta.dirname, '../docs/monitoring')
  for (const file of ['alerts.yml', 'dashboard.json']) {
    const used = (await readFile(path.join(monitoring, file), 'utf8')).matchAll(
      /\b(?:cardinal|process|nodejs)_[a-z0-9_]+/g,
    )
    for (const [name] of used)
      assert.match(
        text,
        new RegExp(`^# TYPE ${name.replace(/_(count|bucket)$/, '')} `, 'm'),
        `${name} in ${file}`,
      )
  }
})

test('403 for requests through a proxy, which are not from loopback', async () => {
  assert.equal((await metrics(service, { 'x-forwarded-for': '203.0.113.1' })).status, 403)
  assert.equal((await metrics(service, { forwarded: 'for=203.0.113.1' })).status, 403)
  const others = { via: '1.1 proxy', 'cf-connecting-ip': '203.0.113.1', 'true-client-ip': '203.0.113.1' }
  for (const name of [
    'x-forwarded',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'x-client-ip',
    'x-original-forwarded-for',
    'x-original-host',
    'x-envoy-external-address',
    'fastly-client-ip',
    'x-cluster-client-ip',
    'x-azure-clientip',
    'x-amzn-trace-id',
    'forwarded-for',
    'cdn-loop',
  ])
    assert.equal((await metrics(service, { [name]: 'x' })).status, 403, name)
  for (const [name, value] of Object.entries(others))
    assert.equal((await metrics(service, { [name]: value })).status, 403, name)
  for (const name of ['x-request-id', 'x-project-id', 'referer', 'accept-language'])
    assert.equal((await metrics(service, { [name]: 'x' })).status, 200, name)
})

test('403 without a token if the service is public, from everywhere', async () => {
  const open = await startTestService({ isPublic: true }, service.address)
  assert.equal((await metrics(open)).status, 403)
  const guarded = await startTestService({ isPublic: true, metricsToken: 'a-token' }, service.address)
  assert.equal((await metrics(guarded, { authorization: 'Bearer a-token' })).status, 200)
})

test('with a token, the token is needed everywhere', async () => {
  const guarded = await startTestService({ metricsToken: 'a-token' })
  assert.equal((await metrics(guarded)).status, 403)
  assert.equal((await metrics(guarded, { authorization: 'Bearer other' })).status, 403)
  assert.equal((await metrics(guarded, { authorization: 'Bearer a-token' })).status, 200)
})

test('live while the process answers, ready while the database does', async () => {
  const health = async (name: string) => (await fetch(`${service.url}/api/health/${name}`)).status
  assert.deepEqual([await health('live'), await health('ready')], [200, 200])
  await service.db.sql`alter table schema_migrations rename to away`
  assert.deepEqual([await health('live'), await health('ready')], [200, 503])
  await service.db.sql`alter table away rename to schema_migrations`
  assert.equal(await health('ready'), 200)
})

test('429 for an address that asks too often whether the service is ready, apart from its other requests', async () => {
  const limited = await startTestService({ anonymousRateLimit: 2 }, service.address)
  const ask = async (path: string) => {
    const { status, headers } = await limited.fetch(path)
    return [status, headers.get('x-error-code'), headers.has('retry-after')]
  }
  const ready = '/health/ready'
  const answers = [await ask(ready), await ask(ready), await ask(ready)]
  assert.deepEqual(answers, [
    [200, null, false],
    [200, null, false],
    [429, 'rate_limited', true],
  ])
  assert.equal((await ask('/nothing'))[0], 404)
  for (let i = 0; i < 3; i++) assert.equal((await ask('/health/live'))[0], 200)
})
