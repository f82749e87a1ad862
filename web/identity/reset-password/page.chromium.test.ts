import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openWindow } from '#tests/browser.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { startTestService } from '#tests/service.ts'

const server = await startMailServer()
const service = await startTestService({ mail: server.mail })

test('a forgotten password: from the sign-in page through the mail to the boards; the link leaves the address and works once', async (t) => {
  const projectId = await service.addProject('Garden')
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const { page } = await openWindow(t, { on: service, expected: /40[14]|422/ })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''))
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Enter a valid email address.').waitFor()
  await page.getByLabel('Email').fill(user.email)
  await assertAccessible(page, 'forgot password')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await assertAccessible(page, 'forgot password, sent')

  const link = linkIn(await server.newest(user.email), '/reset-password')
  await page.goto(link)
  await page.getByLabel('New password').waitFor()
  assert.equal(await page.getByLabel('Email').inputValue(), user.email)
  assert.equal(new URL(page.url()).hash, '')
  // The secret survives a reload, as when another language is chosen.
  await page.reload()
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Use at least 12 characters.').waitFor()
  await assertAccessible(page, 'reset password')
  await page.getByLabel('New password').fill('tall oaks hum at noon')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill('tall oaks hum at noon')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Garden' }).waitFor()

  const secret = link.split('#')[1] as string
  assert.ok(addresses.length > 0)
  assert.deepEqual(
    addresses.filter((address) => address.split('#')[0]?.includes(secret)),
    [],
  )
  await page.goto(link)
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor()
  await assertAccessible(page, 'reset password, used')
  await page.getByRole('link', { name: 'Send a new link' }).click()
  await page.getByRole('button', { name: 'Send link' }).waitFor()
})

test('without mail the sign-in page offers no link, and the page says whom to ask', async (t) => {
  const silent = await startTestService({ mail: { way: 'none' } })
  await silent.addUser()
  const { page } = await openWindow(t, { on: silent, expected: /401/ })
  await page.goto('/forgot-password')
  await page.getByRole('heading', { name: "Email isn't set up here" }).waitFor()
  await assertAccessible(page, 'forgot password without mail')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Forgot password?' }).count(), 0)
})

test('in the demo the page leads to the outbox, which shows the mail and its link', async (t) => {
  const demo = await startTestService({ mail: { way: 'outbox' } })
  const user = await demo.addUser()
  await demo.db.sql`update users set is_demo = true`
  const { page } = await openWindow(t, { on: demo })
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('link', { name: 'outbox' }).click()
  const mail = page.getByRole('link', { name: 'Reset your password' })
  for (let wait = 0; (await mail.count()) === 0 && wait < 40; wait++) {
    await page.waitForTimeout(250)
    await page.reload()
  }
  await assertAccessible(page, 'outbox')
  await mail.click()
  await assertAccessible(page, 'mail to reset a password')
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.getByLabel('New password').waitFor()
})
