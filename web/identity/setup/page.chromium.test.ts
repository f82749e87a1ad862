import assert from 'node:assert/strict'
import test from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { addSetupLink } from '#identity/setup.ts'
import { newToken } from '#identity/tokens.ts'
import { assertAccessible, openWindow, otherHost } from '#tests/browser.ts'
import { forgetEverybody } from '#tests/installation.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const complete = '/services/identity/v1/setup/complete'
const person = { name: 'Ada Lovelace', email: 'ada@example.test', password: 'tall oaks hum at noon' }

const installation = await startTestService()

async function fillIn(page: Page, { name, email, password } = person) {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

async function setUpTwoFactor(page: Page, password: string) {
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.locator('.account-secret').textContent()) ?? ''
  await page.getByLabel('6-digit code').fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await page.getByRole('button', { name: "I've saved these codes" }).click()
}

const create = (page: Page) => page.getByRole('button', { name: 'Create account' }).click()

test('the link creates the first superadmin, signs them in and opens the first project; it works once', async (t) => {
  await forgetEverybody(installation)
  const token = await addSetupLink(installation.db)
  const { page, context } = await openWindow(t, { on: installation, expected: /40[01]/ })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto(`/setup#${token}`)
  await fillIn(page)
  await page.getByRole('button', { name: 'Show password' }).click()
  assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
  await assertAccessible(page, 'setup')
  await page.locator('.strength').getByText('Hard to guess').waitFor()
  await page.getByLabel('First project (optional)').fill('Acme')
  await create(page)
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor()
  await assertAccessible(page, 'two-factor authentication after the setup')
  await page.getByRole('link', { name: 'Not now' }).click()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  await page.getByRole('link', { name: 'Templates' }).waitFor()
  // A browser leaves out what is behind the #, and the app sends the secret in bodies alone.
  assert.ok(addresses.length > 0)
  assert.deepEqual(
    addresses.filter((address) => new URL(address).pathname.includes(token)),
    [],
  )
  const [cookie] = await context.cookies()
  assert.deepEqual([cookie?.httpOnly, cookie?.secure, cookie?.sameSite], [true, true, 'Strict'])

  await page.goto(`/setup#${token}`)
  await page.getByRole('heading', { name: 'Cardinal is already set up' }).waitFor()
  await assertAccessible(page, 'setup, done before')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
})

test('each field shows its error, and the first one has the focus', async (t) => {
  await forgetEverybody(installation)
  const { page } = await openWindow(t, { on: installation, expected: /422/ })
  await page.goto(`/setup#${await addSetupLink(installation.db)}`)
  await create(page)
  for (const sentence of ['Enter your name.', 'Enter a valid email address.', 'Use at least 12 characters.'])
    await page.getByText(sentence).waitFor()
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'name'),
  )
  await assertAccessible(page, 'setup with errors')
  await fillIn(page, { ...person, password: 'short' })
  await create(page)
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'password'),
  )
  assert.equal(await page.getByText('Enter your name.').count(), 0)
  await fillIn(page, { ...person, password: 'passwordpassword' })
  await create(page)
  await page.getByText('because it repeats the same characters. Use a longer phrase').waitFor()
  await fillIn(page, { ...person, password: 'x'.repeat(1100) })
  await create(page)
  await page.getByText('This is too long.').waitFor()
  assert.equal((await installation.db.sql`select from users`).length, 0)
})

test('a broken link says what to do, and the complete link pasted afterwards works', async (t) => {
  await forgetEverybody(installation)
  const { page } = await openWindow(t, { on: installation, expected: /404/ })
  await page.goto('/setup')
  const heading = page.getByRole('heading', { name: "This link doesn't work" })
  await heading.waitFor()
  await page.getByText('--superadmin --superadmin-billing').waitFor()
  await assertAccessible(page, 'setup with a wrong link')
  await page.goto(`/setup#${newToken()}`)
  await heading.waitFor()
  await page.goto(`/setup#${await addSetupLink(installation.db)}`)
  await page.getByLabel('Name').waitFor()
})

test('the second user of a link sees that setup is done', async (t) => {
  await forgetEverybody(installation)
  const token = await addSetupLink(installation.db)
  const { page } = await openWindow(t, { on: installation, expected: /400/ })
  await page.goto(`/setup#${token}`)
  await fillIn(page)
  await installation.client().call(complete, { token, ...person, email: 'eve@example.test' })
  await create(page)
  await page.getByRole('heading', { name: 'Cardinal is already set up' }).waitFor()
  assert.equal((await installation.db.sql`select from users`).length, 1)
})

test('a superadmin without a project creates the first one and lands there', async (t) => {
  await forgetEverybody(installation)
  const { page } = await openWindow(t, { on: installation, expected: /422/ })
  await page.goto(`/setup#${await addSetupLink(installation.db)}`)
  await fillIn(page)
  await create(page)
  await setUpTwoFactor(page, person.password)
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
  await assertAccessible(page, 'no projects')
  const createProject = page.getByRole('button', { name: 'Create project' })
  await createProject.click()
  await page.getByText('Enter a project name.').waitFor()
  await page.getByLabel('Project name').fill('Acme')
  await createProject.click()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
  const [project] = await installation.db.sql<{ id: number; name: string }[]>`select id, name from projects`
  assert.equal(project?.name, 'Acme')
  assert.equal(new URL(page.url()).pathname, `/p/${project?.id}/boards`)
})

test('while there is no account, the sign-in page says where the setup link is', async (t) => {
  await forgetEverybody(installation)
  await installation.db.sql`delete from setup_links`
  const { page } = await openWindow(t, { on: installation, expected: /401/ })
  await page.goto('/')
  await page.getByText('The setup link has expired. Restart the server').waitFor()
  await addSetupLink(installation.db)
  await page.goto('/')
  await page.getByText('Open the setup link that the server printed when it started.').waitFor()
  await assertAccessible(page, 'sign-in before the setup')
  await installation.addUser()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.equal(await page.getByText("isn't set up yet").count(), 0)
})

test('on http to another machine the page says that https is needed, and keeps the secret in the link', async (t) => {
  await forgetEverybody(installation)
  const token = await addSetupLink(installation.db)
  const { page } = await openWindow(t, { on: installation, expected: /Cross-Origin-Opener-Policy/ })
  await page.goto(`${installation.url.replace('127.0.0.1', otherHost)}/setup#${token}`)
  await page.getByText('needs a secure connection').waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
  const [href] = await page
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  assert.ok(href?.startsWith('https://') && href.endsWith(`/setup#${token}`))
})
