import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import test, { after } from 'node:test'
import { startNameServer } from '#tests/name-server.ts'
import { allowedAddresses, look } from './look.ts'

const { signal } = new AbortController()
const inside = '127.0.0.2'
const outside = '127.0.0.1'

/** The test's only public address is 127.0.0.1; everything else is inside. */
const allows = (address: string) => address === outside

/** A web server at an address, and what was asked of it. */
async function serve(answer: RequestListener, address = outside) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    answer(request, response)
  })
  server.listen(0, address)
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, port, url: `http://${address}:${port}` }
}

const secret = await serve((_request, response) => response.end('secret'), inside)
const refused = { passed: false, detail: { code: 'address_not_allowed' } }

const redirecting = (target: () => string) =>
  serve((request, response) => {
    response.writeHead(request.url === '/' ? 302 : 200, { location: target() }).end()
  })

test('passes for 200, also after redirects; fails for anything else', async () => {
  const site = await serve((request, response) => {
    const status = Number(request.url?.slice(1)) || 200
    response.writeHead(status, status === 301 ? { location: '/' } : {}).end('x')
  })
  const lookAt = (path: string) => look(site.url + path, { allows, signal })
  assert.deepEqual(await lookAt('/'), { passed: true, detail: { code: 'answered', status: 200 } })
  assert.deepEqual(await lookAt('/301'), { passed: true, detail: { code: 'answered', status: 200 } })
  for (const status of [204, 304, 404, 500])
    assert.deepEqual(await lookAt(`/${status}`), { passed: false, detail: { code: 'answered', status } })
  assert.deepEqual(await look(`http://${outside}:9`, { allows: () => true, signal }), {
    passed: false,
    detail: { code: 'not_a_website_port' },
  })
})

test('without a server at the port it fails', async () => {
  const server = createPlainServer().listen(0, outside)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  const seen = await look(`http://${outside}:${port}`, { allows, signal })
  assert.deepEqual(seen, { passed: false, detail: { code: 'connection_failed', error: 'ECONNREFUSED' } })
})

test('every way to write an inside address is refused before a connection', async () => {
  const { port } = secret
  const forms = [
    inside,
    '2130706434',
    '0x7f000002',
    '0177.0.0.2',
    '127.2',
    '0x7f.0.2',
    '１２７.0.0.2',
    '[::ffff:127.0.0.2]',
    '[::ffff:7f00:2]',
    '[0:0:0:0:0:ffff:7f00:0002]',
    '[::127.0.0.2]',
    '[64:ff9b::7f00:2]',
    '[2002:7f00:2::]',
    '[::1]',
    '[::]',
    '0.0.0.0',
  ]
  for (const host of forms)
    assert.deepEqual(await look(`http://${host}:${port}/`, { allows, signal }), refused, host)
  assert.deepEqual(secret.asked, [])
})

