import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { announced, assertAccessible, createScene, drag, middleOf, openAs } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'
const day = (page: Page, name: string) => page.getByRole('cell', { name })
const on = (page: Page, name: string, titles: string[]) =>
  eventually(async () => assert.deepEqual(await day(page, name).getByRole('link').allTextContents(), titles))

async function createDates() {
  const scene = await createScene()
  const [first, second] = scene.cardIds as [number, number]
  await scene.member.call(`${base}/cards/update`, { id: first, due_date: '2030-03-12', due_is_date: true })
  await scene.member.call(`${base}/cards/update`, { id: second, due_date: '2030-03-12T09:30:00Z' })
  return scene
}

test('the calendar shows months and weeks, and the cards of their days', async (t) => {
  const scene = await createDates()
  const page = await openAs(t, scene.members.member, `${scene.path}?view=calendar&at=2030-02-10`, {
    timezoneId: 'UTC',
  })
  await page.getByRole('heading', { name: 'February 2030' }).waitFor()
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByRole('heading', { name: 'March 2030' }).waitFor()
  await on(page, 'Tuesday, March 12, 2030', ['Card 1', 'Card 2'])
  await assertAccessible(page, 'Calendar')
  await page.getByText('Week', { exact: true }).click()
  await page.getByRole('button', { name: 'Next week' }).click()
  await page.getByRole('button', { name: 'Next week' }).click()
  await on(page, 'Tuesday, March 12, 2030', ['Card 1', 'Card 2'])
  assert.match(page.url(), /span=week/)
  await page.getByRole('link', { name: '1 card without a due date' }).click()
  await page.getByRole('grid').getByRole('link', { name: 'Card 3' }).waitFor()
})

test('dragging and the keyboard change the day and keep the time, each with undo', async (t) => {
  const scene = await createDates()
  const { members, path, member, cardIds } = scene
  const page = await openAs(t, members.member, `${path}?view=calendar&at=2030-03-01`, { timezoneId: 'UTC' })
  const dues = async () => {
    const { board } = await member.call(`${base}/boards/get`, { id: scene.boardId })
    return board.groups.flatMap(({ cards }) => cards).map(({ due_date }) => due_date)
  }
  await page.getByRole('link', { name: 'Card 2' }).waitFor()
  const target = await day(page, 'Thursday, March 21, 2030').boundingBox()
  assert.ok(target)
  await drag(page, await middleOf(page, 'Card 2'), { x: target.x + 40, y: target.y + 60 })
  await on(page, 'Thursday, March 21, 2030', ['Card 2'])
  await eventually(async () => assert.equal((await dues())[1], '2030-03-21T09:30:00.000Z'))
  await page.keyboard.press('Control+z')
  await on(page, 'Tuesday, March 12, 2030', ['Card 1', 'Card 2'])

  await page.getByRole('link', { name: 'Card 1' }).focus()
  for (const key of [' ', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
  await announced(page).getByText('Wednesday, March 20, 2030').waitFor()
  await page.keyboard.press(' ')
  await on(page, 'Wednesday, March 20, 2030', ['Card 1'])
  await eventually(async () => assert.equal((await dues())[0], '2030-03-20T23:59:59.999Z'))
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Card 1'),
  )
  await page.keyboard.press('ArrowLeft')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Card 2')
  // Beyond the days that are shown, by keys and over the button of the next month.
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press(' ')
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown')
  await announced(page).getByText('Wednesday, April 10, 2030').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await on(page, 'Thursday, April 11, 2030', ['Card 1'])
  await eventually(async () => assert.equal((await dues())[0], '2030-04-11T23:59:59.999Z'))
  const from = await middleOf(page, 'Card 1')
  const next = await page.getByRole('button', { name: 'Next month' }).boundingBox()
  assert.ok(next)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(next.x + 8, next.y + 8, { steps: 8 })
  await page.getByRole('heading', { name: 'April 2030' }).waitFor({ state: 'detached' })
  // A slow machine may have turned further by now.
  await page.mouse.move(from.x, from.y, { steps: 8 })
  await page.mouse.up()
  await eventually(async () => assert.match((await dues())[0] ?? '', /^2030-0[5-9]/))
  await page.goto(`${path}?view=calendar&at=2030-03-01`)
  // Live from others.
  await member.call(`${base}/cards/update`, {
    id: cardIds[2] as number,
    due_date: '2030-03-05',
    due_is_date: true,
  })
  await on(page, 'Tuesday, March 5, 2030', ['Card 3'])
})

test('a click on a free day adds a card that is due then, and a right click opens the menu of a card', async (t) => {
  const { members, path, member, boardId, cardIds } = await createDates()
  const page = await openAs(t, members.member, `${path}?view=calendar&at=2030-03-01`, { timezoneId: 'UTC' })
  await day(page, 'Thursday, March 21, 2030').click()
  await page.getByRole('dialog', { name: 'New card' }).getByText('Due Thursday, March 21, 2030').waitFor()
  await page.getByRole('textbox', { name: 'Title' }).fill('Card 4')
  await page.keyboard.press('Enter')
  await on(page, 'Thursday, March 21, 2030', ['Card 4'])
  const { board } = await member.call(`${base}/boards/get`, { id: boardId })
  const [card] = board.groups.flatMap(({ cards }) => cards).filter(({ title }) => title === 'Card 4')
  assert.equal(card?.due_date, '2030-03-21T23:59:59.999Z')
  for (const query of ['', '?view=table']) {
    if (query !== '') await page.goto(path + query)
    await page.getByRole('link', { name: 'Card 1' }).click({ button: 'right' })
    await page.getByRole('menu', { name: 'Actions for Card 1' }).waitFor()
    await page.getByRole('menuitem', { name: query === '' ? 'Doing' : 'Done' }).click()
    await eventually(async () => {
      const { card: moved } = await member.call(`${base}/cards/get`, { id: cardIds[0] as number })
      assert.equal(
        board.groups.find(({ id }) => id === moved.group_id)?.title,
        query === '' ? 'Doing' : 'Done',
      )
    })
  }
  const viewer = await openAs(t, members.viewer, `${path}?view=calendar&at=2030-03-01`)
  await viewer.getByRole('link', { name: 'Card 1' }).waitFor()
  assert.equal(await viewer.getByRole('button', { name: 'Add card on' }).count(), 0)
})

test('a full day lists all its cards; on a phone days show their number, and a week is a list', async (t) => {
  const scene = await createScene({ cards: 12 })
  for (const id of scene.cardIds)
    await scene.member.call(`${base}/cards/update`, { id, due_date: '2030-03-12', due_is_date: true })
  const page = await openAs(t, scene.members.viewer, `${scene.path}?view=calendar&at=2030-03-01`)
  await page.getByRole('button', { name: 'Show all 12 cards on Tuesday, March 12, 2030' }).click()
  await page
    .getByRole('region', { name: 'Tuesday, March 12, 2030' })
    .getByRole('link', { name: 'Card 12' })
    .click()
  await page.getByRole('complementary', { name: 'Card: Card 12' }).waitFor()
  const button = page.getByRole('button', { name: 'Show all 12 cards on Tuesday, March 12, 2030' })
  // So do they beside an open card in a window of medium width.
  for (const width of [1150, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await button.getByText('12', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  }
  await assertAccessible(page, 'Calendar on a phone')
  await page.goto(`${scene.path}?view=calendar&at=2030-03-12&span=week`)
  await page.getByText('Tue, Mar 12', { exact: true }).waitFor()
  await assertAccessible(page, 'Week on a phone')
})
