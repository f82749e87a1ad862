import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

/** An open card on a Monday in New York, where British English is spoken. */
async function openCard(
  t: TestContext,
  { language = 'en', ...options }: Parameters<typeof openAs>[3] & { language?: string } = {},
) {
  const scene = await createScene({ cards: 1 })
  const { member, members, path, cardIds } = scene
  const id = cardIds[0] as number
  const page = await openAs(t, members.member, 'about:blank', {
    locale: 'en-GB',
    timezoneId: 'America/New_York',
    ...options,
  })
  await page.context().addCookies([{ name: 'cardinal_language', value: language, url: service.url }])
  await page.clock.install({ time: '2027-11-15T10:00:00-05:00' })
  await page.goto(`${service.url}${path}/cards/${id}`)
  const cardIs = (fields: object) =>
    eventually(async () => {
      const { card } = await member.call(`${base}/cards/get`, { id })
      const { due_date, due_is_date, snoozed_until } = card
      assert.deepEqual(
        { due_date, due_is_date, snoozed_until },
        { snoozed_until: null, due_date: null, due_is_date: false, ...fields },
      )
    })
  const due = page.getByRole('button', { name: /^Due date: / })
  const field = page.getByRole('combobox', { name: 'Due date' })
  return { page, id, member, cardIs, due, field }
}

const hasFocus = (page: Page, name: string) =>
  eventually(async () =>
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent?.replaceAll(/\s+/g, ' ').trim()),
      name,
    ),
  )

test('a suggested date is chosen with the keyboard; the focus stays at the field, and Enter does not remove the date', async (t) => {
  const { page, due, cardIs } = await openCard(t)
  await due.press('Enter')
  await page.getByRole('option', { name: 'Tomorrow Tue 16 Nov' }).waitFor()
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await cardIs({ due_date: '2027-11-16T23:59:59.999Z', due_is_date: true })
  await hasFocus(page, 'Due date: Tue 16 Nov')
  for (const key of ['Enter', 'Enter']) await page.keyboard.press(key)
  await hasFocus(page, 'Due date: Tue 16 Nov')
  await page.getByRole('button', { name: /^Snooze: / }).click()
  await page.getByRole('option', { name: 'Next week Mon 22 Nov, 08:00' }).click()
  await hasFocus(page, 'Snooze: Mon 22 Nov, 08:00')
  await cardIs({
    due_date: '2027-11-16T23:59:59.999Z',
    due_is_date: true,
    snoozed_until: '2027-11-22T13:00:00.000Z',
  })
})

test('a date is typed in words, with or without a time, and what was understood is said', async (t) => {
  const { page, due, field, cardIs } = await openCard(t)
  await due.press('Enter')
  await page.keyboard.type('fri 9')
  await page
    .getByRole('status')
    .getByText(/^Friday,? 19 November 2027.* 09:00$/)
    .waitFor()
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Due date: Fri 19 Nov, 09:00')
  await page
    .locator('.card')
    .getByText(/^Due Fri,? 19 Nov.* 0?9:00$/)
    .waitFor()
  await cardIs({ due_date: '2027-11-19T14:00:00.000Z' })
  await due.press('Enter')
  assert.equal(await field.inputValue(), 'Fri 19 Nov, 09:00')
  await page.keyboard.type('+3d')
  // Leaving the field takes what was typed.
  await page.getByRole('searchbox').click()
  await cardIs({ due_date: '2027-11-18T23:59:59.999Z', due_is_date: true })
  await due.click()
  await field.fill('')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Due date: Add date')
  await cardIs({})
  await page.getByRole('button', { name: 'Undo' }).click()
  await cardIs({ due_date: '2027-11-18T23:59:59.999Z', due_is_date: true })
})

