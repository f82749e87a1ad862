import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { password } from '#tests/service.ts'

const stored = async (id: number) => {
  const [project] = await service.db.sql<{ name: string; website_url: string | null }[]>`
    select name, website_url from projects where id = ${id}`
  return { ...project }
}

test('an admin sets the name and the website; what is no address is kept and refused', async (t) => {
  const projectId = await service.addProject('Acme')
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const page = await openAs(t, admin, `/p/${projectId}/boards`, { expected: /422/ })
  await page.getByRole('link', { name: 'Project settings' }).click()
  const website = page.getByRole('textbox', { name: 'Website' })
  await website.fill('acme.test')
  await website.press('Enter')
  await page.getByText('must be an address that starts with http:// or https://').first().waitFor()
  assert.equal(await website.inputValue(), 'acme.test')
  await website.fill('https://acme.test')
  await website.press('Enter')
  await eventually(async () =>
    assert.deepEqual(await stored(projectId), { name: 'Acme', website_url: 'https://acme.test/' }),
  )
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Acme Inc.')
  await name.press('Enter')
  await eventually(async () => assert.equal((await stored(projectId))['name'], 'Acme Inc.'))
  await page.getByRole('navigation', { name: 'Main' }).getByText('Acme Inc.').first().waitFor()
  await assertAccessible(page, 'project settings')
})

test('admins see the labels of the project, members see none', async (t) => {
  const projectId = await service.addProject('Acme')
  const superadmin = await service.addUser({ superadmin: true })
  await service.client(superadmin.token).call('/services/operations/v1/admin/projects/label', {
    ids: [projectId],
    add: ['retail', 'berlin'],
    remove: [],
  })
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const page = await openAs(t, admin, `/p/${projectId}/settings`)
  const labels = page.getByRole('region', { name: 'Labels' })
  await labels.getByText('retail').waitFor()
  assert.deepEqual(await labels.locator('.label').allTextContents(), ['berlin', 'retail'])
  await assertAccessible(page, 'project settings with labels')
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const theirs = await openAs(t, member, `/p/${projectId}/settings`)
  await theirs.getByRole('button', { name: 'Leave project…' }).waitFor()
  assert.equal(await theirs.getByText('retail').count(), 0)
})

test('members see the settings and cannot change them', async (t) => {
  const projectId = await service.addProject('Acme')
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const page = await openAs(t, member, `/p/${projectId}/settings`)
  const website = page.getByRole('textbox', { name: 'Website' })
  assert.equal(await website.getAttribute('readonly'), '')
  assert.equal(await website.getAttribute('aria-description'), 'Only admins and owners can do this.')
})

test('an admin sets language and time zone of the project', async (t) => {
  const projectId = await service.addProject('Acme')
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const page = await openAs(t, admin, `/p/${projectId}/settings`)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin')
  await eventually(async () => {
    const [row] = await service.db.sql`select language, time_zone from projects where id = ${projectId}`
    assert.deepEqual({ ...row }, { language: 'de', time_zone: 'Europe/Berlin' })
  })
  assert.equal(
    await page.getByRole('button', { name: 'Delete project…' }).getAttribute('aria-disabled'),
    'true',
  )
})

test('an owner deletes the project with its name, everybody sees until when, and the owner restores it', async (t) => {
  const projectId = await service.addProject('Acme Inc.')
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const page = await openAs(t, owner, `/p/${projectId}/settings`, { expected: /403/ })
  const other = await openAs(t, member, `/p/${projectId}/home`, { expected: /403/ })
  await other.getByRole('button', { name: 'Acme Inc.' }).waitFor()
  await page.getByRole('button', { name: 'Delete project…' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete project' })
  assert.equal(await confirm.getAttribute('aria-disabled'), 'true')
  await assertAccessible(page, 'delete the project')
  await page.getByLabel('Type “Acme Inc.” to confirm').fill('Acme Inc.')
  await service.db
    .sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${owner.id}`
  await confirm.click()
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Acme Inc. was deleted' }).waitFor()
  await page.getByText('It can be restored until').waitFor()
  await assertAccessible(page, 'deleted project')
  // An open window of somebody else follows.
  await other.getByRole('heading', { name: 'Acme Inc. was deleted' }).waitFor()
  await other.getByText('Ask an owner of the project to restore it.').waitFor()
  assert.equal(await other.getByRole('button', { name: 'Restore project Acme Inc.' }).count(), 0)
  await other.getByRole('link', { name: 'Go to your project' }).click()
  await other.getByRole('heading', { name: "You're not in a project yet" }).waitFor()
  await other.getByRole('heading', { name: 'Deleted projects' }).waitFor()
  await assertAccessible(other, 'no project, with deleted ones')
  const list = await other.getByRole('region', { name: 'Deleted projects' }).boundingBox()
  assert.ok(list && list.width <= 640, String(list?.width))
  await page.getByRole('button', { name: 'Restore project Acme Inc.' }).click()
  await page.getByRole('button', { name: 'Acme Inc.', exact: true }).waitFor()
})
