import assert from 'node:assert/strict'
import test from 'node:test'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { assertAccessible, openWindow, service } from '#tests/browser.ts'
import { addAuthenticator } from '#tests/virtual-authenticator.ts'

/** The same service under a name, because no browser has passkeys for an IP address. */
const place = () => ({ url: service.url.replace('127.0.0.1', 'localhost') })

async function invite() {
  const projectId = await service.addProject('Garden')
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const { secret, hash } = newInvitationSecret(projectId)
  const email = `passkey${projectId}@garden.test`
  await service.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${projectId}, ${email}, 'member', ${hash}, ${owner.id}, now() + interval '1 day')`
  return { projectId, email, path: `/invitation#${secret}` }
}

test('an invited person creates an account with a passkey; without a name, the field is marked', async (t) => {
  const { projectId, email, path } = await invite()
  const { page } = await openWindow(t, { on: place(), expected: /401|422/ })
  const authenticator = await addAuthenticator(page)
  await page.goto(path)
  const withPasskey = page.getByRole('button', { name: 'Use a passkey instead of a password' })
  await withPasskey.click()
  await page.getByText('Enter your name.').waitFor()
  await assertAccessible(page, 'invitation, with passkey')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await withPasskey.click()
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
  assert.equal(await authenticator.count(), 1)
  const [user] = await service.db.sql<{ name: string; password_hash: string | null }[]>`
    select name, password_hash from users where email = ${email}`
  assert.deepEqual({ ...user }, { name: 'Ada Lovelace', password_hash: null })
})

test('at an address where passkeys cannot work, a password is asked for alone', async (t) => {
  const { path } = await invite()
  const { page } = await openWindow(t, { expected: /401/ })
  await page.goto(path)
  await page.getByRole('button', { name: 'Create account and join' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /passkey/ }).count(), 0)
})
