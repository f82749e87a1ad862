import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startTestService } from '#tests/service.ts'
import { securityHeaders } from './security-headers.ts'

const assets = new URL('../web/dist/en/assets/', import.meta.url)
const service = await startTestService()

/** Without fetch's automatic decoding. */
async function get(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    request(service.url + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode as number,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

test('200 the page at / and at every address of the app, always revalidated', async () => {
  for (const path of ['/', '/sign-in', '/p/1/boards/2/cards/3?owner=none']) {
    const { status, headers, body } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-cache')
    assert.match(body.toString(), /<div id="root">/)
    for (const [name, value] of Object.entries(securityHeaders))
      assert.equal(headers[name]?.replaceAll(/ 'sha256-[^']+'/g, ''), value, name)
  }
})

test('the policy names the one script and the one style of the page by their hashes, and refuses all others', async () => {
  const { headers, body } = await get('/')
  const page = body.toString()
  const policy = headers['content-security-policy'] as string
  for (const element of ['script', 'style']) {
    const inline = [...page.matchAll(new RegExp(`<${element}(?![^>]*\\bsrc=)[^>]*>(.*?)</${element}>`, 'gs'))]
    const allowed = new RegExp(`${element}-src 'self' ([^;]*);`).exec(policy)?.[1]
    assert.deepEqual(
      inline.map(([, content]) => `'sha256-${hash('sha256', content as string, 'base64')}'`),
      [allowed],
    )
  }
  assert.doesNotMatch(page, /\sstyle=|\son[a-z]+=/)
  assert.doesNotMatch(policy, /unsafe|https?:/)
})

test('the page is painted before any other file: its styles come after its outline', async () => {
  const page = (await get('/')).body.toString()
  assert.doesNotMatch(page.slice(0, page.indexOf('id="outline"')), /rel="stylesheet"|<script src/)
  assert.match(page.slice(page.indexOf('id="outline"')), /rel="stylesheet"/)
})

test('200 files are cached forever and compressed as the browser prefers', async () => {
  const page = (await get('/')).body.toString()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] as string
  const plain = await get(script)
  assert.equal(plain.status, 200)
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.headers['vary'], 'accept-encoding')
  assert.equal(plain.headers['content-encoding'], undefined)
  const brotli = await get(script, { 'accept-encoding': 'gzip, deflate, br' })
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.deepEqual(brotliDecompressSync(brotli.body), plain.body)
  for (const refused of [
    'br;q=0, identity',
    'GZIP; q=0.0, brotli',
    'br;q=0,gzip; q=0',
    'br;q=0.000;x, gzip;x;q=0.',
    'br;q=-1, gzip;q=much',
  ])
    assert.equal((await get(script, { 'accept-encoding': refused })).headers['content-encoding'], undefined)
  const without = await get(script, { 'accept-encoding': 'gzip;x=0;q=0.5, br;q=0.000' })
  assert.equal(without.headers['content-encoding'], 'gzip')
  const gzip = await get(script, { 'accept-encoding': 'gzip' })
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(gzip.body), plain.body)
})

test('the page is in the language of its cookie, else of Accept-Language, else English', async () => {
  const languageOf = async (headers: Record<string, string>) => {
    const answer = await get('/sign-in', headers)
    assert.equal(answer.headers['vary'], 'accept-language, cookie, accept-encoding')
    return / lang="(\w+)"/.exec(answer.body.toString())?.[1]
  }
  assert.equal(await languageOf({}), 'en')
  assert.equal(await languageOf({ 'accept-language': 'fr, de-CH;q=0.8, en;q=0.3' }), 'de')
  assert.equal(await languageOf({ 'accept-language': 'en', cookie: 'a=b; cardinal_language=de' }), 'de')
  assert.equal(await languageOf({ 'accept-language': 'de', cookie: 'cardinal_language=xx' }), 'de')
  assert.equal(await languageOf({ cookie: 'not_cardinal_language=de' }), 'en')
})

test('304 for a cached page, whose weak tag stands for all its codings', async () => {
  const [plain, brotli] = [await get('/'), await get('/', { 'accept-encoding': 'br' })]
  assert.notDeepEqual(plain.body, brotli.body)
  const etag = String(plain.headers['etag'])
  assert.match(etag, /^W\/"[\w-]{22}"$/)
  assert.equal(brotli.headers['etag'], etag)
  for (const known of [etag, etag.slice('W/'.length), `"other", ${etag}`]) {
    const again = await get('/', { 'if-none-match': known })
    assert.equal(again.status, 304)
    assert.equal(again.body.length, 0)
  }
})

test('404 for a file that is not there, for other methods, and JSON below /api', async () => {
  assert.equal((await get('/assets/nothing.js')).status, 404)
  assert.equal((await fetch(`${service.url}/anything`, { method: 'POST' })).status, 404)
  const api = await get('/api/nothing')
  assert.equal(api.status, 404)
  assert.match(api.headers['content-type'] as string, /json/)
})

test('other files of the build are not served', async () => {
  for (const path of ['/manifest.json', '/sources.txt', '/index.html.br']) {
    const { headers, body } = await get(path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', path)
    assert.match(body.toString(), /<div id="root">/)
  }
})

test('429 beyond the limit for the largest files, which count by the size that is sent, and never for those of the first page', async () => {
  const limited = await startTestService({ anonymousRateLimit: 20 }, service.address)
  const statusOf = async (name: string, coding: string) => {
    const response = await fetch(`${limited.url}/assets/${name}`, { headers: { 'accept-encoding': coding } })
    await response.arrayBuffer()
    return [response.status, response.headers.get('x-error-code')]
  }
  const named = (start: string) =>
    readdirSync(assets).find((name) => name.startsWith(start) && name.endsWith('.js')) as string
  const strength = named('strength-')
  assert.deepEqual(await statusOf(strength, 'br'), [200, null])
  assert.deepEqual(await statusOf(strength, 'identity'), [200, null])
  assert.deepEqual(await statusOf(strength, 'identity'), [429, 'rate_limited'])
  for (const coding of ['br', 'gzip']) assert.deepEqual(await statusOf(named('index-'), coding), [200, null])
})
