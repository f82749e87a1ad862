import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, openAs, openWindow, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang)

test('the language of the account page is kept, follows the person to another browser, and goes back to the browser’s', async (t) => {
  const project = await service.addProject()
  const user = await service.addUser({ roles: { [project]: 'member' } })
  const page = await openAs(t, user, `/p/${project}/account`)
  assert.equal(await languageOf(page), 'en')
  await page.getByRole('radio', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Sprache' }).waitFor()
  assert.equal(await languageOf(page), 'de')
  await assertAccessible(page, 'account in German')
  const elsewhere = await openAs(t, user, `/p/${project}/account`)
  await elsewhere.getByRole('heading', { name: 'Sprache' }).waitFor()
  await elsewhere.getByRole('radio', { name: 'Wie der Browser' }).click()
  await elsewhere.getByRole('heading', { name: 'Language' }).waitFor()
  assert.equal(await languageOf(elsewhere), 'en')
})

test('a person who has not signed in sees the browser’s language and can choose another', async (t) => {
  const { page } = await openWindow(t, { locale: 'de-AT', expected: /401/ })
  await page.goto('/sign-in')
  assert.equal(await languageOf(page), 'de')
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  assert.equal(await languageOf(page), 'en')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.waitForFunction(() => document.documentElement.lang === 'de')
})

test('choosing a language on a form keeps what was filled in, except passwords', async (t) => {
  const { page } = await openWindow(t, { locale: 'de', expected: /401/ })
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill('ada@a.test')
  await page.getByLabel('Passwort').fill('some words')
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  const field = page.getByRole('textbox', { name: 'Email' })
  await eventually(async () => assert.equal(await field.inputValue(), 'ada@a.test'))
  assert.equal(await page.getByLabel('Password').inputValue(), '')
  // The form has it, not only the page.
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByLabel('Password').fill('some words')
  await page.keyboard.press('Enter')
  assert.match((await sent).postData() ?? '', /ada@a\.test/)
  await page.reload()
  await field.waitFor()
  assert.equal(await field.inputValue(), '')
})

test('an empty required field is reported in the language of the app, not of the browser', async (t) => {
  const project = await service.addProject()
  const user = await service.addUser({ roles: { [project]: 'owner' } })
  const page = await openAs(t, user, `/p/${project}/account`)
  await page.getByRole('radio', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Sprache' }).waitFor()
  const field = page.getByRole('textbox', { name: 'Aktuelles Passwort' })
  const message = () => field.evaluate((input: HTMLInputElement) => input.validationMessage)
  await page.getByRole('button', { name: 'Passwort ändern' }).click()
  assert.equal(await message(), 'Dieses Feld ausfüllen.')
  await field.fill('something')
  assert.equal(await message(), '')
})
