import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTheme } from '#tests/themes.ts'

const versions = '/services/websites/v1/themes/versions'

/** The row of a version, by its name. */
const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

test('a version is created, submitted, rejected, submitted again, approved and published', async (t) => {
  const projectId = await service.addProject('Garden')
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const reviewer = await service.addUser({ superadmin: true })
  const page = await openAs(t, admin, `/p/${projectId}/themes`)
  await page.getByRole('heading', { name: 'No themes yet' }).waitFor()
  await assertAccessible(page, 'no themes')
  await page.getByRole('button', { name: 'New theme' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Meadow')
  await page.getByRole('button', { name: 'Create theme' }).click()
  await page.getByRole('button', { name: 'New version of Meadow' }).click()
  await page.getByRole('textbox', { name: 'Version' }).fill('1.0')
  await assertAccessible(page, 'new version')
  await page.getByRole('button', { name: 'Create version' }).click()
  const row = rowOf(page, 'Meadow 1.0')
  await row.getByText('Draft').waitFor()
  await page.getByRole('button', { name: 'Submit for review Meadow 1.0' }).click()
  await row.getByText('In review').first().waitFor()

  const desk = await openAs(t, reviewer, `/p/${projectId}/theme-reviews`)
  await desk.getByRole('button', { name: 'Reject… Meadow 1.0' }).click()
  const reason = desk.getByRole('textbox', { name: 'Reason' })
  await reason.fill('Too green.')
  await assertAccessible(desk, 'reject')
  await desk.reload()
  await desk.getByRole('button', { name: 'Reject… Meadow 1.0' }).click()
  assert.equal(await reason.inputValue(), 'Too green.')
  await desk.getByText('Unsaved draft', { exact: true }).waitFor()
  await desk.getByRole('button', { name: 'Reject', exact: true }).click()
  await desk.getByRole('heading', { name: 'No reviews waiting' }).waitFor()
  // The other window hears of it by itself.
  await row.getByText('Too green.').waitFor()
  await page.getByRole('button', { name: 'Submit again Meadow 1.0' }).click()
  await row.getByText('In review').first().waitFor()
  await desk.reload()
  await assertAccessible(desk, 'reviews')
  await desk.getByRole('button', { name: 'Approve Meadow 1.0' }).click()
  await desk.getByText('Approved Meadow 1.0. Garden can publish it now.').waitFor()
  await page.getByRole('button', { name: 'Publish Meadow 1.0' }).click()
  await row.getByText('Published').first().waitFor()
  await assertAccessible(page, 'themes')
})

test('deprecating shows how many projects use the version, not which, and asks for its name, a reason and a deadline; undo restores it', async (t) => {
  const { projectId, members, addVersion } = await createTheme(service, 'Aurora')
  const version_id = await addVersion('published', '1.0')
  for (const name of ['North', 'South']) {
    const user = await service.addUser({ roles: { [await service.addProject(name)]: 'admin' } })
    await service.client(user.token).call(`${versions}/choose`, { version_id })
  }
  const page = await openAs(t, members.admin, `/p/${projectId}/themes`)
  await page.getByRole('button', { name: 'Actions for Aurora 1.0' }).click()
  await page.getByRole('menuitem', { name: 'Deprecate…' }).click()
  await page.getByText('2 projects use this version.').waitFor()
  assert.equal(await page.getByText('North').count(), 0)
  const confirm = page.getByRole('button', { name: 'Deprecate for 2 projects' })
  assert.equal(await confirm.getAttribute('aria-disabled'), 'true')
  await page.getByRole('textbox', { name: 'Type “Aurora 1.0” to confirm' }).press('Enter')
  await assertAccessible(page, 'deprecate')
  const stage = async () => {
    const viewer = service.client(members.viewer.token)
    return (await viewer.call(`${versions}/get`, { version_id })).version.theme_status
  }
  assert.equal(await stage(), 'published')
  await page.getByRole('textbox', { name: 'Reason' }).fill('It is slow on phones.')
  await page.getByLabel('Deadline', { exact: true }).fill('2099-05-01')
  await page.getByRole('textbox', { name: 'Type “Aurora 1.0” to confirm' }).fill('Aurora 1.0')
  await confirm.click()
  const row = rowOf(page, 'Aurora 1.0')
  await row.getByText('Deprecated').first().waitFor()
  await row.getByText(/^Why it was deprecated: It is slow on phones\. Until May 1, 2099$/).waitFor()
  await assertAccessible(page, 'deprecated')
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => assert.equal(await stage(), 'published'))
  await row.getByText('Deprecated').first().waitFor({ state: 'hidden' })
})

test('an unused version is deprecated without typing, and restored', async (t) => {
  const { projectId, members, addVersion } = await createTheme(service, 'Aurora')
  await addVersion('approved', '1.0')
  const page = await openAs(t, members.admin, `/p/${projectId}/themes`)
  await page.getByRole('button', { name: 'Actions for Aurora 1.0' }).click()
  await page.getByRole('menuitem', { name: 'Deprecate…' }).click()
  await page.getByText('No project uses this version.').waitFor()
  await page.getByRole('button', { name: 'Deprecate', exact: true }).click()
  await page.getByRole('button', { name: 'Restore Aurora 1.0' }).click()
  await page.getByRole('button', { name: 'Publish Aurora 1.0' }).waitFor()
})

test('a project chooses a version, undoes it, and is warned when it is deprecated', async (t) => {
  const { addVersion, superadmin } = await createTheme(service, 'Fjord')
  const first = await addVersion('published', '1.0')
  const second = await addVersion('published', '2.0')
  const projectId = await service.addProject('Harbour')
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const client = service.client(admin.token)
  const used = async () => (await client.call(`${versions}/chosen`)).version?.version_id
  const page = await openAs(t, admin, `/p/${projectId}/themes`)
  await page.getByText('None yet').waitFor()
  await page.getByRole('button', { name: 'Choose a theme' }).click()
  await page.getByRole('button', { name: 'Use Fjord 1.0' }).click()
  const section = page.getByRole('region', { name: 'Used by this project' })
  await section.locator('.theme-chosen').getByText('Fjord 1.0').waitFor()
  await section.getByRole('button', { name: 'Choose another' }).click()
  await assertAccessible(page, 'choose')
  await page.getByRole('button', { name: 'Use Fjord 2.0' }).click()
  await section.locator('.theme-chosen').getByText('Fjord 2.0').waitFor()
  await eventually(async () => assert.equal(await used(), second))
  await page.getByRole('button', { name: 'Undo' }).click()
  await section.locator('.theme-chosen').getByText('Fjord 1.0').waitFor()
  await eventually(async () => assert.equal(await used(), first))
  await superadmin.call(`${versions}/deprecate`, { version_id: first })
  await page.reload()
  await section.getByText('Fjord 1.0 is deprecated').waitFor()
  await assertAccessible(page, 'a deprecated version in use')
})

test('members see the themes and why they cannot change them; reviews are for superadmins', async (t) => {
  const { projectId, members, reviewer, addVersion } = await createTheme(service, 'Aurora')
  await addVersion('draft', '1.0')
  await addVersion('pending', '2.0')
  const other = await createTheme(service, 'Elsewhere')
  await other.addVersion('pending', '7.0')
  const page = await openAs(t, members.member, `/p/${projectId}/themes`)
  const submit = page.getByRole('button', { name: 'Submit for review Aurora 1.0' })
  assert.equal(await submit.getAttribute('aria-description'), 'Only admins and owners can change themes.')
  await submit.click({ force: true })
  await rowOf(page, 'Aurora 1.0').getByText('Draft').waitFor()
  assert.equal(await page.getByRole('link', { name: 'All projects' }).count(), 0)
  await page.goto(`/p/${projectId}/theme-reviews`)
  await page.getByRole('heading', { name: 'Only superadmins can open this page' }).waitFor()

  const desk = await openAs(t, reviewer, `/p/${projectId}/themes`)
  await rowOf(desk, 'Aurora 2.0').waitFor()
  assert.equal(await rowOf(desk, 'Elsewhere 7.0').count(), 0)
  await desk.getByRole('link', { name: 'Review Aurora 2.0' }).click()
  await desk.getByRole('button', { name: 'Approve Elsewhere 7.0' }).waitFor()
})

test('an operator deprecates a version with reason, replacement and deadline, follows who is left and moves them', async (t) => {
  const { reviewer, addVersion } = await createTheme(service, 'Dusk')
  const version_id = await addVersion('published', '1.0')
  await addVersion('published', '2.0')
  const customers = []
  for (const name of ['Birch', 'Maple']) {
    const id = await service.addProject(name)
    const user = await service.addUser({ roles: { [id]: 'admin' } })
    await service.client(user.token).call(`${versions}/choose`, { version_id })
    customers.push({ id, user })
  }
  const page = await openAs(t, reviewer, '/operator/themes')
  const deprecate = async () => {
    await page.getByRole('button', { name: 'Deprecate… Dusk 1.0' }).click()
    await page.getByText('2 projects use this version. Each gets a card').waitFor()
    await page.getByRole('textbox', { name: 'Reason' }).fill('It is slow on phones.')
    await page.getByRole('combobox', { name: 'Replacement' }).selectOption('Dusk 2.0')
    await assertAccessible(page, 'start a campaign')
    await page.getByRole('dialog').getByRole('button', { name: 'Deprecate' }).click()
  }
  await deprecate()
  const row = page.getByRole('listitem', { name: 'Dusk 1.0' })
  await row.getByRole('link', { name: '2 still using' }).waitFor()
  await row.getByText('Replaced by Dusk 2.0').waitFor()
  await page.getByRole('button', { name: 'Restore… Dusk 1.0' }).click()
  await page.getByText('Projects can choose Dusk 1.0 again.').waitFor()
  await assertAccessible(page, 'restore the version of a campaign')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  await deprecate()
  await row.getByText('Replaced by Dusk 2.0').waitFor()
  await assertAccessible(page, 'campaigns')

  await page.getByRole('button', { name: 'Change… Dusk 1.0' }).click()
  const reason = page.getByRole('textbox', { name: 'Reason' })
  assert.equal(await reason.inputValue(), 'It is slow on phones.')
  await reason.fill('It is slow on every phone')
  await page.getByRole('combobox', { name: 'Replacement' }).selectOption('No replacement')
  await page.getByLabel('Deadline', { exact: true }).fill('2099-05-01')
  await assertAccessible(page, 'change a campaign')
  await page.getByRole('button', { name: 'Save' }).click()
  await row.getByText('It is slow on every phone').waitFor()
  await row.getByText(/^Until May 1, 2099$/).waitFor()
  await page.getByRole('button', { name: 'Change… Dusk 1.0' }).click()
  await page.getByRole('combobox', { name: 'Replacement' }).selectOption('Dusk 2.0')
  await page.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Replaced by Dusk 2.0').waitFor()

  const [birch] = customers as [(typeof customers)[number], (typeof customers)[number]]
  const customer = await openAs(t, birch.user, `/p/${birch.id}/themes`)
  const notice = customer.locator('p').filter({ hasText: 'Switch to Dusk 2.0 by' })
  await notice.waitFor()
  assert.match(await notice.innerText(), /^It is slow on every phone\nSwitch to/)
  assert.equal(await customer.getByText('Maple').count(), 0)
  await assertAccessible(customer, 'a deprecated theme in use')

  await page.getByRole('button', { name: 'Move projects… Dusk 1.0' }).click()
  await assertAccessible(page, 'move projects')
  await page.getByRole('button', { name: 'Move 2 projects' }).click()
  await row.getByRole('link', { name: '0 still using' }).waitFor()
  await row.getByText('2 projects moved', { exact: true }).waitFor()
  await row.getByText('No project uses it any more').waitFor()
  assert.equal(await row.getByRole('button', { name: 'Move projects…' }).count(), 0)
  await customer.reload()
  await customer.getByText('Dusk 2.0').first().waitFor()
  await page.getByRole('button', { name: 'End… Dusk 1.0' }).click()
  await page.getByText('No project uses Dusk 1.0 any more.').waitFor()
  await assertAccessible(page, 'end a campaign')
  await page.getByRole('button', { name: 'End campaign' }).click()
  await row.waitFor({ state: 'detached' })
})

test('moving many projects to another theme, which they cannot leave again, is confirmed by their number', async (t) => {
  const { reviewer, addVersion } = await createTheme(service, 'Fog')
  const version_id = await addVersion('published', '1.0')
  const replacement_id = await addVersion('published', '2.0')
  for (let number = 1; number <= 11; number++) {
    const id = await service.addProject(`Shop ${number}`)
    const user = await service.addUser({ roles: { [id]: 'admin' } })
    await service.client(user.token).call(`${versions}/choose`, { version_id })
  }
  const deadline = new Date(Date.now() + 864_000_000).toISOString()
  await service.client(reviewer.token).call('/services/websites/v1/themes/campaigns/create', {
    ...{ version_id, replacement_id, deadline, reason: 'It is slow.' },
  })
  const page = await openAs(t, reviewer, '/operator/themes')
  await page.getByRole('button', { name: 'Move projects… Fog 1.0' }).click()
  const move = page.getByRole('button', { name: 'Move 11 projects' })
  assert.equal(await move.getAttribute('aria-disabled'), 'true')
  await page.getByRole('textbox', { name: 'Type “11” to confirm' }).fill('11')
  await assertAccessible(page, 'move many projects')
  await move.click()
  await page.getByRole('listitem', { name: 'Fog 1.0' }).getByRole('link', { name: '0 still using' }).waitFor()
})

test('the deadline of a campaign is a day where the operator is', async (t) => {
  const { reviewer, addVersion } = await createTheme(service, 'Dawn')
  await addVersion('published', '1.0')
  // Where it is another day than at the service.
  const timezoneId = new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Etc/GMT-12'
  const page = await openAs(t, reviewer, '/operator/themes', { timezoneId })
  await page.getByRole('button', { name: 'Deprecate… Dawn 1.0' }).click()
  const field = page.getByLabel('Deadline', { exact: true })
  const dateIn = (days: number) =>
    new Intl.DateTimeFormat('sv', { timeZone: timezoneId }).format(Date.now() + days * 86_400_000)
  assert.deepEqual([await field.getAttribute('min'), await field.inputValue()], [dateIn(1), dateIn(30)])
})
