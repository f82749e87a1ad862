// The sandbox's checkout page, used without JavaScript; web/billing/page.chromium.test.ts uses it with.
import assert from 'node:assert/strict'
import test from 'node:test'
import { rounds } from '#tests/effort.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'
import { createTrial, subscriptionEvents } from '#tests/subscription.ts'
import { judgeCard } from './checkout/card.ts'
import { spokenIn } from './checkout/document.ts'

const base = '/services/platforms/v1/subscriptions'
const service = await startTestService()
const { sql } = service.db
const good = { number: '4242 4242 4242 4242', expiry: '12/49', code: '123' }

async function opened(wanted = { plan: 'pro', period: 'month' as const }) {
  const trial = await createTrial(service)
  const { checkout_url: url } = await trial.client.call(`${base}/upgrade-trial`, {
    ...wanted,
    product: 'website',
  })
  const get = async () => (await trial.client.call(`${base}/get`, { id: trial.subscriptionId })).subscription
  return { ...trial, url, get }
}

const pay = (url: string, card: Record<string, string> = good) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' })

test('200: what is bought, for how much, for whom, and that it is a test; nothing from elsewhere, one script of our own', async () => {
  const { url, projectId } = await opened({ plan: 'business', period: 'month' })
  await sql`update projects set name = ${'<b>Fish & Chips'} where id = ${projectId}`
  const response = await fetch(url)
  const text = await response.text()
  assert.equal(response.status, 200)
  for (const part of ['Website Business', '€129', 'a month', 'Test page.', 'For &lt;b&gt;Fish &amp; Chips'])
    assert.ok(text.includes(part), part)
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'.*frame-ancestors 'none'$/,
  )
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  assert.doesNotMatch(text, /style="|(?:src|href)="https?:\/\/(?!127\.0\.0\.1)/)
  assert.deepEqual(text.match(/<script.*/g), ['<script src="/checkout/checkout.js" defer></script>'])
  const style = await fetch(`${service.url}/checkout/style.css`)
  assert.deepEqual([style.status, style.headers.get('content-type')], [200, 'text/css; charset=utf-8'])
})

test('303 back to the app with the working card: the subscription is active and listeners are notified', async () => {
  const { url, get, projectId, owner, subscriptionId } = await opened()
  const stream = await openStream(service, owner.token)
  await until(() => stream.messages.length === 1, 'the first message')
  const response = await pay(url)
  assert.deepEqual(
    [response.status, response.headers.get('location')],
    [303, `${service.url}/p/${projectId}/subscription?checkout=paid&product=website`],
  )
  const subscription = await get()
  assert.deepEqual([subscription.status, subscription.plan, subscription.period], ['active', 'pro', 'month'])
  assert.ok(Date.parse(subscription.current_period_ends_at as string) > Date.now() + 27 * 86_400_000)
  const [event, ...others] = await subscriptionEvents(service, projectId)
  assert.deepEqual([event?.kind, others], ['subscription.activated', []])
  await until(() => stream.events().some(({ kind }) => kind === 'subscription.activated'), 'the event')
  assert.deepEqual(
    stream.events().map(({ kind, board_id: board }) => [kind, board]),
    [['subscription.activated', null]],
  )
  await stream.close()
  const again = await pay(url)
  assert.deepEqual([again.status, /This subscription is paid for\./.test(await again.text())], [409, true])
  assert.equal((await sql`select from payment_events where id like 'paid sandbox_%'`).length, 1)
  assert.equal((await get()).id, subscriptionId)
})

test('422 at its field for the declined card; the trial continues and another attempt is possible', async () => {
  const { url, get } = await opened()
  const response = await pay(url, { ...good, number: '4000 0000 0000 0002' })
  const text = await response.text()
  assert.equal(response.status, 422)
  assert.match(text, /id="number-error">.*The card was declined\. Nothing was charged\. Try another card\.</)
  assert.match(
    text,
    /<input id="number"[^>]*aria-describedby="number-hint number-error"\s+aria-invalid="true"/,
  )
  assert.equal((await get()).status, 'trialing')
  assert.equal((await pay(url)).status, 303)
})

test('422 for anything else, and what was typed is not shown again', async () => {
  const { url, get } = await opened()
  for (const card of [
    {},
    { ...good, number: '5105105105105100' },
    { ...good, expiry: '13/40' },
    { ...good, code: 'x' },
  ]) {
    const response = await pay(url, card as Record<string, string>)
    assert.equal(response.status, 422, JSON.stringify(card))
    assert.doesNotMatch(await response.text(), /5105105105105100|value=/)
  }
  assert.equal((await fetch(url, { method: 'POST' })).status, 422)
  assert.equal((await fetch(url, { method: 'POST', body: Buffer.from([0xff, 0x00]) })).status, 422)
  assert.equal((await get()).status, 'trialing')
})

test('422 with one message at a time', async () => {
  const { url } = await opened()
  const idsOf = async (card: Record<string, string>) =>
    [...(await (await pay(url, card)).text()).matchAll(/class="error" id="(\w+)-error"/g)].map(([, id]) => id)
  assert.deepEqual(await idsOf({}), ['number'])
  assert.deepEqual(await idsOf({ number: '4000 0000 0000 0002' }), ['expiry'])
  assert.deepEqual(await idsOf({ number: '4000 0000 0000 0002', expiry: '12/49' }), ['code'])
  assert.deepEqual(await idsOf({ ...good, number: '4000 0000 0000 0002' }), ['number'])
})

