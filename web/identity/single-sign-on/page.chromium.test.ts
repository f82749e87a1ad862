import assert from 'node:assert/strict'
import test from 'node:test'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { assertAccessible, openWindow, service as plain } from '#tests/browser.ts'
import { startIdentityProvider } from '#tests/identity-provider.ts'
import { password, startTestService } from '#tests/service.ts'

const projectId = await plain.addProject('Staff project')
/** The provider knows the address of the app before the app starts, so the port is the one of a service that has ended. */
const before = await startTestService({}, plain.address)
const port = Number(new URL(before.url).port)
await before.stop()
const provider = await startIdentityProvider({ redirectUris: [`http://127.0.0.1:${port}/single-sign-on`] })
const members = [{ value: 'staff', projectId, role: 'member' as const }]
const service = await startTestService(
  { port, singleSignOn: { ...provider.settings, members } },
  plain.address,
)
const place = { url: service.url }

const noor = {
  sub: 'noor',
  email: 'noor@example.test',
  email_verified: true,
  name: 'Noor',
  groups: ['staff'],
}

test('the button leads to the provider and back to the requested page, signed in', async (t) => {
  provider.state.person = noor
  const { page, context } = await openWindow(t, { on: place, expected: /40[13]/ })
  await page.goto(`/sign-in?to=${encodeURIComponent(`/p/${projectId}/account`)}`)
  await page.getByRole('button', { name: 'Continue with Example ID' }).waitFor()
  await assertAccessible(page, 'sign-in with an identity provider')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/p/${projectId}/account`)
  await page.getByRole('link', { name: 'Set a password' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Two-factor authentication' }).count(), 0)
  const cookies = await context.cookies(service.url)
  assert.ok(cookies.every(({ name, sameSite }) => !name.startsWith('__Host-') || sameSite === 'Strict'))
  // After a while, sensitive changes ask the person to sign in again.
  await plain.db.sql`update sessions set password_at = now() - interval '1 hour'`
  await page.getByLabel('New email').fill('noor.haddad@example.test')
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" })
  await dialog.getByRole('button', { name: 'Continue with Example ID' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  const recent = await plain.db.sql`select from sessions where password_at > now() - interval '5 minutes'`
  assert.equal(recent.length, 1)
})

test('an account with the address is linked after its owner signs in, and opened from then on', async (t) => {
  const owner = await plain.addUser({ roles: { [projectId]: 'viewer' } })
  provider.state.person = { ...noor, sub: 'owner', email: owner.email }
  const { page, context } = await openWindow(t, { on: place, expected: /401/ })
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByText('already has an account').waitFor()
  assert.equal(new URL(page.url()).search, '')
  await assertAccessible(page, 'linking an account')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Link account' }).click()
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
  await context.clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
  await page.goto(`/p/${projectId}/account`)
  const unlink = page.getByRole('button', { name: /^Unlink/ })
  await unlink.click()
  await assertAccessible(page, 'unlinking an account')
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('Account unlinked').waitFor()
  await unlink.waitFor({ state: 'detached' })
})

test('a refused sign-in says why and leads back', async (t) => {
  provider.state.person = { ...noor, sub: 'unverified', email_verified: false }
  const { page, context } = await openWindow(t, { on: place, expected: /40[13]/ })
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByText('The identity provider has not verified your email address.').waitFor()
  await assertAccessible(page, 'refused by single sign-on')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByLabel('Password').waitFor()
  // Else the provider remembers the person and asks nothing.
  await context.clearCookies()
  provider.state.denies = true
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByText('The identity provider did not sign you in.').waitFor()
  provider.state.denies = false
})

test('somebody who follows an invitation and signs in by the provider comes back to it and joins', async (t) => {
  provider.state.person = { ...noor, sub: 'invited', email: 'invited@example.test', name: 'Ines' }
  const { page, context } = await openWindow(t, { on: place, expected: /40[13]/ })
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
  await context.clearCookies()
  const otherId = await plain.addProject('Garden')
  const owner = await plain.addUser({ roles: { [otherId]: 'owner' } })
  const { secret, hash } = newInvitationSecret(otherId)
  await plain.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${otherId}, 'invited@example.test', 'member', ${hash}, ${owner.id}, now() + interval '1 day')`
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''))
  await page.goto(`/invitation#${secret}`)
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByRole('button', { name: 'Join Garden' }).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
  assert.ok(!kept.includes(secret))
  await page.getByRole('button', { name: 'Join Garden' }).click()
  await page.waitForURL((url) => url.pathname === `/p/${otherId}/home`)
  assert.deepEqual(
    addresses.filter((address) => address.split('#')[0]?.includes(secret)),
    [],
  )
})
