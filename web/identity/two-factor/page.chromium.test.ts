import assert from 'node:assert/strict'
import test from 'node:test'
import { TOTP } from 'otpauth'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { password } from '#tests/service.ts'

test('a superadmin without two-factor authentication learns why a page is closed, sets it up, and returns to the page', async (t) => {
  const projectId = await service.addProject()
  const user = await service.addUser({
    superadmin: true,
    totpSecret: null,
    roles: { [projectId]: 'owner' },
  })
  const page = await openAs(t, user, `/p/${projectId}/templates`, { expected: /422/ })
  await page.getByRole('heading', { name: 'Set up two-factor authentication first' }).waitFor()
  await assertAccessible(page, 'page that needs two-factor authentication')
  await page.getByRole('link', { name: 'Set up' }).click()
  await page.getByText('Superadmins need a code from their phone').waitFor()
  await page.getByLabel('Your password').fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The password is incorrect.').waitFor()
  await assertAccessible(page, 'two-factor authentication, password')
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.locator('.account-secret').textContent()) ?? ''
  await assertAccessible(page, 'two-factor authentication, code')
  await page.getByLabel('6-digit code').fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await assertAccessible(page, 'two-factor authentication, recovery codes')
  await page.getByRole('button', { name: "I've saved these codes" }).click()
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/operator/templates')
  await page.getByRole('button', { name: 'New template' }).first().waitFor()
})

test('the project of somebody else leads to the setup too, and a superadmin without any project gets there at once', async (t) => {
  const { path } = await createScene()
  const user = await service.addUser({ superadmin: true, totpSecret: null })
  const page = await openAs(t, user, path, { expected: /403/ })
  await page.getByRole('heading', { name: 'Set up two-factor authentication first' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  const link = page.getByRole('link', { name: 'Set up' })
  assert.equal(await link.getAttribute('href'), `/two-factor?to=${encodeURIComponent(path)}`)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Set up two-factor authentication', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Not now' }).count(), 0)
})
