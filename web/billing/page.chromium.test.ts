import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page, Route } from 'playwright-core'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { addPaid, addTrial, createTrial } from '#tests/subscription.ts'

const contact = 'mailto:sales@example.com'
const on = await startTestService({ contact }, service.address)
const base = '/services/platforms/v1/subscriptions'
const pageOf = (projectId: number) => `/p/${projectId}/subscription`
const product = (page: Page, name = 'Website') => page.getByRole('region', { name })

const hasFocus = (element: Element) => element.matches(':focus')

async function payWith(page: Page, number: string) {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expires').fill('12/34')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay/ }).click()
}

test('an owner chooses plan and period, is declined, leaves, returns and pays', async (t) => {
  const { projectId, owner, client, subscriptionId } = await createTrial(service, { days: 9 })
  const statusOf = async () => (await client.call(`${base}/get`, { id: subscriptionId })).subscription
  const page = await openAs(t, owner, pageOf(projectId), { expected: /422|404|503|ERR_FAILED/ })
  await product(page).getByText('9 days left').waitFor()
  await page.getByRole('link', { name: 'Trial: 9 days left' }).waitFor()
  await assertAccessible(page, 'trial')
  await page.getByRole('radio', { name: /Yearly, 2 months free/ }).check({ force: true })
  await page.getByRole('radio', { name: /^Pro/ }).check()
  const upgrade = page.getByRole('button', { name: 'Upgrade to Pro for €490 a year' })
  await upgrade.click()

  await page.getByRole('heading', { name: 'Website Pro' }).waitFor()
  await assertAccessible(page, 'checkout')
  const number = page.getByLabel('Card number')
  for (const declined of ['4000 0000 0000 0002', '4000000000000002']) {
    await payWith(page, declined)
    await eventually(async () => assert.ok(await number.evaluate(hasFocus)))
    await page.getByText('The card was declined.').waitFor()
    assert.equal(await number.inputValue(), declined)
    assert.equal(await page.getByLabel('Expires').inputValue(), '12/34')
  }
  await page.getByLabel('Security code').fill('1')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('Enter any 3 digits.').waitFor()
  assert.equal(await page.getByText('The card was declined.').count(), 0)
  await assertAccessible(page, 'checkout with an error')
  // No answer, or one of a failing service, keeps what was typed.
  for (const [fail, says] of [
    [(route: Route) => route.abort(), "Can't reach Cardinal."],
    [(route: Route) => route.fulfill({ status: 503 }), 'Something went wrong on our side.'],
  ] as const) {
    await page.route(/checkout/, fail, { times: 1 })
    await payWith(page, '4242 4242 4242 4242')
    await page.getByText(says).waitFor()
    assert.equal(await page.locator('.error:visible').count(), 1)
    assert.equal(await number.inputValue(), '4242 4242 4242 4242')
    await assertAccessible(page, says)
  }
  await payWith(page, '4000 0000 0000 0002')
  await page.getByText('The card was declined.').waitFor()
  assert.equal(await page.locator('.error:visible').count(), 1)
  assert.equal((await statusOf()).status, 'trialing')
  await page.goBack()
  await product(page).getByText('9 days left').waitFor()
  await page.goForward()
  await page.getByRole('link', { name: 'Go back without paying' }).click()
  await page.getByText('Checkout canceled. Nothing was charged.').waitFor()
  assert.equal(new URL(page.url()).pathname, pageOf(projectId))
  await assertAccessible(page, 'left')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  assert.equal(new URL(page.url()).search, '')

  await page.getByRole('radio', { name: /Yearly/ }).check({ force: true })
  await page.getByRole('radio', { name: /^Pro/ }).check()
  await upgrade.click()
  await payWith(page, '4242 4242 4242 4242')
  const paid = page.getByText('Website Pro is paid and active')
  await paid.waitFor()
  assert.ok(await page.getByRole('region', { name: 'Checkout result' }).evaluate(hasFocus))
  await product(page).getByText('€490 a year').waitFor()
  await page.getByRole('link', { name: 'Subscription', exact: true }).waitFor()
  await page.getByText('History').click()
  await page.getByText('Paid: Pro, yearly').waitFor()
  await assertAccessible(page, 'active')
  const { status, plan, period } = await statusOf()
  assert.deepEqual([status, plan, period], ['active', 'pro', 'year'])
  await page.reload()
  await product(page).getByText('€490 a year').waitFor()
  assert.equal(await paid.count(), 0)

  await page
    .getByRole('row', { name: /Website Pro €490/ })
    .getByRole('link', { name: 'Receipt' })
    .click()
  await page.getByRole('heading', { name: /^Receipt \d+$/ }).waitFor()
  for (const text of ['Website Pro, yearly', 'Card', '€490'])
    await page.getByText(text, { exact: true }).waitFor()
  await assertAccessible(page, 'receipt')
  await page.evaluate('window.print = () => { window.printed = true }')
  await page.getByRole('button', { name: 'Print' }).click()
  assert.equal(await page.evaluate('printed'), true)
  await page.goto(`/p/${projectId}/receipts/999999`)
  await page.getByRole('heading', { name: 'The receipt could not be loaded' }).waitFor()
  await page.getByRole('link', { name: 'Back to the subscription' }).click()
  await product(page).getByText('€490 a year').waitFor()
})

