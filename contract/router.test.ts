// What arrives before any operation is reached: hostile bodies, unknown addresses, limits and headers.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const user = await service.addUser()
const me = '/services/identity/v1/users/me'
const revoke = '/services/identity/v1/sessions/revoke'

const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  service.fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...headers },
    body,
  })

test('404 with the usual body and headers for every unknown address below /api', async () => {
  for (const path of ['', '/', '/v1', '/v1/authenticate/', '/V1/authenticate', '/%zz', '//v1/authenticate'])
    for (const method of ['GET', 'POST', 'PROPFIND', 'QUERY']) {
      // Links for people and programs that look there first.
      if (method === 'GET' && path.length < 2) continue
      const response = await service.fetch(path, { method })
      assert.equal(response.status, 404, `${method} ${path}`)
      assert.deepEqual(await response.json(), { error: true, message: 'Not found.', data: [] })
      assert.match(response.headers.get('x-ratelimit-limit') ?? '', /^\d+$/)
      assert.match(response.headers.get('x-request-id') ?? '', /^[\w-]{36}$/)
    }
})

test('an empty body is {}, whatever its content type', async () => {
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'garbage'])
    assert.equal((await post(me, '', { 'content-type': type })).status, 200, type)
  const bare = await service.fetch(me, { method: 'POST', headers: { authorization: `Bearer ${user.token}` } })
  assert.equal(bare.status, 200)
})

test('JSON with a charset is JSON', async () => {
  assert.equal((await post(me, '{}', { 'content-type': 'Application/JSON; charset=UTF-8' })).status, 200)
})

test('hostile bodies are refused or ignored, and the service keeps running', async () => {
  const deep = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000)
  const cases: [string | Uint8Array<ArrayBuffer>, number][] = [
    [`{"a":${deep('[', ']')}}`, 400],
    [`{"a":${deep('{"a":', '}').replace('{"a":}', '{}')}}`, 400],
    ['{"__proto__":{"id":5},"constructor":{"prototype":{}}}', 200],
    ['{"id":1e309}', 422],
    ['{"id":9007199254740993}', 422],
    ['{"id":-9223372036854775809}', 422],
    ['{"id":2147483648}', 404],
    ['{"id":-1}', 404],
    ['{"id":0}', 404],
    ['{"id":"1; drop table users"}', 422],
    ['{"id":[1]}', 422],
    ['{"id":true}', 422],
    ['{"id":NaN}', 400],
    ["{'id':1}", 400],
    ['\ufeff{}', 400],
    [Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    [`{"a":"${'x'.repeat(64 * 1024 - 8)}"}`, 200],
    [`{"a":"${'x'.repeat(64 * 1024 - 7)}"}`, 400],
    [`{"a":"${'x'.repeat(4 * 1024 * 1024)}"}`, 400],
  ]
  for (const [body, status] of cases) {
    const path = status === 200 ? me : revoke
    assert.equal((await post(path, body)).status, status, String(body).slice(0, 40))
  }
})

