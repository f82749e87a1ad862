import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import test from 'node:test'
import { openStream, until } from '#tests/event-stream.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { streamCounter } from './event-stream.ts'

const service = await startTestService()
const projectId = await service.addProject()
const most = 50

test('429 for too many open streams of a user, until one is closed; other users are not affected', async () => {
  const user = await service.addUser({ roles: { [projectId]: 'viewer' } })
  const other = await service.addUser({ roles: { [projectId]: 'viewer' } })
  const open = () => openStream(service, user.token)
  // One more than the limit at once, because the count must be right for concurrent calls.
  const streams = await Promise.all(Array.from({ length: most + 1 }, open))
  const refused = streams.map(({ response }) => response).filter(({ status }) => status !== 200)
  assert.deepEqual(
    refused.map(({ status }) => status),
    [429],
  )
  const [answer] = refused as [Response]
  assert.equal(answer.headers.get('retry-after'), '15')
  assert.equal(answer.headers.get('x-error-code'), 'too_many_streams')
  assert.match(answer.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
  assert.deepEqual(await answer.json(), {
    error: true,
    message: 'You have 50 event streams open. Close one of them.',
  })

  const beside = await openStream(service, other.token)
  assert.equal(beside.response.status, 200)
  await streams.find(({ response }) => response.status === 200)?.close()
  const opened: Awaited<ReturnType<typeof open>>[] = []
  await until(async () => opened.push(await open()) > 0 && opened.at(-1)?.response.status === 200, 'room')
  assert.equal((await open()).response.status, 429)
  for (const stream of [...streams, ...opened, beside]) await stream.close()
})

test('a stream that closes at once is not counted', async () => {
  const user = await service.addUser({ roles: { [projectId]: 'viewer' } })
  for (let round = 0; round < 3; round++) {
    const leaving = Array.from({ length: most }, () => {
      const abort = new AbortController()
      const path = `${service.url}/api/services/operations/v1/operations/events/stream`
      const asked = fetch(path, { headers: { authorization: `Bearer ${user.token}` }, signal: abort.signal })
      setTimeout(() => abort.abort(), 5 * round)
      return asked.then((response) => response.body?.cancel()).catch(() => {})
    })
    await Promise.all(leaving)
  }
  let streams: Awaited<ReturnType<typeof openStream>>[] = []
  await until(async () => {
    for (const stream of streams) await stream.close()
    streams = await Promise.all(Array.from({ length: most }, () => openStream(service, user.token)))
    return streams.every(({ response }) => response.status === 200)
  }, 'all of them at once')
  for (const stream of streams) await stream.close()
})

test('a project may have as many streams as are left for others, however many users it has', async () => {
  const take = streamCounter({ ofUser: 4, inAll: 20 })
  const open = (count: number, userOf: (number: number) => number, projectId: number) =>
    Array.from({ length: count }, (_, number) => {
      const raw = new PassThrough()
      return { raw, refused: take(userOf(number), projectId, raw) }
    })
  const refusals = (opened: ReturnType<typeof open>) =>
    opened.map(({ refused }) => refused).filter((refused) => refused !== undefined)
  const first = open(12, (number) => number, 1)
  assert.deepEqual(refusals(first), ['project', 'project'])
  assert.deepEqual(refusals(open(6, (number) => 100 + number, 2)), ['project'])
  assert.deepEqual(refusals(open(5, () => 200, 3)), ['project', 'project'])
  await Promise.all(first.map(({ raw }) => once(raw.destroy(), 'close')))
  assert.deepEqual(refusals(open(5, () => 400, 5)), ['user'])
})

test('429 for a stream whose caller or events cannot be looked up because others lock the table for too long', async () => {
  const { token } = await service.addUser({ roles: { [projectId]: 'viewer' } })
  const open = () => openStream(service, token)
  const before = await open()
  // So many that they could not wait for each other within the time of the transaction.
  const streams = await service.db.transaction(async ({ sql }) => {
    await sql`lock table events in access exclusive mode`
    return Promise.all(Array.from({ length: 40 }, open))
  })
  const [next, call] = await service.db.transaction(async ({ sql }) => {
    await sql`lock table sessions in access exclusive mode`
    return Promise.all([open(), post(service, '/services/identity/v1/users/me', token)])
  })
  for (const { status, headers } of [...streams.map(({ response }) => response), next.response, call]) {
    assert.equal(status, 429)
    assert.equal(headers.get('x-error-code'), 'server_busy')
    assert.equal(headers.get('retry-after'), '2')
    assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  }
  for (const { response } of [...streams, next])
    assert.deepEqual(await response.json(), { error: true, message: 'Too Many Attempts.' })
  const again = await open()
  assert.equal(again.response.status, 200)
  await until(() => again.messages.length > 0, 'the first message')
  await again.close()
  await before.close()
})