test('a user who returns before the payment is known sees that it is being confirmed', async (t) => {
  const { projectId, owner, client } = await createTrial(service)
  const page = await openAs(t, owner, `${pageOf(projectId)}?checkout=paid&product=website`)
  await page.getByText('Confirming your payment').waitFor()
  await page.reload()
  await page.getByText('Confirming your payment').waitFor()
  await assertAccessible(page, 'pending')
  const input = { product: 'website', plan: 'starter', period: 'month' } as const
  const { checkout_url } = await client.call(`${base}/upgrade-trial`, input)
  const body = new URLSearchParams({ number: '4242424242424242', expiry: '12/34', code: '123' })
  await fetch(checkout_url, { method: 'POST', body, redirect: 'manual' })
  await page.getByText('Website Starter is paid and active').waitFor()
})

test('canceling asks first, and is undone by the toast and by resuming', async (t) => {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const id = await addPaid(service, projectId)
  const isEnding = async () =>
    (await service.client(owner.token).call(`${base}/get`, { id })).subscription.cancels_at_period_end
  const page = await openAs(t, owner, pageOf(projectId))
  const cancel = page.getByRole('button', { name: 'Cancel subscription… Website' })
  const confirm = async () => {
    await cancel.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click()
  }
  await product(page).getByText('Included').waitFor()
  await product(page).getByText('Unlimited pages', { exact: true }).waitFor()
  await cancel.click()
  await page.getByText(/^It ends .* you can resume it\.$/).waitFor()
  await assertAccessible(page, 'cancel subscription')
  await page.getByRole('button', { name: 'Keep subscription' }).click()
  assert.equal(await isEnding(), false)
  await confirm()
  await product(page).getByText('Ending').waitFor()
  await assertAccessible(page, 'canceled at period end')
  assert.equal(await isEnding(), true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await confirm()
  await page.getByRole('button', { name: 'Resume Website' }).click()
  await cancel.waitFor()
  assert.equal(await isEnding(), false)
})

test('an ended trial and an overdue payment show on the page and in the sidebar', async (t) => {
  const { projectId, owner } = await createTrial(service, { days: -2 })
  const page = await openAs(t, owner, pageOf(projectId))
  await page.getByText(/^The trial ended/).waitFor()
  await page.getByRole('link', { name: 'Trial ended' }).waitFor()
  await page.getByRole('button', { name: 'Upgrade to Starter for €19 a month' }).waitFor()
  await assertAccessible(page, 'expired')
  await addPaid(service, projectId, { product: 'shop', status: 'past_due' })
  await page.reload()
  await product(page, 'Shop').getByText('The last payment failed').waitFor()
  await page.getByRole('link', { name: 'Payment overdue' }).waitFor()
  await assertAccessible(page, 'past due')
})

test('admins see the plans and why they cannot pay; so do superadmins without billing', async (t) => {
  const { projectId } = await createTrial(service)
  await addPaid(service, projectId, { product: 'shop' })
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const superadmin = await service.addUser({ superadmin: true, superadminBilling: false })
  for (const user of [admin, superadmin]) {
    const page = await openAs(t, user, pageOf(projectId))
    const upgrade = page.getByRole('button', { name: /^Upgrade to Starter/ })
    assert.equal(await upgrade.getAttribute('aria-disabled'), 'true')
    await upgrade.click({ force: true })
    await page.getByText('Only the project owner can do this.').first().waitFor()
    const cancel = page.getByRole('button', { name: 'Cancel subscription… Shop' })
    assert.equal(await cancel.getAttribute('aria-disabled'), 'true')
    assert.equal(await page.getByRole('button', { name: 'Extend trial' }).count(), 0)
    assert.equal(new URL(page.url()).pathname, pageOf(projectId))
  }
})

test('without a subscription there is a link to whoever gives trials, if there is one, and no payment yet', async (t) => {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const page = await openAs(t, owner, pageOf(projectId))
  await product(page).getByText('Not subscribed.', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'No payments yet' }).waitFor()
  await assertAccessible(page, 'no subscription')
  const other = await openAs(t, owner, pageOf(projectId), { on })
  const link = product(other).getByRole('link', { name: 'Contact us' })
  assert.equal(await link.getAttribute('href'), contact)
  await other.getByText('Not subscribed. Contact us to start a Website trial.').waitFor()
  // An operator has nobody to contact.
  const superadmin = await service.addUser({ superadmin: true, superadminBilling: false })
  const helper = await openAs(t, superadmin, pageOf(projectId), { on })
  await product(helper).getByText('Not subscribed.', { exact: true }).waitFor()
  await on.db.sql`update support_visits set may_change = false where project_id = ${projectId}`
  await helper.reload()
  await helper.getByText("You can't change anything.").waitFor()
  await product(helper).getByText('Not subscribed.', { exact: true }).waitFor()
})

test('a superadmin with billing starts a trial and extends it', async (t) => {
  const projectId = await service.addProject()
  await addTrial(service, projectId, { product: 'shop', days: -1 })
  const superadmin = await service.addUser({ superadmin: true })
  const page = await openAs(t, superadmin, pageOf(projectId))
  await product(page).getByText('Not subscribed.').waitFor()
  await product(page).getByRole('button', { name: 'Start trial' }).click()
  await page.getByRole('spinbutton', { name: 'Days' }).fill('10')
  await assertAccessible(page, 'start a trial')
  await page.getByRole('dialog').getByRole('button', { name: 'Start trial' }).click()
  await product(page).getByText('10 days left').waitFor()
  await product(page).getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Extend trial' }).click()
  await product(page).getByText('17 days left').waitFor()
  await product(page, 'Shop').getByRole('button', { name: 'Extend trial' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Extend trial' }).click()
  await product(page, 'Shop').getByText('7 days left').waitFor()
})
