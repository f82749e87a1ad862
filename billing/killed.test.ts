import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import test from 'node:test'
import { eventually, networkDatabase, run, serve } from '#tests/process.ts'
import { startStripe } from '#tests/stripe.ts'
import { demoPassword } from '../demo/accounts.ts'

const path = '/services/platforms/v1/subscriptions/upgrade-trial'
const wanted = { plan: 'pro', period: 'month', product: 'website' } as const
const key = { 'idempotency-key': 'killed' }

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

test('a service killed while it asks Stripe leaves nothing that a reader sees; the same call again gets the same session', async () => {
  const stripe = await startStripe()
  const { url, db } = await networkDatabase()
  const environment = {
    DATABASE_URL: url,
    STRIPE_SECRET_KEY: stripe.settings.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.settings.webhookSecret,
    STRIPE_API_URL: stripe.settings.apiUrl,
    CARDINAL_PUBLIC_URL: '',
    // The same for both, because Stripe refuses a repeated call with other addresses to return to.
    PORT: await freePort(),
  }
  assert.equal((await run(['demo'], environment)).code, 0)

  const first = await serve(environment)
  const token = await first.signIn('owner@acme.test', demoPassword)
  stripe.faults.push('silent')
  const cut = first
    .client(token, key)
    .attempt(path, wanted)
    .catch(() => 'cut')
  await eventually(() => assert.equal(stripe.sessions.size, 1))
  first.child.kill('SIGKILL')
  assert.equal(await cut, 'cut')
  await first.ended

  const second = await serve(environment)
  const { subscriptions } = await second.client(token).call('/services/platforms/v1/subscriptions/list')
  assert.deepEqual(
    subscriptions.map(({ status, checkout_session_id: session }) => [status, session]),
    [['trialing', null]],
  )
  const opened = await second.client(token, key).call(path, wanted)
  assert.deepEqual(await second.client(token).call(path, wanted), opened)
  assert.deepEqual([...stripe.sessions.keys()], [opened.session_id])
  // The demo has a paid one.
  assert.deepEqual(
    [...(await db.sql`select status from checkouts where status <> 'paid'`)],
    [{ status: 'open' }],
  )
  assert.equal(await second.stop(), 0)
})
