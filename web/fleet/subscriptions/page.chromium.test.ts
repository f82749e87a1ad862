// The page of all subscriptions in a real browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { addPaid, addPayment, addTrial } from '#tests/subscription.ts'

const count = (...ids: number[]) => service.db.transaction((queries) => countProjects(queries, ids))

test('an operator sees the revenue and trials that end, extends them in bulk, finds overdue payments and saves a CSV', async (t) => {
  const [soon, later, overdue] = (await Promise.all(
    ['Fig soon', 'Fig later', 'Fig overdue'].map((name) => service.addProject(name)),
  )) as [number, number, number]
  await addTrial(service, soon, { days: 2 })
  await addTrial(service, later, { days: 6 })
  await addPayment(service, overdue, await addPaid(service, overdue, { status: 'past_due' }))
  await count(soon, later, overdue)
  const user = await service.addUser({ superadmin: true })
  const superadmin = service.client(user.token)
  const page = await openAs(t, user, '/operator/subscriptions?q=fig')
  const rows = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row').filter({ hasText: 'Fig' })
  await rows.nth(1).waitFor()
  assert.match((await rows.first().textContent()) as string, /Fig soon/)
  await page.getByRole('region', { name: 'Recurring revenue' }).getByText('€49 a month').waitFor()
  await page.getByRole('region', { name: 'Paid, by plan' }).getByText('Website Pro').waitFor()
  await assertAccessible(page, 'subscriptions')

  await page.getByRole('checkbox', { name: 'Select all in the list' }).check()
  // What was selected stays so, also when the list shows other rows.
  await page.getByRole('searchbox', { name: 'Search' }).fill('fig soon')
  await rows.getByText('Fig later').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Extend trials…' }).click()
  await page.getByRole('spinbutton', { name: 'Days' }).fill('30')
  await assertAccessible(page, 'extend trials')
  await page.getByRole('button', { name: 'Extend 2 trials' }).click()
  await page.getByText('Extended 2 trials').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('fig')
  await page.getByRole('heading', { name: 'No subscriptions here' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => assert.equal(await rows.count(), 2))
  await superadmin.call('/services/platforms/v1/subscriptions/extend-trials', {
    ids: [soon, later],
    product: 'website',
    days: 30,
  })
  await page.reload()
  await page.getByRole('heading', { name: 'No subscriptions here' }).waitFor()

  await page.getByRole('combobox', { name: 'State' }).selectOption('past_due')
  await rows.getByText('Fig overdue').waitFor()
  assert.match(new URL(page.url()).search, /show=past_due/)
  await page.getByRole('checkbox', { name: 'Select Fig overdue' }).check()
  assert.equal(
    await page.getByRole('button', { name: 'Extend trials…' }).getAttribute('aria-disabled'),
    'true',
  )
  await page.getByRole('combobox', { name: 'State' }).selectOption('all')
  await eventually(async () => assert.equal(await rows.count(), 3))
  await page.getByRole('button', { name: 'Project', exact: true }).click()
  await page
    .getByRole('columnheader', { name: 'Project' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  assert.match(text, /^\ufeffid,project_id,project_name,product,plan,/)
  assert.deepEqual(
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[2]),
    ['Fig later', 'Fig overdue', 'Fig soon'],
  )
  await page.getByRole('link', { name: 'Open orders' }).click()
  await page.getByRole('heading', { name: 'Open orders', level: 1 }).waitFor()
})

test('after a failure, trials that were extended are not extended again', async (t) => {
  const [first, second] = [await service.addProject('Plum shop'), await service.addProject('Plum site')]
  const id = await addTrial(service, first, { days: 1, product: 'shop' })
  await addTrial(service, second, { days: 2 })
  await count(first, second)
  const endOf = async () => {
    const [trial] = await service.db.sql<{ days: number }[]>`
      select extract(day from trial_ends_at - now())::integer as days from subscriptions where id = ${id}`
    return trial?.days
  }
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, '/operator/subscriptions?q=plum', { expected: /503/ })
  await page.getByRole('checkbox', { name: 'Select all in the list' }).check()
  await page.getByRole('button', { name: 'Extend trials…' }).click()
  let isFailing = true
  await page.route('**/subscriptions/extend-trials', (route) =>
    isFailing && route.request().postDataJSON().product === 'website'
      ? route.fulfill({ status: 503, json: { error: true, message: 'Server Error', data: [] } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Extend 2 trials' }).click()
  await page.getByText('Extended 1 trial').waitFor()
  isFailing = false
  await page.getByRole('button', { name: /^Extend \d trials?$/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await endOf(), 14)
})
