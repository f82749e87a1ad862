import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { auditKinds } from '#audit/kinds.ts'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { password } from '#tests/service.ts'

/** A project whose owner and member have signed in, once with a wrong password. */
async function createLog() {
  const projectId = await service.addProject('Acme')
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const signIn = (secret: string) =>
    service.client().attempt('/v1/authenticate', { email: member.email, password: secret })
  await signIn('wrong')
  await signIn(password)
  return { projectId, owner, member }
}

const nameOf = ({ email }: { email: string }) => email.replace(/^user(\d+)@.*/, 'User $1')

const entriesOn = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem')

test('an owner filters the audit log of the project and downloads it', async (t) => {
  const { projectId, owner, member } = await createLog()
  const page = await openAs(t, owner, `/p/${projectId}/audit-log`)
  const entries = entriesOn(page)
  await entries.filter({ hasText: `${nameOf(member)} signed in` }).waitFor()
  assert.equal(await entries.count(), 2)
  await assertAccessible(page, 'audit log')
  await page.getByRole('button', { name: 'What happened' }).click()
  await page.getByRole('group', { name: 'Sign-in' }).getByRole('option', { name: 'Sign-in failed' }).click()
  await entries.filter({ hasText: 'signed in' }).waitFor({ state: 'detached' })
  await entries
    .filter({ hasText: `Sign-in as ${nameOf(member)} failed` })
    .filter({ hasText: 'Wrong password' })
    .waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const saved = await readFile(await (await downloading).path(), 'utf8')
  assert.ok(saved.startsWith('\ufeffat,'), 'Excel reads it as UTF-8')
  const rows = saved.trim().split('\r\n')
  assert.equal(rows.length, 2)
  assert.match(rows[1] as string, new RegExp(`sign_in.failed,.*${member.email}.*127.0.0.1`))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const person = page.getByRole('combobox', { name: 'Person' })
  const problem = page.getByText('Enter the whole email address.')
  await person.fill('some')
  // The filters wait for a pause of 200 ms.
  await page.waitForTimeout(400)
  assert.equal(await problem.count(), 0)
  await person.press('Enter')
  await problem.waitFor()
  await person.fill('someone')
  await problem.waitFor({ state: 'detached' })
  await person.blur()
  await problem.waitFor()
  await person.fill(owner.email)
  await page.getByText('No entries match').waitFor()
  await page.reload()
  await page.getByText('No entries match').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await entries.first().waitFor()
  await page.getByRole('searchbox', { name: 'IP address' }).fill('192.0.2.1')
  await page.getByText('No entries match').waitFor()
  await page.getByRole('searchbox', { name: 'IP address' }).fill('127.0.0.1')
  await entries.nth(1).waitFor()
  // An address may hold anything.
  await page.goto(`/p/${projectId}/audit-log?until=2020-99-99&kind=x`)
  await page.getByText('“2020-99-99” is not a date').waitFor()
  await entries.nth(1).waitFor()
  await page.goto(`/p/${projectId}/audit-log?from=2026-02-31`)
  await page.getByText('“2026-02-31” is not a date').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('is not a date').waitFor({ state: 'detached' })
})

test('the days of the filters are past', async (t) => {
  const { projectId, owner } = await createLog()
  await service.db.sql`
    update audit_entries set at = at - interval '8 days' where in_project_id = ${projectId} and kind = 'sign_in.failed'`
  const page = await openAs(t, owner, `/p/${projectId}/audit-log`)
  const entries = entriesOn(page)
  await entries.nth(1).waitFor()
  const type = async (field: string, day: string) => {
    await page.getByRole('button', { name: field, exact: true }).click()
    await page.getByRole('combobox', { name: field }).fill(day)
    await page.keyboard.press('Enter')
  }
  await type('From', '3 days ago')
  await eventually(async () => assert.equal(await entries.count(), 1))
  await type('From', '2 weeks ago')
  await entries.nth(1).waitFor()
  await type('Until', 'yesterday')
  await eventually(async () => assert.equal(await entries.count(), 1))
  await entries.filter({ hasText: 'failed' }).waitFor()
  // A weekday is the last one.
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
  await type('Until', days[new Date().getDay()] as string)
  await entries.filter({ hasText: 'failed' }).waitFor()
  await page.getByRole('button', { name: 'Remove Until' }).click()
  await entries.nth(1).waitFor()
})

