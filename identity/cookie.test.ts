import assert from 'node:assert/strict'
import test from 'node:test'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService()
const me = '/services/identity/v1/users/me'
const json = { 'content-type': 'application/json' }
const sameOrigin = { ...json, 'sec-fetch-site': 'same-origin' }

async function cookieOf(email: string) {
  const response = await service.fetch('/v1/authenticate', {
    method: 'POST',
    headers: { ...sameOrigin, 'x-session': 'cookie' },
    body: JSON.stringify({ email, password }),
  })
  const { data } = (await response.json()) as { data: { token: string } }
  return { bodyToken: data.token, header: response.headers.getSetCookie().at(-1) ?? '' }
}

const call = async (headers: Record<string, string>, path = me) =>
  service.fetch(path, { method: 'POST', headers, body: '{}' })

const user = await service.addUser()
const { bodyToken, header } = await cookieOf(user.email)
const cookie = header.split(';')[0] as string

test('the token travels in the cookie alone, which scripts and other sites cannot use', () => {
  assert.equal(bodyToken, '')
  assert.match(
    header,
    /^__Host-cardinal=cardinal_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/,
  )
})

test('200 with the cookie from our own page', async () => {
  assert.equal((await call({ ...sameOrigin, cookie })).status, 200)
  assert.equal((await call({ ...json, origin: service.url, cookie: `a=b; ${cookie}; c=d` })).status, 200)
})

test('401 with the cookie from anywhere else, or where the browser does not say', async () => {
  for (const site of ['cross-site', 'same-site', 'none'])
    assert.equal((await call({ ...json, 'sec-fetch-site': site, cookie })).status, 401, site)
  assert.equal((await call({ ...json, origin: 'https://evil.example', cookie })).status, 401)
  assert.equal((await call({ ...json, origin: 'null', cookie })).status, 401)
  assert.equal((await call({ ...json, cookie })).status, 401)
  assert.equal(
    (await call({ ...json, 'sec-fetch-site': 'cross-site', origin: service.url, cookie })).status,
    401,
  )
})

test('401 with the cookie and a content type that a form could send', async () => {
  const form = { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin', cookie }
  assert.equal((await call(form)).status, 401)
})

test('400 with both a Bearer token and the cookie', async () => {
  const response = await call({ ...sameOrigin, cookie, authorization: `Bearer ${user.token}` })
  assert.equal(response.status, 400)
})

test('401 for the token of a cookie as Bearer, and for a Bearer token as cookie', async () => {
  const fromCookie = cookie.slice('__Host-cardinal='.length)
  assert.equal((await call({ ...json, authorization: `Bearer ${fromCookie}` })).status, 401)
  assert.equal((await call({ ...sameOrigin, cookie: `__Host-cardinal=${user.token}` })).status, 401)
})

test('revoking the session of the cookie clears the cookie', async () => {
  const second = (await cookieOf(user.email)).header.split(';')[0] as string
  const response = await call({ ...sameOrigin, cookie: second }, '/services/identity/v1/sessions/revoke')
  assert.equal(response.status, 200)
  assert.match(response.headers.get('set-cookie') ?? '', /^__Host-cardinal=; .*Max-Age=0/)
  assert.equal((await call({ ...sameOrigin, cookie: second })).status, 401)
})

test('changing the password renews the cookie', async () => {
  const other = await service.addUser()
  const first = (await cookieOf(other.email)).header.split(';')[0] as string
  const response = await service.fetch('/services/identity/v1/password/change', {
    method: 'POST',
    headers: { ...sameOrigin, cookie: first },
    body: JSON.stringify({ current_password: password, new_password: 'a much better password' }),
  })
  const renewed = (response.headers.get('set-cookie') ?? '').split(';')[0] as string
  assert.deepEqual(((await response.json()) as { data: object }).data, { token: '' })
  assert.equal((await call({ ...sameOrigin, cookie: renewed })).status, 200)
  assert.equal((await call({ ...sameOrigin, cookie: first })).status, 401)
})

test('no answer allows another origin to read it', async () => {
  for (const headers of [{ ...json, origin: 'https://evil.example' }, sameOrigin]) {
    const response = await call({ ...headers, cookie })
    for (const name of response.headers.keys()) assert.doesNotMatch(name, /^access-control-/)
  }
})
