import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { until } from '#tests/event-stream.ts'
import { observed } from '#tests/observed-fetch.ts'
import { recordedLog, startTestService } from '#tests/service.ts'

const me = '/services/identity/v1/users/me'
const service = await startTestService({
  publicUrl: 'https://Boards.example.test:8443',
  allowedHosts: ['boards.internal'],
})

/** `fetch` sets the header `host` by itself. */
const send: typeof fetch = async (input, { method, headers } = {}) => {
  const sent = request(String(input), { method, headers: headers as Record<string, string> }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return new Response(await text(answer), {
    status: answer.statusCode ?? 0,
    headers: answer.headers as Record<string, string>,
  })
}
const ask = (host: string, path = me, { method = 'POST', at = service, headers = {} } = {}) =>
  observed(send, `${at.url}/api${path}`, { method, headers: { host, ...headers } })
const statusFor = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status

test('IP addresses, localhost, the public host and allowed ones are answered, with any port', async () => {
  const hosts = ['127.0.0.1', '10.1.2.3:3000', '[::1]', '[2001:db8::1]:80', 'localhost:3000', 'a.localhost']
  for (const host of [...hosts, 'BOARDS.example.test', 'boards.example.test.:443', 'boards.internal:3000'])
    assert.equal(await statusFor(host), 401, host)
})

test('400 for every other host name, at every address, in the usual body', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', 'notlocalhost', 'x:y'])
    assert.equal(await statusFor(host), 400, host)
  const stream = '/services/operations/v1/operations/events/stream'
  for (const path of ['/health/live', '/openapi.json', '/nothing', '/../metrics', '/../sign-in', stream])
    assert.equal(await statusFor('evil.example', path, { method: 'GET' }), 400, path)
  // Its body has other keys, which `observed` checks.
  for (const path of ['/v1/authenticate', '/v2/authenticate?x'])
    assert.equal(await statusFor('evil.example', path), 400, path)
  const refused = await ask('evil.example', me, { headers: { 'x-forwarded-host': 'localhost' } })
  assert.equal(refused.headers.get('x-error-code'), 'host_not_allowed')
  assert.deepEqual(await refused.json(), {
    error: true,
    message: 'The service does not answer to this host name. Its operator can allow it.',
    data: [],
  })
})

test('400 for a second host name that is not allowed, because a proxy may heed another one than the service', async () => {
  const { hostname, port } = new URL(service.url)
  for (const [second, status] of [
    ['evil.example', 400],
    ['localhost', 200],
  ] as const) {
    const socket = connect(Number(port), hostname)
    const hosts = `host: localhost\r\nHost: ${second}`
    socket.write(`GET /api/health/live HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`)
    assert.match(await text(socket), new RegExp(`^HTTP/1.1 ${status} `))
  }
})

test('400 with a code for a request of HTTP/1.1 without a host name; HTTP/1.0 may leave it out', async () => {
  const { hostname, port } = new URL(service.url)
  const answerTo = async (version: string) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.end(`GET /api/health/live HTTP/${version}\r\nconnection: close\r\n\r\n`)
    const answer = await text(socket)
    return [answer.slice(9, 12), /x-error-code: (.*)\r/.exec(answer)?.[1]]
  }
  assert.deepEqual(await answerTo('1.1'), ['400', 'host_not_allowed'])
  assert.deepEqual(await answerTo('1.0'), ['200', undefined])
})

test('429 after too many requests for other host names, which count for the address', async () => {
  const at = await startTestService({ anonymousRateLimit: 2 }, service.address)
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push(await statusFor('evil.example', me, { at }))
  assert.deepEqual(statuses, [400, 400, 429])
})

test('over https browsers are told to insist on it, for subdomains too, in answers of every kind', async () => {
  const insisting = 'max-age=31536000; includeSubDomains'
  const paths = ['/openapi.json', '/health/live', '/nothing', '/../metrics', '/../sign-in', '/../inter.woff2']
  const headersAt = async (at: { url: string }) => {
    const asked = [
      fetch(`${at.url}/api${me}`, { method: 'POST' }),
      ...paths.map((path) => fetch(`${at.url}/api${path}`)),
    ]
    return (await Promise.all(asked)).map(({ headers }) => headers.get('strict-transport-security'))
  }
  assert.deepEqual(new Set(await headersAt(service)), new Set([insisting]))
  const plain = await startTestService({ publicUrl: 'http://boards.example.test' }, service.address)
  assert.deepEqual(new Set(await headersAt(plain)), new Set([null]))
})

