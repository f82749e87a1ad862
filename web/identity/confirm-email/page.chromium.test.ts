import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openAs, openWindow } from '#tests/browser.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { password, startTestService } from '#tests/service.ts'

const server = await startMailServer()
const service = await startTestService({ mail: server.mail })

test('a new address: asked for with the password, confirmed by the link in its mailbox, then used to sign in', async (t) => {
  const projectId = await service.addProject('Garden')
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const page = await openAs(t, user, `/p/${projectId}/account`, { on: service, expected: /403|422/ })
  await service.db.sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`
  await page.getByLabel('New email').fill('nonsense')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('Enter a valid email address.').waitFor()
  await page.getByLabel('New email').fill('mina@garden.test')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Open the link that we sent to mina@garden.test').waitFor()

  const link = linkIn(await server.newest('mina@garden.test'), '/confirm-email')
  const { page: other } = await openWindow(t, { on: service, expected: /40[14]/ })
  await other.goto(link)
  await other.getByRole('button', { name: 'Confirm address' }).waitFor()
  assert.equal(new URL(other.url()).hash, '')
  await assertAccessible(other, 'confirm email')
  await other.getByRole('button', { name: 'Confirm address' }).click()
  await other.getByText('Sign in with mina@garden.test from now on.').waitFor()
  await assertAccessible(other, 'email confirmed')
  await other.getByRole('link', { name: 'Open Cardinal' }).click()
  await other.getByLabel('Email').fill('mina@garden.test')
  await other.getByLabel('Password').fill(password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('button', { name: 'Garden' }).waitFor()

  await other.goto(link)
  await other.getByRole('button', { name: 'Confirm address' }).click()
  await other.getByRole('heading', { name: "This link doesn't work" }).waitFor()
})
