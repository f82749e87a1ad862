import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, openWindow, service, signIn } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { password, type TestUser } from '#tests/service.ts'
import { addAuthenticator } from '#tests/virtual-authenticator.ts'

/** The same service under a name, because no browser has passkeys for an IP address. */
const place = () => ({ url: service.url.replace('127.0.0.1', 'localhost') })

async function openAccount(t: TestContext, { expected }: { expected?: RegExp } = {}) {
  const projectId = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const { page, context } = await openWindow(t, { on: place(), ...(expected && { expected }) })
  const authenticator = await addAuthenticator(page)
  await signIn(context, user, place())
  await page.goto(`/p/${projectId}/account`)
  return { page, context, user, projectId, authenticator }
}

const passkeysOf = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')

async function addPasskey(page: Page) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added').waitFor()
}

test('a passkey is added, renamed, signs in alone, and is removed after it has confirmed that', async (t) => {
  const { page, context, user, projectId, authenticator } = await openAccount(t, { expected: /401|403/ })
  await addPasskey(page)
  assert.equal(await authenticator.count(), 1)
  await passkeysOf(page).getByText('Chrome on Linux').first().waitFor()
  await page.getByRole('button', { name: 'Rename Chrome on Linux' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Rename Work laptop' }).waitFor()
  await passkeysOf(page).getByText('not used yet').waitFor()
  await assertAccessible(page, 'passkeys')

  // Not yet: the suggestion at the email field would be taken at once.
  await authenticator.answers(false)
  await context.clearCookies()
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await button.waitFor()
  await assertAccessible(page, 'sign-in with passkeys')
  await authenticator.answers(true)
  await button.click()
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
  const cookies = await context.cookies()
  assert.ok(cookies.every(({ httpOnly, secure, sameSite }) => httpOnly && secure && sameSite === 'Strict'))

  await page.goto(`/p/${projectId}/account`)
  await passkeysOf(page)
    .getByText(/last used/)
    .waitFor()
  await service.db.sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const confirming = page.getByRole('dialog', { name: 'Confirm your password' })
  await confirming.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Passkey removed').waitFor()
  await eventually(async () => assert.equal(await passkeysOf(page).count(), 0))
})

test('the browser offers a passkey at the email field, and it signs in without a click', async (t) => {
  const { page, context, projectId } = await openAccount(t, { expected: /401/ })
  await addPasskey(page)
  await context.clearCookies()
  await page.goto('/sign-in')
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
})

test('a removed passkey says so, and the password still works', async (t) => {
  const { page, context, user, projectId, authenticator } = await openAccount(t, { expected: /401/ })
  await addPasskey(page)
  await authenticator.answers(false)
  await service.db.sql`delete from passkeys where user_id = ${user.id}`
  await context.clearCookies()
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await button.waitFor()
  await authenticator.answers(true)
  await button.click()
  await page.getByRole('alert').getByText('This passkey is not known here.').waitFor()
  await authenticator.answers(false)
  await enterPassword(page, user)
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
})

async function enterPassword(page: Page, { email }: TestUser) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('an authenticator that has a passkey for the account makes no second one', async (t) => {
  const { page, authenticator } = await openAccount(t)
  await addPasskey(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This device already has a passkey for your account.').waitFor()
  assert.equal(await authenticator.count(), 1)
})

test('at an IP address passkeys are not offered, and the account says where they work', async (t) => {
  const projectId = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const { page, context } = await openWindow(t, { expected: /401/ })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).waitFor({ state: 'detached' })
  await page.getByLabel('Password').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
  await signIn(context, user)
  await page.goto(`/p/${projectId}/account`)
  const link = page.getByRole('link', { name: place().url })
  await link.waitFor()
  assert.equal(await link.getAttribute('href'), `${place().url}/p/${projectId}/account`)
  assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
})