test('each field of the card has its sentence', () => {
  const now = new Date('2026-06-15T00:00:00Z')
  const judge = (card: Partial<typeof good>) =>
    judgeCard(new URLSearchParams({ ...good, ...card }), spokenIn('en').say, now)
  for (const expiry of ['06/26', '6/26', '12/2049', ' 07 / 26 '])
    assert.deepEqual(judge({ expiry }), {}, expiry)
  assert.deepEqual(judge({ number: '4242-4242-4242-4242', code: '1234' }), {})
  assert.deepEqual(judge({ expiry: '05/26' }), { expiry: 'This card has expired. Enter a future month.' })
  for (const expiry of ['', '00/30', '13/30', '12', 'x', '1/1/30'])
    assert.deepEqual(judge({ expiry }), { expiry: 'Enter month and year, such as 12/34.' }, expiry)
  for (const code of ['', '12', '12345', 'abc'])
    assert.deepEqual(judge({ code }), { code: 'Enter any 3 digits.' })
  assert.match(judge({ number: '4111111111111111' }).number ?? '', /^Use a test card/)
})

test('price, plan, product and project in the form change nothing', async () => {
  const { url, get, subscriptionId } = await opened()
  const other = await opened()
  await pay(url, {
    ...good,
    amount: '1',
    plan: 'business',
    period: 'year',
    product: 'shop',
    project_id: String(other.projectId),
    subscription_id: String(other.subscriptionId),
  })
  const subscription = await get()
  assert.deepEqual(
    [subscription.plan, subscription.period, subscription.product],
    ['pro', 'month', 'website'],
  )
  assert.equal((await other.get()).status, 'trialing')
  const [row] = await sql`select amount from checkouts where subscription_id = ${subscriptionId}`
  assert.equal(row?.['amount'], 4900)
})

test('404 for unknown addresses, including the id of a session', async () => {
  const { get } = await opened()
  const { checkout_session_id: sessionId } = await get()
  for (const token of [sessionId, 'x', 'x'.repeat(43), '..%2f..', "'", '%00', 'ü']) {
    const url = `${service.url}/checkout/${token}`
    assert.equal((await fetch(url)).status, 404, String(token))
    assert.equal((await pay(url)).status, 404, String(token))
  }
})

test('409 for a session that has been replaced or has expired; the page says so and nothing is paid', async () => {
  const { url, client, get, subscriptionId } = await opened()
  await client.call(`${base}/upgrade-trial`, { plan: 'starter', period: 'month', product: 'website' })
  const replaced = await pay(url)
  assert.deepEqual(
    [replaced.status, /has expired\. Nothing was charged/.test(await replaced.text())],
    [409, true],
  )
  const { checkout_url: next } = await client.call(`${base}/upgrade-trial`, {
    plan: 'starter',
    period: 'month',
    product: 'website',
  })
  await sql`update checkouts set expires_at = now() where subscription_id = ${subscriptionId}`
  assert.equal((await pay(next)).status, 409)
  assert.match(await (await fetch(next)).text(), /<h2>Expired<\/h2>/)
  assert.equal((await get()).status, 'trialing')
})

test('twenty concurrent payments are one payment', async () => {
  const { url, projectId } = await opened()
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await pay(url)).status))
  assert.deepEqual([...statuses].sort(), [303, ...Array(19).fill(409)])
  assert.equal((await subscriptionEvents(service, projectId)).length, 1)
})

test('paying while another plan is chosen: one of the two wins, and never both', async () => {
  for (let round = 0; round < rounds(8); round++) {
    const { url, client, get, subscriptionId } = await opened()
    const [paid, replaced] = await Promise.all([
      pay(url),
      client.attempt(`${base}/upgrade-trial`, { plan: 'starter', period: 'month', product: 'website' }),
    ])
    const { status } = await get()
    const rows = await sql<{ status: string }[]>`
      select status from checkouts where subscription_id = ${subscriptionId} order by id`
    const outcome = [paid.status, replaced.status, status, ...rows.map((row) => row.status)].join(' ')
    assert.ok(['303 400 active paid', '409 200 trialing expired open'].includes(outcome), outcome)
  }
})

test('404 after the project was deleted', async () => {
  const { url, projectId } = await opened()
  await sql`update projects set deleted_at = now() where id = ${projectId}`
  assert.equal((await fetch(url)).status, 404)
})

test('429 for an address that opens or pays checkouts too often', async () => {
  const limited = await startTestService({ anonymousRateLimit: 2 }, service.address)
  const url = `${limited.url}/checkout/nothing`
  const answers = [await fetch(url), await pay(url), await fetch(url), await pay(url)]
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('x-error-code')]),
    [
      [404, null],
      [404, null],
      [429, 'rate_limited'],
      [429, 'rate_limited'],
    ],
  )
  assert.equal((await fetch(`${limited.url}/checkout/style.css`)).status, 200)
})
