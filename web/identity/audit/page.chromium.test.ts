import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { password } from '#tests/service.ts'

test('an owner filters the audit log of the project and downloads it', async (t) => {
  const projectId = await service.addProject('Acme')
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const signIn = (secret: string) =>
    service.client().attempt('/v1/authenticate', { email: member.email, password: secret })
  await signIn('wrong')
  await signIn(password)
  const page = await openAs(t, owner, `/p/${projectId}/audit-log`)
  const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await entries.filter({ hasText: 'Signed in' }).waitFor()
  assert.equal(await entries.count(), 2)
  await assertAccessible(page, 'audit log')
  await page.getByRole('combobox', { name: 'What happened' }).selectOption('Sign-in failed')
  await entries.filter({ hasText: 'Signed in' }).waitFor({ state: 'detached' })
  await entries.filter({ hasText: 'wrong_credentials' }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const rows = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  assert.equal(rows.length, 2)
  assert.match(rows[1] as string, new RegExp(`sign_in.failed,.*${member.email}.*127.0.0.1`))
  await page.getByRole('searchbox', { name: 'Email of the person' }).fill('some')
  await page.getByText('Enter the whole email address.').waitFor()
  await page.getByRole('searchbox').fill(owner.email)
  await page.getByText('No entries').waitFor()
  await page.reload()
  await page.getByText('No entries').waitFor()
  await page.getByRole('searchbox').fill('')
  await entries.first().waitFor()
  await page.getByRole('button', { name: 'Until' }).click()
  await page.getByRole('combobox', { name: 'Until' }).fill('yesterday')
  await page.keyboard.press('Enter')
  await page.getByText('No entries').waitFor()
  await page.getByRole('button', { name: 'Remove Until' }).click()
  await entries.first().waitFor()
  // An address may hold anything.
  await page.goto(`/p/${projectId}/audit-log?from=x&until=2020-99-99`)
  await entries.first().waitFor()
})

test('others see that only the owner can open it; superadmins see all projects or one', async (t) => {
  const projectId = await service.addProject()
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const page = await openAs(t, admin, `/p/${projectId}/audit-log`)
  await page.getByText('Only the project owner can open this page').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0)
  const superadmin = await service.addUser({ superadmin: true })
  await service.client().attempt('/v1/authenticate', { email: 'stranger@example.test', password })
  const all = await openAs(t, superadmin, `/p/${projectId}/boards`)
  await all.getByRole('link', { name: 'Audit log' }).click()
  await all.getByText('stranger@example.test').first().waitFor()
  await all.getByRole('combobox', { name: 'Projects' }).selectOption('This project')
  await all.getByText('No entries').waitFor()
})

test('the CSV has all entries, however many there are', async (t) => {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  await service.db.sql`
    insert into audit_entries (kind, source, in_project_id)
    select 'access.refused', 'api', ${projectId} from generate_series(1, 10_050)`
  const page = await openAs(t, owner, `/p/${projectId}/audit-log`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const rows = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
  assert.equal(rows.length, 10_051)
})