test('an entry opens to show what was recorded, and leads to all of a person or an address', async (t) => {
  const { projectId, owner, member } = await createLog()
  await service.db.sql`
    insert into audit_entries (kind, source, actor_id, in_project_id, details)
    values ('access.refused', 'api', ${member.id}, ${projectId}, '{"target": "card", "target_id": 75}')`
  const page = await openAs(t, owner, `/p/${projectId}/audit-log`)
  const entries = entriesOn(page)
  const denied = entries.filter({ hasText: 'was denied access' })
  await denied.getByText('was denied access').click()
  await denied.getByText('Asked for').waitFor()
  await denied.getByText('card 75').waitFor()
  const signedIn = entries.filter({ hasText: 'signed in' })
  await signedIn.getByText('Password only').first().waitFor()
  await signedIn.getByText('signed in').click()
  await signedIn.getByText(member.email).waitFor()
  await signedIn.getByText('Web app or API').waitFor()
  await assertAccessible(page, 'entry of the audit log')
  await signedIn.getByRole('button', { name: 'Show only this person' }).click()
  await eventually(async () => assert.equal(new URL(page.url()).searchParams.get('person'), member.email))
  await signedIn.getByRole('button', { name: 'Show only this address' }).click()
  await eventually(async () => assert.equal(new URL(page.url()).searchParams.get('address'), '127.0.0.1'))
  await entries.nth(1).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390)
})

test('every kind of entry is a sentence in German too', async (t) => {
  const projectId = await service.addProject('Acme')
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const details = JSON.stringify({
    command: 'user add',
    system_user: 'root',
    role: 'admin',
    role_before: 'viewer',
    factor: 'code',
    name: 'Phone',
    email: 'ada@acme.test',
    ...{ title: 'Start', template: 'Start', version: 2, projects: 3, product: 'shop', days: 7 },
    ...{ theme: 'Aurora 1.0', replacement: 'Aurora 2.0' },
  })
  await service.db.sql`
    insert into audit_entries (kind, source, actor_id, account_id, in_project_id, details)
    select kind, case when kind = 'command.run' then 'command line' else 'api' end, case when kind <> 'command.run' then ${owner.id}::bigint end,
      ${owner.id}, ${projectId}, ${details}::text::jsonb from json_array_elements_text(${JSON.stringify(auditKinds)}::text::json) kind`
  const page = await openAs(t, owner, 'about:blank')
  await page.context().addCookies([{ name: 'cardinal_language', value: 'de', url: service.url }])
  await page.goto(`${service.url}/p/${projectId}/audit-log`)
  const sentences = page.locator('.audit-sentence')
  await page.getByRole('button', { name: 'Ältere anzeigen' }).click()
  await sentences.nth(auditKinds.length - 1).waitFor()
  const said = await sentences.allTextContents()
  assert.equal(new Set(said).size, auditKinds.length)
  for (const sentence of said)
    assert.doesNotMatch(sentence, /[a-z]_[a-z]|undefined|\b(the|signed|password)\b/)
  assert.ok(said.includes('root auf der Kommandozeile hat user add ausgeführt'))
  assert.ok(
    said.includes(`${nameOf(owner)} hat die Rolle von ${nameOf(owner)} von Betrachter zu Admin geändert`),
  )
  await page.getByText('Passwort und Code').first().waitFor()
  await assertAccessible(page, 'audit log in German')
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
  await all.getByText('No entries match').waitFor()
})

test('a superadmin without two-factor authentication learns why the log is empty or closed', async (t) => {
  const projectId = await service.addProject()
  const otherId = await service.addProject()
  const roles = { [projectId]: 'owner', [otherId]: 'member' } as const
  const user = await service.addUser({ superadmin: true, totpSecret: null, roles })
  const page = await openAs(t, user, `/p/${projectId}/audit-log`)
  await page.getByText('You see only the entries of this project').waitFor()
  await page.getByText('No entries yet').waitFor()
  await assertAccessible(page, 'audit log without two-factor authentication')
  await page.goto(`/p/${otherId}/audit-log`)
  await page.getByText('Set up two-factor authentication first').waitFor()
  await page.getByRole('link', { name: 'Set up' }).click()
  await page.waitForURL(`**/two-factor?to=${encodeURIComponent(`/p/${otherId}/audit-log`)}`)
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
  const saved = await readFile(await (await downloading).path(), 'utf8')
  assert.ok(saved.startsWith('\ufeffat,'), 'Excel reads it as UTF-8')
  const rows = saved.trim().split('\r\n')
  assert.equal(rows.length, 10_051)
})
