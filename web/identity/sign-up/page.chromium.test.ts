import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openWindow } from '#tests/browser.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { startTestService } from '#tests/service.ts'

const server = await startMailServer()
const signUp = { way: 'domains' as const, domains: ['engine.test'] }
const service = await startTestService({ mail: server.mail, signUp })
await service.addUser()

test('sign-up from the sign-in page through the mail to a project of one’s own; the link leaves the address and works once', async (t) => {
  const { page } = await openWindow(t, { on: service, expected: /40[014]|422/ })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''))
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Enter a valid email address.').waitFor()
  await page.getByLabel('Email').fill('ada@elsewhere.test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText("You can't sign up with an address of this domain.").waitFor()
  await assertAccessible(page, 'sign up')
  await page.getByLabel('Email').fill('ada@engine.test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await assertAccessible(page, 'sign up, sent')

  const link = linkIn(await server.newest('ada@engine.test'), '/sign-up')
  await page.goto(link)
  await page.getByLabel('Your name').waitFor()
  assert.equal(await page.getByLabel('Email').inputValue(), 'ada@engine.test')
  assert.equal(new URL(page.url()).hash, '')
  await page.reload()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Enter your name.').waitFor()
  await page.getByText('Enter a project name.').waitFor()
  await assertAccessible(page, 'sign up, account')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Password').fill('tall oaks hum at noon')
  await page.getByLabel('Project name').fill('Analytical Engine')
  await page.getByRole('combobox', { name: 'Product' }).selectOption('Shop')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Analytical Engine', exact: true }).waitFor()

  const secret = link.split('#')[1] as string
  assert.ok(addresses.length > 0)
  assert.deepEqual(
    addresses.filter((address) => address.split('#')[0]?.includes(secret)),
    [],
  )
  await page.goto(link)
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor()
  await assertAccessible(page, 'sign up, used')
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await page.getByRole('heading', { name: "You're signed in" }).waitFor()
  await assertAccessible(page, 'sign up, signed in')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Continue' }).waitFor()
})

test('where sign-up is off, the sign-in page offers none and the page says what to do', async (t) => {
  const off = await startTestService({ mail: server.mail })
  await off.addUser()
  const { page } = await openWindow(t, { on: off, expected: /40[13]/ })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0)
  await page.goto('/sign-up')
  await page.getByRole('heading', { name: "You can't sign up here" }).waitFor()
  await page.goto('/sign-up#cardinal_something')
  await page.getByRole('heading', { name: "You can't sign up here" }).waitFor()
})
