import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { contractFields } from '#api/contract-fields.ts'
import { registry } from '#api/registry.ts'
import { type Example, openapi } from '#contract/openapi.ts'
import type { Description } from '#contract/operation.ts'
import { flag, integer, list, oneOf, onlyInV2, record, text } from '#contract/schema.ts'
import { startTestService } from '#tests/service.ts'
import { prose } from '#text/html.ts'
import { referencePage } from './reference/page.ts'
import { securityHeaders } from './security-headers.ts'

const service = await startTestService()

test('200 the page has the headers of a page and may be cached if revalidated', async () => {
  const response = await service.fetch('/docs')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-cache')
  for (const [name, value] of Object.entries(securityHeaders))
    assert.equal(response.headers.get(name), value, name)
})

test('200 the page names every operation and the address of the service', async () => {
  const page = await (await service.fetch('/docs')).text()
  for (const path of Object.keys(registry)) assert.ok(page.includes(`<code>/api${path}</code>`), path)
  assert.ok(page.includes(`export CARDINAL_URL=${service.url}/api`))
})

test('200 the page lists every code of docs/errors.md', async () => {
  const errors = await readFile(new URL('../docs/errors.md', import.meta.url), 'utf8')
  const tables = errors.replaceAll(/^[^|].*$/gm, '')
  const named = [
    ...[...errors.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)`/g)].map((match) => match[1] as string),
    ...[...tables.matchAll(/`([a-z]+)`/g)].map((match) => match[1] as string),
  ]
  const page = await (await service.fetch('/docs')).text()
  assert.ok(named.length > 50)
  assert.deepEqual(
    named.filter((code) => !page.includes(`<code>${code}</code>`)),
    [],
  )
})

test('200 every link leads to the page itself or to this service, and every file exists', async () => {
  const page = await (await service.fetch('/docs')).text()
  const targets = [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map((match) => match[1] as string)
  const elsewhere = targets.filter((target) => !/^(#|\/api\/|data:)/.test(target))
  assert.deepEqual(elsewhere, [])
  const places = targets.filter((target) => target.startsWith('#'))
  assert.deepEqual(
    places.filter((place) => !page.includes(` id="${place.slice(1)}"`)),
    [],
  )
  for (const file of targets.filter((target) => target.startsWith('/')))
    assert.equal((await fetch(service.url + file)).status, 200, file)
})

test('200 the stylesheet, the script and the document have their types', async () => {
  const typeOf = async (path: string) => (await service.fetch(path)).headers.get('content-type')
  assert.equal(await typeOf('/docs/style.css'), 'text/css; charset=utf-8')
  assert.equal(await typeOf('/docs/script.js'), 'text/javascript; charset=utf-8')
  assert.equal(await typeOf('/openapi.json'), 'application/json; charset=utf-8')
})

test('200 the typeface that the stylesheet names', async () => {
  const style = await (await service.fetch('/docs/style.css')).text()
  const files = [...style.matchAll(/url\("([^"]*)"\)/g)].map((match) => match[1] as string)
  assert.deepEqual(files, ['/inter.woff2'])
  const response = await fetch(`${service.url}/inter.woff2`)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'font/woff2'])
})

test('200 the document is the committed file', async () => {
  const committed = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')
  assert.equal(await (await service.fetch('/openapi.json')).text(), committed)
})

test('200 the base path leads to the reference, the document, the guide and signing in', async () => {
  for (const path of ['', '/']) {
    const response = await service.fetch(path)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    const { error, data } = (await response.json()) as { error: boolean; data: Record<string, string> }
    assert.equal(error, false)
    const { authenticate, ...pages } = data
    assert.equal(authenticate, `${service.url}/api/v1/authenticate`)
    assert.deepEqual(Object.keys(pages), ['reference', 'openapi', 'guide', 'health'])
    for (const page of Object.values(pages)) assert.equal((await fetch(page)).status, 200, page)
  }
})

test('302 from where programs look for the document and the reference', async () => {
  for (const path of ['/openapi.json', '/docs']) {
    const { status, headers } = await fetch(service.url + path, { redirect: 'manual' })
    assert.deepEqual([status, headers.get('location')], [302, `/api${path}`])
    assert.equal((await fetch(service.url + path)).status, 200)
  }
})

test('200 the guide for programs names only what is there', async () => {
  const response = await fetch(`${service.url}/llms.txt`)
  assert.deepEqual(
    [response.status, response.headers.get('content-type')],
    [200, 'text/plain; charset=utf-8'],
  )
  const guide = await response.text()
  const links = [...guide.matchAll(/\]\((.*?)\)/g)].map((match) => match[1] as string)
  assert.equal(links.length, 3)
  for (const link of links) assert.equal((await fetch(link)).status, 200, link)
  const { paths } = JSON.parse(await (await service.fetch('/openapi.json')).text())
  const named = [...guide.matchAll(/(?<=CARDINAL_URL)\/[\w/-]+|(?<=\/api)\/services[\w/-]+/g)].map(String)
  assert.equal(named.length, 5)
  for (const path of named) assert.ok(path in paths, path)
})

test('304 what has not changed is not sent again', async () => {
  const etag = (await service.fetch('/docs')).headers.get('etag') ?? ''
  const again = await service.fetch('/docs', { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.equal(await again.text(), '')
  assert.equal((await service.fetch('/docs', { headers: { 'if-none-match': '"other"' } })).status, 200)
})

test('429 beyond the limit for the document and the page, which count by the size that is sent', async () => {
  const limited = await startTestService({ anonymousRateLimit: 20 }, service.address)
  const get = (path: string, headers: Record<string, string> = { 'accept-encoding': 'identity' }) =>
    limited.fetch(path, { headers })
  const etag = (await get('/openapi.json', { 'accept-encoding': 'br' })).headers.get('etag') ?? ''
  for (const coding of ['br', 'gzip']) {
    const packed = await get('/docs', { 'accept-encoding': coding })
    assert.deepEqual([packed.status, packed.headers.get('content-encoding')], [200, coding])
    assert.match(await packed.text(), /^<!doctype html>/i)
  }
  assert.deepEqual([(await get('/docs')).status, (await get('/openapi.json')).status], [200, 429])
  const refused = await get('/docs')
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [429, 'rate_limited'])
  assert.match(refused.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/)
  assert.deepEqual(await refused.json(), { error: true, message: 'Too Many Attempts.' })
  const unchanged = await get('/openapi.json', { 'if-none-match': etag })
  assert.deepEqual([unchanged.status, (await get('/docs/style.css')).status], [304, 200])
})

test('200 the document with the lowest limit', async () => {
  const limited = await startTestService({ anonymousRateLimit: 1 }, service.address)
  const response = await limited.fetch('/openapi.json', { headers: { 'accept-encoding': 'identity' } })
  assert.equal(response.status, 200)
})

test('every text of the document is escaped', () => {
  const hostile = `<script>alert("'&`
  const page = pageOf({
    path: `/v1/${hostile}`,
    summary: hostile,
    about: hostile,
    input: { [hostile]: oneOf([hostile]) },
    message: hostile,
    audience: hostile,
  })
  assert.ok(!page.includes('<script>'))
  assert.ok(page.includes('&lt;script&gt;alert(&quot;&#39;&amp;.'))
})

test('results that v1 sends as text are shown with their fields, and as text in the example', () => {
  const page = pageOf({
    output: record({
      group: record({ id: integer() }),
      boards: list(record({ is_master: flag() })),
      count: integer(),
      name: text(),
    }),
    v1Text: { group: 'whole', boards: 'each', count: 'whole' },
  })
  assert.ok(page.includes('<code>/api/services/shop/v2/things/get</code> is the same operation'))
  assert.deepEqual(page.match(/(?<=class="v1">)[^<]*/g), [
    'v1: as JSON text',
    'v1: each entry as JSON text',
    'v1: as a string',
  ])
  assert.ok(page.includes('{\\&quot;id\\&quot;:1}'))
  assert.ok(page.includes('<code>is_master</code>'))
})

test('fields added after v1 are marked and are only in the example of v2', () => {
  const thing = record({ id: integer(), look: onlyInV2(oneOf(['plain', 'rich'])) })
  const page = pageOf({ output: record({ thing, things: list(thing) }), v1Text: { thing: 'whole' } })
  assert.deepEqual(page.match(/(?<=class="v1">)[^<]*/g), ['v1: as JSON text', 'v2 only', 'v2 only'])
  const [v1, v2] = page.split('Answer 200 at v2')
  assert.doesNotMatch(v1 ?? '', /quot;look/)
  assert.match(v2 ?? '', /quot;look/)
})

test('both addresses and both answers are shown, and one answer if they are equal', () => {
  const output = record({ thing: record({ id: integer() }) })
  const different = pageOf({ output, v1Text: { thing: 'whole' } })
  assert.match(different, /<code>\/api\/services\/shop\/v1\/things\/get<\/code>/)
  assert.match(different, /<code>\/api\/services\/shop\/v2\/things\/get<\/code>/)
  assert.deepEqual(different.match(/Answer 200 [^<]*/g), ['Answer 200 at v1', 'Answer 200 at v2'])
  assert.deepEqual(pageOf({ output }).match(/Answer 200 [^<]*/g), ['Answer 200 at v1 and v2'])
})

test('an operation that accepts an Idempotency-Key says so, and no other', async () => {
  const sentence = 'Accepts an <code>Idempotency-Key</code>'
  assert.ok(pageOf({ writes: true }).includes(sentence))
  assert.ok(!pageOf({}).includes(sentence))
})

test('the request of the example has its values, its account and its refusal', () => {
  const path = '/services/shop/v1/things/get'
  const example = {
    as: 'ada@example.com',
    input: { id: 41 },
    refusal: { code: 'thing_lent', because: 'It is lent.' },
  }
  const page = pageOf({ path, input: { id: integer() } }, { [path]: example })
  assert.match(page, /Request as ada@example.com \(on the demo: thing_lent\. It is lent\.\)/)
  assert.match(page, /&quot;id&quot;: 41/)
})

test('what each field does is shown for the objects of the contract', async () => {
  const page = await (await service.fetch('/docs')).text()
  for (const [name, fields] of Object.entries(contractFields)) {
    assert.ok(page.includes(`<summary><code>${name}</code></summary>`), name)
    for (const sentence of Object.values(fields)) assert.ok(page.includes(prose(sentence).html), sentence)
  }
})

test('authenticate explains the second step of signing in', async () => {
  const page = await (await service.fetch('/docs')).text()
  const section = page.slice(
    page.indexOf('id="authenticate"'),
    page.indexOf('id="resource.identity.members"'),
  )
  for (const part of [
    'answered with 403',
    'second_factor_required',
    'authenticator app',
    'ten recovery codes',
    'replaces the code once',
  ])
    assert.ok(section.includes(part), part)
})

test('the description of a field is shown', () => {
  assert.match(pageOf({ input: { note: text({ about: 'In a few words' }) } }), /In a few words/)
})

test('each operation lists its own codes with sentences; common codes are listed once', async () => {
  const taken = { taken: 'The :attribute has already been taken.' }
  const page = pageOf({
    failures: {
      400: { thing_lent: 'This thing is lent.' },
      422: { name: taken, label: { full: 'It is full.' }, note: { full: 'It is full.' } },
    },
  })
  const told = page.replaceAll(/\s+/g, ' ')
  assert.ok(told.includes('<dt><code>thing_lent</code> </dt><dd>This thing is lent.</dd>'))
  assert.ok(told.includes('<dt><code>name_taken</code> </dt><dd>The name has already been taken.</dd>'))
  assert.ok(told.includes('<dt><code>label_full</code> <code>note_full</code> </dt><dd>It is full.</dd>'))
  for (const code of ['body_not_json', 'rate_limited', 'request_running', 'required', 'too_long'])
    assert.equal(page.split(`<code>${code}</code>`).length, 2, code)
  const whole = await (await service.fetch('/docs')).text()
  for (const code of ['second_factor_required', 'card_not_found', 'limit_reached'])
    assert.ok(whole.includes(`<code>${code}</code>`), code)
})

/** The page of one made-up operation. */
function pageOf(declared: Partial<Description>, examples: Record<string, Example> = {}): string {
  const operation: Description = {
    path: '/services/shop/v1/things/get',
    summary: 'Get a thing',
    audience: 'signed in',
    input: {},
    success: 200,
    message: 'The thing.',
    output: record({ id: integer() }),
    failures: { 404: { thing_not_found: 'There is no thing with this id.' } },
    beforehand: {},
    ...declared,
  }
  const document = openapi([operation], {
    info: { title: 'Shop', version: '1', description: 'A shop' },
    base: '/api',
    tags: {},
    audienceInWords: String,
    fields: {},
    schemas: {},
    results: {},
    contractObjects: [],
    examples,
    securitySchemes: {},
    parameters: [],
    signedInParameters: [],
  })
  return referencePage(JSON.parse(JSON.stringify(document)), 'https://shop.example')
}
