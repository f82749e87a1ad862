import assert from 'node:assert/strict'
import test from 'node:test'
import { queueMail } from '#mail/queue.ts'
import { startTestService } from '#tests/service.ts'

async function scene(mail: 'outbox' | 'none') {
  const service = await startTestService({ mail: { way: mail } })
  const { id } = await service.addUser()
  await queueMail(service.db, {
    kind: 'password_changed',
    to: 'eve@example.test',
    language: 'en',
    values: { email: '<script>alert(1)</script>', at: '2026-01-01T00:00:00.000Z', address: null },
  })
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers: { 'accept-language': 'en', ...headers } })
  const open = () => service.db.sql`update users set is_demo = true where id = ${id}`
  return { service, get, open }
}

test('200 the mails of a demo, without scripts and not to be kept', async () => {
  const { get, open } = await scene('outbox')
  await open()
  const list = await get('/outbox')
  assert.equal(list.status, 200)
  assert.equal(list.headers.get('cache-control'), 'no-store')
  const id = /href="\/outbox\/(\d+)">Your password was changed/.exec(await list.text())?.[1]
  const mail = await get(`/outbox/${id}`)
  assert.equal(mail.status, 200)
  assert.match(
    mail.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'unsafe-inline'/,
  )
  const body = await mail.text()
  assert.ok(body.includes('&lt;script&gt;') && !body.includes('<script>'))
  assert.match(await (await get('/outbox', { 'accept-language': 'de' })).text(), /Postausgang/)
  for (const path of ['/outbox/0', '/outbox/x', '/outbox/99999999999999999999'])
    assert.equal((await get(path)).status, 404, path)
})

test('404 while no demo account is open, and through a proxy', async () => {
  const { get, open, service } = await scene('outbox')
  assert.equal((await get('/outbox')).status, 404)
  await open()
  assert.equal((await get('/outbox', { 'x-forwarded-for': '192.0.2.1' })).status, 404)
  assert.equal((await get('/outbox')).status, 200)
  await service.db.sql`update users set disabled_at = now()`
  assert.equal((await get('/outbox')).status, 404)
})

test('the service without an outbox has no such page: the app says that it is not found', async () => {
  const { get, open } = await scene('none')
  await open()
  assert.doesNotMatch(await (await get('/outbox')).text(), /Your password was changed/)
})
