import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { createScene, openAs, service, shows } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

test('an ended snooze, a passed due date and relative times update by themselves', async (t) => {
  const { member, members, cardIds, path } = await createScene()
  const [first, second] = cardIds as [number, number]
  await member.call(`${base}/cards/update`, { id: first, snoozed_until: inAnHour() })
  await member.call(`${base}/cards/update`, { id: second, due_date: inAnHour() })
  await member.call(`${base}/comments/create`, { card_id: second, comment: 'Hello' })
  const page = await openAs(t, members.member, path)
  await page.clock.install()
  await page.goto(`${path}/cards/${second}`)
  await shows(page, 'To do', ['Card 2', 'Card 3'])
  const card = page.getByRole('listitem').filter({ hasText: 'Card 2' })
  await card.getByText(/^Due /).waitFor()
  const comment = page.getByRole('article')
  await comment.getByText('just now').waitFor()
  await page.clock.fastForward('00:05:00')
  await comment.getByText(/5 min/).waitFor()
  await page.clock.fastForward('01:00:00')
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await card.getByText(/^Overdue since /).waitFor()
  await page.getByRole('complementary').getByText('Overdue', { exact: true }).waitFor()
})

test('a card moves from tomorrow to today and to overdue in the open list of my cards', async (t) => {
  const { member, members, cardIds, projectId } = await createScene({ cards: 1 })
  const id = cardIds[0] as number
  await member.call(`${base}/cards/update`, {
    id,
    owner_id: members.member.id,
    due_date: '2027-06-02T12:00:00Z',
  })
  const page = await openAs(t, members.member, `/p/${projectId}/my-cards`, { timezoneId: 'Asia/Kolkata' })
  await page.clock.install({ time: '2027-06-01T18:00:00Z' })
  await page.reload()
  const section = (name: string) => page.getByRole('list', { name }).getByRole('link', { name: 'Card 1' })
  await section('Next 7 days').waitFor()
  // In Kolkata the day ends at 18:30 UTC.
  await page.clock.fastForward('01:00:00')
  await section('Today').waitFor()
  await page.clock.fastForward('20:00:00')
  await section('Overdue').waitFor()
})

test('a due date without a time is overdue once its day has ended where the person is', async (t) => {
  const { member, members, cardIds, projectId, path } = await createScene({ cards: 1 })
  const id = cardIds[0] as number
  const day = { owner_id: members.member.id, due_date: '2027-06-02', due_is_date: true }
  await member.call(`${base}/cards/update`, { id, ...day })
  for (const [timezoneId, evening] of [
    ['America/New_York', '2027-06-03T03:30:00Z'],
    ['Asia/Kolkata', '2027-06-02T18:00:00Z'],
  ] as const) {
    const page = await openAs(t, members.member, `/p/${projectId}/my-cards`, { timezoneId, locale: 'en-GB' })
    await page.clock.install({ time: evening })
    await page.reload()
    const section = (name: string) => page.getByRole('list', { name }).getByRole('link', { name: 'Card 1' })
    await section('Today').waitFor()
    const inSidebar = page.getByRole('link', { name: 'Board 1 overdue' })
    await page.getByRole('link', { name: 'Board', exact: true }).waitFor()
    await page.clock.fastForward('01:00:00')
    await section('Overdue').waitFor()
    await inSidebar.waitFor()
    await page.goto(`/p/${projectId}/boards`)
    await page.locator('td[data-overdue="true"]').getByText('1', { exact: true }).waitFor()
    await page.goto(`/p/${projectId}/home`)
    await page.getByRole('region', { name: 'Recently changed boards' }).getByText('1 overdue').waitFor()
    await page.goto(path)
    assert.match(await dueTip(page), /^Overdue since Wednesday,? 2 June 2027$/)
  }
})

test('on days of 25 and 23 hours cards are listed by the calendar, and a snooze ends at the same hour', async (t) => {
  const { member, members, cardIds, projectId, path } = await createScene({ cards: 2 })
  const [late, early] = cardIds as [number, number]
  const own = { owner_id: members.member.id }
  await member.call(`${base}/cards/update`, { id: late, ...own, due_date: '2027-11-07T23:30:00-05:00' })
  await member.call(`${base}/cards/update`, { id: early, ...own, due_date: '2028-03-13T00:30:00-04:00' })
  const page = await openAs(t, members.member, `/p/${projectId}/my-cards`, { timezoneId: 'America/New_York' })
  const section = (name: string, card: string) =>
    page.getByRole('list', { name }).getByRole('link', { name: card })
  await page.clock.install({ time: '2027-11-07T10:00:00-05:00' })
  await page.reload()
  await section('Today', 'Card 1').waitFor()
  await section('Later', 'Card 2').waitFor()
  await page.clock.setSystemTime('2028-03-12T10:00:00-04:00')
  await page.reload()
  await section('Next 7 days', 'Card 2').waitFor()
  await section('Overdue', 'Card 1').waitFor()

  await page.clock.setSystemTime('2027-11-06T12:00:00-04:00')
  await page.goto(path)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Snooze for a day' }).click()
  await eventually(async () => {
    const { card } = await member.call(`${base}/cards/get`, { id: late })
    assert.equal(card.snoozed_until?.slice(0, 16), '2027-11-07T17:00')
  })
})

test('dates and times are in the language of the page, in the form of the country of the browser', async (t) => {
  const { member, members, cardIds, path } = await createScene({ cards: 1 })
  const id = cardIds[0] as number
  await member.call(`${base}/cards/update`, { id, due_date: new Date().toISOString() })
  const card = `${path}/cards/${id}`
  const german = await openAs(t, members.member, card, { locale: 'de-DE' })
  assert.match(await dueTip(german), /(Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch/)
  await german.clock.install()
  await german.reload()
  await german.getByText('gerade eben').first().waitFor()
  await german.clock.fastForward('00:05:00')
  await german.getByText('vor 5 Min.').first().waitFor()

  // A chosen language comes before that of the browser.
  await german.context().addCookies([{ name: 'cardinal_language', value: 'en', url: service.url }])
  await german.goto(card)
  await german.getByText('5 min ago').first().waitFor()
  await german.getByRole('listitem').getByText('Overdue since Today').waitFor()
  assert.match(await dueTip(german), /^Overdue since (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/)
  const british = await openAs(t, members.member, path, { locale: 'en-GB' })
  assert.match(await dueTip(british), /day,? \d+ \w+ \d{4}/)
})

test('a card shows its day as people write it where they are', async (t) => {
  const { member, members, cardIds, path } = await createScene({ cards: 1 })
  const day = { due_date: '2026-11-16', due_is_date: true }
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, ...day })
  for (const [locale, expected] of [
    ['en-GB', 'Mon 16 Nov'],
    ['de-DE', 'Mo, 16. Nov.'],
  ] as const) {
    const page = await openAs(t, members.member, 'about:blank', { locale })
    await page.clock.install({ time: '2026-11-10T12:00:00Z' })
    await page.goto(path)
    assert.equal((await page.locator('.card-due').textContent())?.replace(/^(Due|Fällig:) /, ''), expected)
  }
})

const dueTip = async (page: Page) =>
  (await page
    .getByRole('listitem')
    .filter({ hasText: 'Card 1' })
    .locator('.card-due')
    .getAttribute('data-tip')) ?? ''
