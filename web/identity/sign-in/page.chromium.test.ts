import assert from 'node:assert/strict'
import test from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { renewRecoveryCodes } from '#identity/second-factor.ts'
import { end } from '#identity/sessions.ts'
import {
  assertAccessible,
  createScene,
  signIn as giveSession,
  openAs,
  openWindow,
  otherHost,
  service,
} from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { password } from '#tests/service.ts'

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

async function signIn(page: Page, email: string, withPassword = password) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(withPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('signing in opens the requested page, asks once who is there, and leaves no token that a script could read', async (t) => {
  const scene = await createScene()
  const { page, context } = await openWindow(t, { expected: /401/ })
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/users/me')) asked++
  })
  await page.goto(`${scene.path}?priority=high`)
  await page.waitForURL(/sign-in/)
  await assertAccessible(page, 'sign-in')
  assert.equal(asked, 1)
  await signIn(page, scene.members.member.email)
  await page.getByRole('heading', { name: 'Board', exact: true }).waitFor()
  assert.equal(new URL(page.url()).search, '?priority=high')
  const readable = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
  )
  assert.doesNotMatch(readable, /cardinal_/)
  const [cookie] = await context.cookies()
  assert.deepEqual([cookie?.httpOnly, cookie?.secure, cookie?.sameSite], [true, true, 'Strict'])
})

test('a signed-in user is redirected to the home page or the requested page', async (t) => {
  const { members, projectId, path } = await createScene()
  const page = await openAs(t, members.member, '/sign-in')
  await page.waitForURL((url) => url.pathname === `/p/${projectId}/home`)
  await page.goto(`/sign-in?to=${encodeURIComponent(path)}`)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  assert.equal(new URL(page.url()).pathname, path)
})

test('a wrong password shows an error, and the tenth a countdown', async (t) => {
  const user = await service.addUser()
  const { page } = await openWindow(t, { expected: /401|429/ })
  await page.goto('/sign-in')
  for (let attempt = 1; attempt <= 9; attempt++)
    await service.client().attempt('/v1/authenticate', { email: user.email, password: 'wrong' })
  await signIn(page, user.email, 'wrong')
  const alert = page.getByRole('alert')
  await alert.getByText(/^Too many attempts. Try again in \d+ seconds?\.$/).waitFor()
  const [said, counting] = [await alert.textContent(), page.getByRole('button', { name: /^Wait \d+ s$/ })]
  const left = await counting.textContent()
  await eventually(async () => assert.notEqual(await counting.textContent(), left))
  // Else it would be read out every second.
  assert.equal(await alert.textContent(), said)
  await assertAccessible(page, 'sign-in with a delay')
  const other = await service.addUser()
  await page.reload()
  await signIn(page, other.email, 'wrong')
  await page.getByText('Incorrect email or password.').waitFor()
  // What is typed now replaces the wrong password, and the error goes.
  await page.keyboard.type('x')
  assert.equal(await page.getByLabel('Password').inputValue(), 'x')
  await page.getByText('Incorrect email or password.').waitFor({ state: 'detached' })
})

test('sign-in asks for a code, refuses wrong ones, and accepts a recovery code', async (t) => {
  const projectId = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'member' }, totpSecret: secret })
  const [recovery] = await service.db.transaction((queries) => renewRecoveryCodes(queries, user.id))
  const { page, context } = await openWindow(t, { expected: /401|403/ })
  await page.goto('/sign-in')
  await signIn(page, user.email)
  const field = page.getByLabel('6-digit code')
  await field.fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Incorrect code.').waitFor()
  await assertAccessible(page, 'second factor')
  await page.keyboard.type(new TOTP({ secret }).generate())
  await page.getByText('Incorrect code.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()

  const signInByRecoveryCode = async () => {
    await context.clearCookies()
    await page.goto('/sign-in')
    await signIn(page, user.email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recovery as string)
    await page.getByRole('button', { name: 'Confirm' }).click()
  }
  await signInByRecoveryCode()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
  await signInByRecoveryCode()
  await page.getByText('or already used').waitFor()
})

test('sign-in never redirects to another site', async (t) => {
  const scene = await createScene()
  // A browser leaves tabs and /./ out, which makes // of the last two.
  for (const to of ['//example.test/', '/\\example.test/', '/\t/example.test/', '/.//example.test/']) {
    const { page } = await openWindow(t, { expected: /401/ })
    await page.goto(`/sign-in?to=${encodeURIComponent(to)}`)
    await signIn(page, scene.members.member.email)
    await page.waitForURL((url) => url.pathname === `/p/${scene.projectId}/home`)
  }
})

test('on http to another machine the page says that https is needed', async (t) => {
  const { page } = await openWindow(t, { expected: /Cross-Origin-Opener-Policy/ })
  await page.goto(`${service.url.replace('127.0.0.1', otherHost)}/sign-in`)
  await page.getByText('Sign-in needs a secure connection.').waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
})

test('sign-in warns when few recovery codes are left and leads to new ones, and tells a disabled user why it fails', async (t) => {
  const projectId = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'member' }, totpSecret: secret })
  const codes = await service.db.transaction((queries) => renewRecoveryCodes(queries, user.id))
  for (const code of codes.slice(0, 8))
    await service
      .client()
      .attempt('/v1/authenticate', { email: user.email, password, code, is_recovery: true })
  const { page, context } = await openWindow(t, { expected: /40[13]/ })
  await page.goto('/sign-in')
  await signIn(page, user.email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(codes[8] as string)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('1 recovery code left').waitFor()
  await page.getByRole('link', { name: 'Create new codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByLabel('Recovery code').fill(codes[9] as string)
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByText('1 recovery code left').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: "I've saved these codes" }).click()
  assert.equal(new URL(page.url()).search, '')
  assert.equal(await page.getByRole('dialog').count(), 0)

  await context.clearCookies()
  await service.db.sql`update users set disabled_at = now() where id = ${user.id}`
  await page.goto('/sign-in')
  await signIn(page, user.email)
  await page
    .getByRole('alert')
    .getByText(/disabled/)
    .waitFor()
})

const endings = {
  idle: 'You were signed out because you were inactive for a while.',
  expired: 'Your session has expired. Sign in again.',
  revoked: 'This session was ended from another browser or app.',
  password_changed: 'You were signed out because your password was changed.',
} as const

test('somebody whose session has ended reads why, on their page and on the sign-in page, and returns to where they were', async (t) => {
  const { members, path } = await createScene()
  const user = members.member
  const page = await openAs(t, user, path, { expected: /401/ })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  for (const [reason, sentence] of Object.entries(endings)) {
    await end(service.db, { userId: user.id }, reason as keyof typeof endings)
    await page.goto(path)
    await page.getByText(sentence).waitFor()
    await page.goto('/sign-in')
    await page.getByText(sentence).waitFor()
    await giveSession(page.context(), user)
  }
  await assertAccessible(page, 'sign-in with a reason')
  await end(service.db, { userId: user.id }, 'idle')
  await page.goto(path)
  await page.getByText(endings.idle).waitFor()
  await signIn(page, user.email)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
})