test('each refused host name has a line of the log, and the first a warning', async () => {
  const { log, lines } = recordedLog()
  const at = await startTestService({}, service.address, log)
  for (const host of ['evil.example', 'worse.example']) await ask(host, me, { at })
  const refused = lines.map((line) => JSON.parse(line)).filter(({ host }) => host !== undefined)
  assert.deepEqual(
    refused.map(({ level, host, code }) => [level, host, code]),
    [
      [40, 'evil.example', undefined],
      [30, 'evil.example', 'host_not_allowed'],
      [30, 'worse.example', 'host_not_allowed'],
    ],
  )
})

const warnings = (lines: string[]) => lines.filter((line) => line.includes('CARDINAL_TRUSTED_PROXIES'))

test('one warning when requests come through a proxy that is not trusted', async () => {
  const { log, lines } = recordedLog()
  const at = await startTestService({}, service.address, log)
  await ask('localhost', me, { at })
  assert.deepEqual(warnings(lines), [])
  for (const name of ['x-forwarded-for', 'x-real-ip', 'x-forwarded-for'])
    await ask('localhost', me, { at, headers: { [name]: '203.0.113.1' } })
  const [warning, ...more] = warnings(lines)
  assert.deepEqual(more, [])
  const { level, proxy, header } = JSON.parse(warning ?? '{}')
  assert.deepEqual([level, proxy, header], [40, '127.0.0.1', 'x-forwarded-for'])
})

test('no warning about a trusted proxy', async () => {
  const { log, lines } = recordedLog()
  const at = await startTestService({ trustedProxies: ['10.0.0.1', '127.0.0.0/8'] }, service.address, log)
  for (const name of ['x-forwarded-for', 'forwarded'])
    await ask('localhost', me, { at, headers: { [name]: '203.0.113.1' } })
  assert.deepEqual(warnings(lines), [])
})

const mostConnections = 2500

/** Opens connections that never finish their request. */
async function halfRequests(at: { url: string }, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(new URL(at.url).port), '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\n'),
    )
    return socket.on('error', () => {})
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

/** The status, or the error, of a request on a connection of its own. */
async function healthFrom(localAddress: string, at: { url: string }) {
  const { port } = new URL(at.url)
  const sent = request({ host: '127.0.0.1', port, path: '/api/health/live', localAddress, agent: false })
  return once(sent.end(), 'response').then(
    ([{ statusCode }]) => statusCode,
    ({ code }) => code,
  )
}

test('an address has at most so many connections; others are not affected, and closing one gives its room back', async () => {
  // Without the connections that earlier requests left open.
  const at = await startTestService({}, service.address)
  const sockets = await halfRequests(at, mostConnections + 10)
  const open = () => sockets.filter(({ closed }) => !closed)
  await until(() => open().length <= mostConnections, 'the others are closed')
  assert.deepEqual(
    [await healthFrom('127.0.0.1', at), await healthFrom('127.0.0.2', at)],
    ['ECONNRESET', 200],
  )
  assert.equal(open().length, mostConnections)
  open().pop()?.destroy()
  await until(async () => (await healthFrom('127.0.0.1', at)) === 200, 'room')
  for (const socket of sockets) socket.destroy()
})

test('a trusted proxy has as many connections as it opens', async () => {
  const at = await startTestService({ trustedProxies: ['127.0.0.1'] }, service.address)
  const sockets = await halfRequests(at, mostConnections + 10)
  assert.equal(await healthFrom('127.0.0.1', at), 200)
  assert.equal(sockets.filter(({ closed }) => closed).length, 0)
  for (const socket of sockets) socket.destroy()
})