test('400 for many JSON shapes, also in a field that is ignored, where a long text is accepted', async () => {
  const board = await createBoard(service)
  const create = async (rest: object) => {
    const response = await service.fetch('/services/operations/v1/operations/cards/create', {
      method: 'POST',
      headers: { authorization: `Bearer ${board.members.member.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Card', group_id: board.groupIds[0], ...rest }),
    })
    return [response.status, response.headers.get('x-error-code')]
  }
  const shapes = (count: number) => Array.from({ length: count }, (_, number) => ({ [`k${number}`]: 1 }))
  assert.deepEqual(await create({ shapes: shapes(60_000) }), [400, 'body_too_complex'])
  assert.deepEqual(await create({ shapes: shapes(400) }), [201, null])
  // 262 kB in UTF-8.
  assert.deepEqual(await create({ description: '😀'.repeat(65_535) }), [201, null])
})

test('a body counts as one request for each 64 KiB', async () => {
  const limited = await startTestService({ rateLimit: 20, anonymousRateLimit: 10 })
  const { token } = await limited.addUser()
  const left = async (bytes: number, headers: Record<string, string>) => {
    const response = await limited.fetch('/services/operations/v1/operations/cards/create', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: 'x'.repeat(bytes),
    })
    return [response.status, response.headers.get('x-ratelimit-remaining')]
  }
  const signedIn = { authorization: `Bearer ${token}` }
  assert.deepEqual(await left(64 * 1024, signedIn), [403, '19'])
  assert.deepEqual(await left(64 * 1024 + 1, signedIn), [403, '17'])
  assert.deepEqual(await left(1024 * 1024, signedIn), [403, '1'])
  assert.deepEqual(await left(128 * 1024, signedIn), [429, '0'])
  assert.deepEqual(await left(600 * 1024, {}), [401, '0'])
  assert.deepEqual(await left(0, {}), [429, '0'])
})

test('400 for a compressed body, whatever is in it', async () => {
  for (const [coding, status, code] of [
    ['gzip', 400, 'content_encoding_not_supported'],
    ['br', 400, 'content_encoding_not_supported'],
    ['identity, deflate', 400, 'content_encoding_not_supported'],
    ['Identity', 200, null],
  ] as const) {
    const answer = await post(me, '{}', { 'content-encoding': coding })
    assert.deepEqual([answer.status, answer.headers.get('x-error-code')], [status, code], coding)
  }
})

/** Sends bytes as they are, and brings what comes back. */
async function sendRaw(bytes: string, { url } = service): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

test('invalid HTTP gets the usual error body too', async () => {
  const long = `POST /api${me} HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`
  for (const [bytes, status, code, message] of [
    ['what?\r\n\r\n', '400 Bad Request', 'not_http', 'This is not a request of HTTP.'],
    [
      long,
      '431 Request Header Fields Too Large',
      'headers_too_large',
      'The headers of the request are too large.',
    ],
  ] as const) {
    const [head = '', body = ''] = (await sendRaw(bytes)).split('\r\n\r\n')
    assert.ok(head.startsWith(`HTTP/1.1 ${status}\r\n`), head)
    assert.match(head, /x-request-id: [\w-]{36}/)
    assert.match(head, /x-ratelimit-limit: \d+\r\nx-ratelimit-remaining: \d+\r\n/)
    assert.match(head, new RegExp(`x-error-code: ${code}\r\n`))
    assert.deepEqual(JSON.parse(body), { error: true, message, data: [] })
  }
})

test('429 for requests that are not HTTP, which count for the address', async () => {
  const limited = await startTestService({ anonymousRateLimit: 2 })
  const statuses: string[] = []
  for (let i = 0; i < 3; i++) {
    const answer = await sendRaw('what?\r\n\r\n', limited)
    statuses.push(`${answer.slice(9, 12)} ${/x-ratelimit-remaining: (\d)/.exec(answer)?.[1]}`)
    if (i < 2) continue
    assert.match(answer, /retry-after: \d+\r\n/)
    assert.ok(answer.endsWith('\r\n\r\n{"error":true,"message":"Too Many Attempts."}'), answer)
  }
  assert.deepEqual(statuses, ['400 1', '400 0', '429 0'])
  assert.equal((await limited.fetch(me, { method: 'POST' })).status, 429)
})

test('a caller who disconnects causes no error in the log', async () => {
  const request = 'POST /api/v1/authenticate HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'
  const hangUp = async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request, () => socket.resetAndDestroy())
    await once(socket, 'close')
  }
  await Promise.all(Array.from({ length: 50 }, hangUp))
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  assert.match(metrics, /operation="\/v1\/authenticate",status="422"/)
  assert.doesNotMatch(metrics, /status="500"/)
})

test('200 for a request on an open connection while the service stops', async () => {
  const stopping = await startTestService()
  const { members } = await createBoard(stopping)
  const request = `POST /api/services/operations/v1/operations/tags/list HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${members.member.token}\r\ncontent-length: 0\r\n\r\n`
  const socket = connect(Number(new URL(stopping.url).port), '127.0.0.1')
  const { stopped } = await stopping.db.transaction(async ({ sql }) => {
    await sql`lock table tags`
    socket.write(request)
    await waitingForLocks(stopping.db, 1)
    const running = stopping.stop()
    await eventually(() => assert.rejects(fetch(stopping.url)))
    socket.write(request)
    return { stopped: running }
  })
  const answers = await text(socket)
  await stopped
  assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200'])
})

test('X-Request-Id is ours, not the sender’s', async () => {
  const response = await post(me, '', { 'x-request-id': 'forged' })
  assert.notEqual(response.headers.get('x-request-id'), 'forged')
})

test('the limit counts down per user, across sessions, and the headers show it', async () => {
  const limited = await startTestService({ rateLimit: 3, anonymousRateLimit: 100 })
  const { id, token } = await limited.addUser()
  const call = async () => {
    const response = await limited.fetch(me, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    const { status, headers } = response
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  }
  assert.deepEqual(await call(), [200, '3', '2'])
  assert.deepEqual(await call(), [200, '3', '1'])
  assert.deepEqual(await call(), [200, '3', '0'])
  assert.deepEqual(await call(), [429, '3', '0'])
  const other = await limited.addUser()
  assert.notEqual(other.id, id)
  assert.equal((await limited.client(other.token).attempt(me)).status, 200)
})

test('429 has the exact body and Retry-After; unknown addresses count too', async () => {
  const limited = await startTestService({ anonymousRateLimit: 2 })
  await limited.fetch('/nothing', { method: 'POST' })
  await limited.fetch(me, { method: 'POST' })
  for (const path of ['/nothing', me, '/v1/authenticate']) {
    const response = await limited.fetch(path, { method: 'POST' })
    assert.equal(response.status, 429)
    assert.deepEqual(await response.json(), { error: true, message: 'Too Many Attempts.' })
    assert.match(response.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/)
  }
})

const forged = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' }

test('spoofed forwarding headers neither escape the limit nor change the recorded address', async () => {
  const limited = await startTestService({ anonymousRateLimit: 2 })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) {
    const headers = { ...forged, 'x-forwarded-for': `203.0.113.${i}` }
    statuses.push((await limited.fetch(me, { method: 'POST', headers })).status)
  }
  assert.deepEqual(statuses, [401, 401, 429, 429])
})

test('behind a trusted proxy the forwarded address counts', async () => {
  const limited = await startTestService({ anonymousRateLimit: 1, trustedProxies: ['127.0.0.1'] })
  const from = async (address: string) =>
    (await limited.fetch(me, { method: 'POST', headers: { 'x-forwarded-for': address } })).status
  assert.deepEqual(
    [await from('203.0.113.1'), await from('203.0.113.2'), await from('203.0.113.1')],
    [401, 401, 429],
  )
})
