import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

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

test('members see the settings and cannot change them', async (t) => {
  const projectId = await service.addProject('Acme')
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const page = await openAs(t, member, `/p/${projectId}/settings`)
  const website = page.getByRole('textbox', { name: 'Website' })
  assert.equal(await website.getAttribute('readonly'), '')
  assert.equal(await website.getAttribute('aria-description'), 'Only admins and owners can do this.')
})