test('no answer is run, framed or taken for another type by a browser', async () => {
  const paths = ['/openapi.json', '/health/live', '/nothing', '/../metrics', '/../sign-in', '/../inter.woff2']
  const others = [
    '/docs',
    '/../assets/none.js',
    '/../llms.txt',
    `${me.replace(/identity.*/, 'operations/v1/operations/events/stream')}`,
  ]
  for (const path of [...paths, ...others, me]) {
    const { headers } = await fetch(`${service.url}/api${path}`, { method: path === me ? 'POST' : 'GET' })
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none';.*base-uri 'none';.*frame-ancestors 'none'/,
      path,
    )
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
  }
})

test('answers to what is not HTTP have the security headers of all others', async () => {
  const { hostname, port } = new URL(service.url)
  const { headers } = await fetch(`${service.url}/api/nothing`)
  const shared = [...headers.keys()].filter((name) => /security|content-type|cache-control/.test(name))
  assert.ok(shared.length >= 5)
  const limited = await startTestService(
    { anonymousRateLimit: 1, publicUrl: 'https://boards.example.test' },
    service.address,
  )
  for (const [at, status] of [
    [port, 400],
    [new URL(limited.url).port, 400],
    [new URL(limited.url).port, 429],
  ] as const) {
    const socket = connect(Number(at), hostname)
    socket.end('what?\r\n\r\n')
    const answer = await text(socket)
    assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer)
    for (const name of shared)
      assert.ok(answer.includes(`${name}: ${headers.get(name)}\r\n`), `${status} ${name}`)
  }
})

/** Forms of a request that Node would answer by itself, unless it is told not to, and the usual one. */
const forms = { usual: '', 'with an unknown expectation': 'expect: something\r\n' }

for (const [form, header] of Object.entries(forms))
  test(`a connection that sends many requests at once is closed, and its address may send fewer for a moment: ${form}`, async () => {
    const at = await startTestService({}, service.address)
    const asked = `GET /api/health/live HTTP/1.1\r\nhost: localhost\r\n${header}\r\n`
    const { hostname, port } = new URL(at.url)
    const answersTo = async (count: number) => {
      const socket = connect({ host: hostname, port: Number(port) })
      let received = ''
      const answers = () => received.split('HTTP/1.1 200').length - 1
      socket.setEncoding('utf8').on('data', (part) => {
        received += part
      })
      // A reset is one way of closing it.
      socket.on('error', () => {})
      socket.write(asked.repeat(count))
      await until(() => socket.closed || answers() === count, 'the answers')
      const { closed } = socket
      socket.destroy()
      return { answers: answers(), closed }
    }
    assert.deepEqual(await answersTo(32), { answers: 32, closed: false })
    let read = 0
    const count = () => {
      read++
    }
    subscribe('http.server.request.start', count)
    const { answers, closed } = await answersTo(5000)
    unsubscribe('http.server.request.start', count)
    assert.ok(answers <= 32 && closed, `${answers} answers`)
    assert.equal(read, 33)
    // Others who share the address are still answered.
    assert.deepEqual(await answersTo(2), { answers: 2, closed: false })
    assert.equal((await answersTo(3)).closed, true)
    assert.equal(await healthFrom('127.0.0.1', at), 200)
  })

test('a connection that sends a body in very small chunks is closed; one in usual chunks is read', async () => {
  const at = await startTestService({}, service.address)
  const { hostname, port } = new URL(at.url)
  const answerTo = async (chunk: string, count: number) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let received = ''
    socket.setEncoding('utf8').on('data', (part) => {
      received += part
    })
    socket.on('error', () => {})
    const head = ['POST /api/v1/authenticate HTTP/1.1', 'host: localhost', 'content-type: application/json']
    const begun = [...head, 'transfer-encoding: chunked', 'connection: close', '', ''].join('\r\n')
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count)
    socket.write(`${begun}${chunks}0\r\n\r\n`)
    await until(() => socket.closed, 'the end')
    return received.split('\r\n')[0]
  }
  const ofUsual = await answerTo(' '.repeat(100), 300)
  assert.equal(ofUsual, 'HTTP/1.1 400 Bad Request')
  assert.equal(await answerTo(' ', 200), ofUsual)
  assert.equal(await answerTo(' ', 5000), '')
  // For a moment it reads no chunks from this address, and everything else.
  assert.equal(await answerTo(' '.repeat(100), 1), '')
  assert.equal(await healthFrom('127.0.0.1', at), 200)
})