test('private, loopback, link-local and reserved addresses are not allowed, public ones are', () => {
  const isAllowed = allowedAddresses({ allowsPrivate: false })
  const isAllowedInside = allowedAddresses({ allowsPrivate: true })
  const never = [
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '::',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '::ffff:169.254.169.254',
    '::169.254.169.254',
    // How the URL standard writes `::169.254.169.254` and `::127.0.0.1`.
    '::a9fe:a9fe',
    '::7f00:1',
    '100:0:0:1::1',
    '4000::1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    'fe80::1%eth0',
    'localhost',
    '',
  ]
  const inner = [
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '::1',
    'fc00::1',
    'fd12::1',
  ]
  for (const address of never)
    assert.deepEqual([isAllowed(address), isAllowedInside(address)], [false, false], address)
  for (const address of inner)
    assert.deepEqual([isAllowed(address), isAllowedInside(address)], [false, true], address)
  for (const address of ['93.184.215.14', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111'])
    assert.deepEqual([isAllowed(address), isAllowedInside(address)], [true, true], address)
})

test('a redirect to the inside is refused, whatever its form', async () => {
  let target = ''
  const site = await redirecting(() => target)
  const lookAt = () => look(site.url, { allows, signal })
  for (target of [secret.url, `//${inside}:${secret.port}/`, `http://2130706434:${secret.port}`])
    assert.deepEqual(await lookAt(), refused, target)
  target = `http://user:word@${outside}:${site.port}/x`
  assert.deepEqual(await lookAt(), { passed: false, detail: { code: 'has_credentials' } })
  for (target of ['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://127.0.0.1/', 'javascript:1'])
    assert.deepEqual(await lookAt(), { passed: false, detail: { code: 'not_a_website' } }, target)
  target = 'http://[::1'
  assert.deepEqual(await lookAt(), { passed: false, detail: { code: 'redirects_to_no_address' } })
  target = `${site.url}/`
  assert.deepEqual(await lookAt(), { passed: false, detail: { code: 'redirects_too_often' } })
  assert.deepEqual(secret.asked, [])
})

test('credentials in the address are refused and not sent', async () => {
  const site = await serve((_request, response) => response.end())
  for (const userinfo of ['user', 'user:word', ':word'])
    assert.deepEqual(await look(`http://${userinfo}@${outside}:${site.port}/`, { allows, signal }), {
      passed: false,
      detail: { code: 'has_credentials' },
    })
  assert.deepEqual(site.asked, [])
})

test('a name is asked for once, and the connection goes to the address that was judged', async () => {
  const site = await serve((_request, response) => response.end('x'))
  let questions = 0
  // The second answer would lead inside.
  const nameServers = [
    await startNameServer((_name, type) => (type === 'A' ? [questions++ === 0 ? outside : inside] : [])),
  ]
  const lookAt = () => look(`http://rebinding.test:${site.port}/`, { allows, nameServers, signal })
  assert.deepEqual(await lookAt(), { passed: true, detail: { code: 'answered', status: 200 } })
  assert.equal(questions, 1)
  assert.deepEqual(site.asked, [`rebinding.test:${site.port} /`])
  assert.deepEqual(await lookAt(), refused)
})

test('a name that changes its address between a request and its redirect is judged again', async () => {
  let questions = 0
  const site = await redirecting(() => `http://rebinding.test:${secret.port}/secret`)
  const nameServers = [
    await startNameServer((_name, type) => (type === 'A' ? [questions++ === 0 ? outside : inside] : [])),
  ]
  assert.deepEqual(
    await look(`http://rebinding.test:${site.port}/`, { allows, nameServers, signal }),
    refused,
  )
  assert.equal(site.asked.length, 1)
  assert.deepEqual(secret.asked, [])
})

test('a name with an inside address among others, or only for IPv6, is refused', async () => {
  const site = await serve((_request, response) => response.end('x'))
  const nameServers = [
    await startNameServer((name, type) => {
      if (type === 'A') return name === 'mixed.test' ? [outside, inside] : [outside]
      return name === 'mapped.test' ? ['0:0:0:0:0:ffff:7f00:2'] : []
    }),
  ]
  for (const name of ['mixed.test', 'mapped.test'])
    assert.deepEqual(
      await look(`http://${name}:${site.port}/`, { allows, nameServers, signal }),
      refused,
      name,
    )
  assert.deepEqual(site.asked, [])
})

test('a name that does not exist fails', async () => {
  const nameServers = [await startNameServer(() => [])]
  assert.deepEqual(await look('http://nowhere.test/', { allows, nameServers, signal }), {
    passed: false,
    detail: { code: 'no_such_host' },
  })
})

test('a name server that does not answer is a host that does not exist', async () => {
  const nameServers = [await startNameServer(() => 'silence')]
  const { passed } = await look('http://silent.test/', { allows, nameServers, signal })
  assert.equal(passed, false)
})

const tooSlow = { passed: false, detail: { code: 'no_answer_in_time' } }

test('a slow body, a slow head, slow redirects and a silent server all end after 5 seconds', async () => {
  const drip = await serve((_request, response) => {
    response.writeHead(200)
    const dripping = setInterval(() => response.write('x'), 100)
    response.on('close', () => clearInterval(dripping))
  })
  const silent = await serve(() => {})
  const stepping = await serve((request, response) => {
    setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 1_500)
  })
  const mute = createPlainServer(() => {}).listen(0, outside)
  await once(mute, 'listening')
  after(() => mute.close())
  const seen = await Promise.all([
    look(drip.url, { allows, signal }),
    look(silent.url, { allows, signal }),
    look(stepping.url, { allows, signal }),
    look(`http://${outside}:${(mute.address() as AddressInfo).port}`, { allows, signal }),
  ])
  assert.deepEqual(seen, [tooSlow, tooSlow, tooSlow, tooSlow])
})

test('64 kB of a body are enough, and no more is read', async () => {
  let sent = 0
  const endless = await serve((_request, response) => {
    const write = () => {
      while (!response.destroyed && sent < 1e9) {
        sent += 16_384
        if (!response.write(Buffer.alloc(16_384))) return response.once('drain', write)
      }
      return undefined
    }
    write()
  })
  assert.deepEqual(await look(endless.url, { allows, signal }), {
    passed: true,
    detail: { code: 'answered', status: 200 },
  })
  assert.ok(sent < 20e6, `${sent} bytes were sent`)
})

test('a body that breaks off has not answered', async () => {
  const site = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('x', () => response.destroy())
  })
  const seen = await look(site.url, { allows, signal })
  assert.deepEqual(seen, { passed: false, detail: { code: 'connection_failed', error: 'ECONNRESET' } })
})

test('the end of the service is no result', async () => {
  const silent = await serve(() => stop.abort(new Error('the service stops')))
  const stop = new AbortController()
  await assert.rejects(look(silent.url, { allows, signal: stop.signal }), /the service stops/)
})
