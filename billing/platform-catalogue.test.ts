// A platform with a catalogue of its own: its projects see and buy its plans, and no others do.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { addPlatform } from '#projects/platform.ts'
import { sender } from '#tests/post.ts'
import { temporaryDirectory } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { addTrial } from '#tests/subscription.ts'

const base = '/services/platforms/v1'
const plan = (amount: number) => ({ name: 'Pro', month: amount, year: amount * 10 })
const usual = {
  currency: 'eur',
  trial_days: 7,
  products: { website: { name: 'Website', plans: { pro: plan(4900) } } },
}
const own = {
  currency: 'sek',
  trial_days: 30,
  products: {
    website: { name: 'Webbplats', plans: { pro: plan(49_000) } },
    store: { name: 'Butik', plans: { pro: plan(99_000) } },
  },
}
const catalogueFile = path.join(await temporaryDirectory(), 'catalogue.json')
await writeFile(catalogueFile, JSON.stringify({ ...usual, platforms: { 2: own } }))
const service = await startTestService({ catalogueFile })
assert.equal(await addPlatform(service.db, 'Nordwind'), 2)

async function createOwner(platformId: number) {
  const projectId = await service.addProject('Project', [], platformId)
  const user = await service.addUser({ roles: { [projectId]: 'owner' } })
  return { projectId, user, client: service.client(user.token) }
}

const shown = (plans: { product: string; month_amount: number; currency: string }[]) =>
  plans.map(({ product, month_amount: amount, currency }) => [product, amount, currency])
const usualPlans = [['website', 4900, 'eur']]
const ownPlans = [
  ['website', 49_000, 'sek'],
  ['store', 99_000, 'sek'],
]

test('plans/list has the plans of the platform of the project, and of no other project that is named', async () => {
  const [here, there] = [await createOwner(1), await createOwner(2)]
  assert.deepEqual(shown((await here.client.call(`${base}/plans/list`)).plans), usualPlans)
  assert.deepEqual(shown((await there.client.call(`${base}/plans/list`)).plans), ownPlans)
  const stranger = service.client(here.user.token, { 'x-project-id': String(there.projectId) })
  assert.deepEqual(shown((await stranger.call(`${base}/plans/list`)).plans), usualPlans)
  const { token } = await service.addUser({ superadmin: true, platformId: 2 })
  assert.deepEqual(shown((await service.client(token).call(`${base}/plans/list`)).plans), ownPlans)
})

test('trials and checkouts are of the plans of the platform, with its days, currency and names', async () => {
  const [here, there] = [await createOwner(1), await createOwner(2)]
  const superadmin = await service.addUser({ superadmin: true })
  const start = (projectId: number) =>
    sender(service, superadmin.token, base)(
      '/subscriptions/start-trial',
      { product: 'store' },
      { 'x-project-id': String(projectId) },
    )
  const refused = await start(here.projectId)
  assert.deepEqual([refused.status, Object.keys(refused.body.errors ?? {})], [422, ['product']])
  const started = await start(there.projectId)
  const days = (Date.parse(started.body.data.subscription.trial_ends_at) - Date.now()) / 86_400_000
  assert.equal(Math.round(days), 30)

  const input = { product: 'store', plan: 'pro', period: 'month' } as const
  const upgrade = (token: string, headers = {}) =>
    sender(service, token, base)('/subscriptions/upgrade-trial', input, headers)
  await addTrial(service, here.projectId, { product: 'store' })
  const unknown = await upgrade(here.user.token)
  assert.deepEqual([unknown.status, Object.keys(unknown.body.errors ?? {})], [422, ['product']])
  // The plans of a project that the caller may not open are not told by the refusal.
  const foreign = await upgrade(here.user.token, { 'x-project-id': String(there.projectId) })
  assert.equal(foreign.status, 422)
  const opened = await upgrade(there.user.token)
  assert.equal(opened.status, 200, opened.text)
  const page = await fetch(opened.body.data.checkout_url)
  assert.match(await page.text(), /Butik Pro[\s\S]*SEK\s990/)
})
