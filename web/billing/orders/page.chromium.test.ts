// Payment by invoice, from the order to the booked payment. The invoicing service is a second instance on the same database.
import assert from 'node:assert/strict'
import test from 'node:test'
import { followOrders } from '#billing/following-orders.ts'
import { inGroups } from '#billing/reference.ts'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { ageOrder, createOrder, invoicing } from '#tests/invoice.ts'
import { startTestService } from '#tests/service.ts'
import { createTrial } from '#tests/subscription.ts'

const on = await startTestService(invoicing, service.address)
const terms = { days: invoicing.invoiceDays, pageUrl: (key: string) => `${on.url}/order/${key}` }

test('an owner orders a plan and sees bank details and reference, on the order page and in the app', async (t) => {
  const { projectId, owner } = await createTrial(on, { days: 9 })
  const page = await openAs(t, owner, `/p/${projectId}/subscription`, { on })
  await page.getByText("You'll get an order with our bank details.").waitFor()
  await page.getByRole('radio', { name: /^Pro/ }).check()
  await page.getByRole('button', { name: 'Upgrade to Pro for €49 a month' }).click()

  await page.getByRole('heading', { name: 'Website Pro' }).waitFor()
  await page.getByText('DE89 3704 0044 0532 0130 00').waitFor()
  const reference = (await page.locator('dt:text-is("Reference") + dd').textContent()) as string
  await assertAccessible(page, 'order page')
  await page.getByRole('link', { name: 'Back to Cardinal' }).click()
  await page.getByText(/^Transfer €49 by /).waitFor()
  await page.getByText(reference).waitFor()
  await page.getByRole('link', { name: 'Payment: 10 days left Trial: 9 days left' }).waitFor()
  await page.getByText('History').click()
  await page.getByText(`Ordered: Pro, monthly (${reference})`).waitFor()
  await assertAccessible(page, 'subscription with an order')
  await page.getByRole('link', { name: 'Show bank details' }).click()
  await page.getByText('Cardinal Boards GmbH').waitFor()
})

test('the owner and superadmins with billing are reminded on every page, others are not', async (t) => {
  const { order, projectId, owner } = await createOrder(on)
  const member = await on.addUser({ roles: { [projectId]: 'member' } })
  const billing = await on.addUser({ superadmin: true })
  const page = await openAs(t, owner, `/p/${projectId}/boards`, { on })
  const reminder = page.getByText(`Your order ${inGroups(order.reference)} is unpaid.`)
  await page.getByRole('link', { name: 'Payment: 10 days left' }).waitFor()
  assert.equal(await reminder.count(), 0)
  await ageOrder(on, order, 6)
  await followOrders(on.db, terms)
  await reminder.waitFor()
  await assertAccessible(page, 'reminder of an order')
  const others = await openAs(t, billing, `/p/${projectId}/boards`, { on })
  await others.getByText('Project has an unpaid order').waitFor()
  await assertAccessible(others, 'reminder of an order to book')
  await others.getByRole('link', { name: 'Go to order' }).click()
  await others.getByRole('button', { name: `Book payment… ${order.reference}` }).waitFor()
  const plain = await openAs(t, member, `/p/${projectId}/boards`, { on })
  await plain.getByRole('link', { name: 'Payment: 4 days left' }).waitFor()
  assert.equal(await plain.getByText(/unpaid/).count(), 0)
  await page.getByRole('link', { name: 'Payment: 4 days left' }).click()
  await page.getByText(/^Transfer €490 by /).waitFor()
  assert.equal(await reminder.count(), 0)
})

test('a superadmin with billing finds an order by its reference and books its payment; another amount is refused', async (t) => {
  const { order, projectId, owner } = await createOrder(on)
  const other = await createOrder(on)
  await on.db.sql`update projects set name = 'Fish & Chips' where id = ${projectId}`
  await ageOrder(on, order, 6)
  await followOrders(on.db, terms)
  const billing = await on.addUser({ superadmin: true })
  const owners = await openAs(t, owner, `/p/${projectId}/subscription`, { on })
  await owners.getByText(/^Transfer €490 by /).waitFor()

  const page = await openAs(t, billing, `/p/${projectId}/orders`, { on, expected: /422/ })
  const rows = page.getByRole('list', { name: 'Open orders' }).getByRole('listitem')
  await rows.filter({ hasText: inGroups(other.order.reference) }).waitFor()
  await assertAccessible(page, 'orders')
  await page.getByRole('searchbox', { name: 'Reference or project' }).fill('RF00 9999')
  await page.getByText('No open order for “RF00 9999”').waitFor()
  await page.getByRole('searchbox').fill(inGroups(order.reference).toLowerCase())
  await rows.filter({ hasText: 'Fish & Chips' }).waitFor()
  await rows.filter({ hasText: other.order.reference }).waitFor({ state: 'detached' })
  await rows.getByText('Reminded').waitFor()
  await rows
    .getByRole('button', { name: /^Book payment/ })
    .first()
    .click()
  const amount = page.getByRole('textbox', { name: 'Amount received (EUR)' })
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Book payment' })
  await amount.fill('all of it')
  await submit.click()
  await page.getByText('Enter an amount such as 490.00.').waitFor()
  await amount.fill('489.99')
  await submit.click()
  await page.getByText('The amount must be exactly the amount of the order.').first().waitFor()
  await assertAccessible(page, 'book a payment')
  await amount.fill('490,00')
  await submit.click()
  await page.getByText('Booked the payment of Fish & Chips').waitFor()
  await page.getByText(/^No open order for “rf/).waitFor()
  await owners.getByText('Paid: Pro, yearly').or(owners.getByText('€490 a year')).first().waitFor()
  await owners.getByText(/^Transfer €490/).waitFor({ state: 'detached' })
  await owners.getByText('History').click()
  await owners.getByText(`Payment received: €490 (${inGroups(order.reference)})`).waitFor()
  await assertAccessible(owners, 'paid by invoice')
})

test('only superadmins with billing have the page; without invoices it says that plans are paid by card', async (t) => {
  const { projectId, owner } = await createTrial(service)
  const plain = await service.addUser({ superadmin: true, superadminBilling: false })
  const billing = await service.addUser({ superadmin: true })
  for (const user of [owner, plain]) {
    const page = await openAs(t, user, `/p/${projectId}/orders`)
    await page.getByText('Only superadmins can open this page').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Subscriptions' }).count(), 0)
  }
  const page = await openAs(t, billing, `/p/${projectId}/orders?q=nothing%20like%20this`)
  await page.getByText('No open order for “nothing like this”').waitFor()
  await page.getByRole('link', { name: 'Subscriptions', exact: true }).waitFor()
  await service.db.sql`update checkouts set status = 'expired' where status = 'open'`
  await page.getByRole('searchbox').fill('')
  await page.getByText('Plans are paid by card here.').waitFor()
  await assertAccessible(page, 'no orders')
})