test('what is unclear changes nothing and is answered with examples; Escape changes nothing either', async (t) => {
  const { page, id, member, due, field, cardIs } = await openCard(t)
  const before = { due_date: '2027-12-01T15:30:20.000Z' }
  await member.call(`${base}/cards/update`, { id, ...before })
  await page.getByRole('button', { name: 'Due date: Wed 1 Dec, 10:30' }).press('Enter')
  await page.keyboard.type('soon')
  await page.keyboard.press('Enter')
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  const hint = 'Type a day such as “fri”, “tomorrow 9”, “+3d” or “16 Nov”.'
  await page.getByRole('dialog').getByText(hint).waitFor()
  await assertAccessible(page, 'unclear date')
  await page.getByRole('searchbox').click()
  await page.getByRole('status').getByText(`Due date not changed. ${hint}`).waitFor()
  await due.press('Enter')
  await page.keyboard.type('tomorrow')
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Due date: Wed 1 Dec, 10:30')
  await page.getByRole('complementary').waitFor()
  await due.press('Enter')
  await page.keyboard.press('Enter')
  await cardIs(before)
})

test('a card is not snoozed until a time that is past; the reason is said', async (t) => {
  const { page, cardIs } = await openCard(t)
  const past = 'This time is past. Choose a later one.'
  const dialog = page.getByRole('dialog', { name: 'Snooze' })
  const snooze = page.getByRole('button', { name: /^Snooze: / })
  await snooze.press('Enter')
  // A day without a time is its morning, which is past too.
  for (const text of ['yesterday', 'today', '3 days ago']) {
    await page.getByRole('combobox', { name: 'Snooze' }).fill(text)
    await page.keyboard.press('Enter')
  }
  await page.getByRole('combobox', { name: 'Snooze' }).fill('last week')
  await dialog.getByText(past).waitFor()
  await page.getByRole('combobox', { name: 'Snooze' }).fill('')
  await dialog.getByRole('button', { name: /^Sunday,? 14 November/ }).click()
  await dialog.getByText(past).waitFor()
  // Leaving the field with a past time says it too.
  await page.getByRole('combobox', { name: 'Snooze' }).fill('yesterday')
  await page.getByRole('searchbox').click()
  await page.getByRole('status').getByText(`Snooze not changed. ${past}`).waitFor()
  await cardIs({})
  await snooze.press('Enter')
  await page.keyboard.type('+30m')
  await page.keyboard.press('Enter')
  await cardIs({ snoozed_until: '2027-11-15T15:30:00.000Z' })
})

test('the whole calendar is seen where there is room neither above nor below', async (t) => {
  const { page, due } = await openCard(t, { viewport: { width: 1280, height: 640 } })
  await due.press('Enter')
  await page.getByRole('grid').waitFor()
  const isCut = () =>
    page.locator('.date-popover').evaluate((popover) => {
      const { top, bottom } = popover.getBoundingClientRect()
      return popover.scrollHeight > popover.clientHeight || top < 0 || bottom > innerHeight
    })
  await eventually(async () => assert.equal(await isCut(), false))
})

test('a day is chosen in the calendar with arrow keys, in the language and week of the person, on a phone', async (t) => {
  const { page, cardIs } = await openCard(t, { language: 'de' })
  await page.getByRole('button', { name: 'Fälligkeit: Datum hinzufügen' }).press('Enter')
  await page.getByRole('option', { name: 'Morgen Di, 16. Nov.' }).waitFor()
  await page.keyboard.type('morgen 9')
  await page.getByRole('option', { name: 'Di, 16. Nov., 09:00' }).waitFor()
  const grid = page.getByRole('grid', { name: 'November 2027' })
  await grid.waitFor()
  const popover = page.locator('.date-popover')
  assert.ok(await popover.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
  // Screen readers hear the weekday with each day.
  assert.deepEqual(await grid.locator('th').allTextContents(), ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'])
  await assertAccessible(page, 'calendar in German')
  await page.setViewportSize({ width: 390, height: 800 })
  for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await eventually(async () => assert.equal(await focused(), 'Dienstag, 16. November 2027'))
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'PageDown']) await page.keyboard.press(key)
  await eventually(async () => assert.equal(await focused(), 'Samstag, 1. Januar 2028'))
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390)
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Fälligkeit: Sa, 1. Jan. 2028, 09:00')
  await cardIs({ due_date: '2028-01-01T14:00:00.000Z' })
})
