import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { assertAccessible, createScene, openAs } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

const titles = (page: Page) => page.getByRole('grid').getByRole('link').allTextContents()
const listed = (page: Page, expected: string[]) =>
  eventually(async () => assert.deepEqual(await titles(page), expected))

async function createTable() {
  const scene = await createScene()
  const { member, members, cardIds } = scene
  const [first, second, third] = cardIds as [number, number, number]
  await member.call(`${base}/cards/update`, { id: first, priority: 'low', owner_id: members.member.id })
  await member.call(`${base}/cards/update`, { id: second, priority: 'urgent', status: 'blocked' })
  await member.call(`${base}/cards/update`, { id: third, due_date: '2020-02-03', due_is_date: true })
  return scene
}

test('the table is opened from the board, sorted, grouped and given columns, all in the address', async (t) => {
  const scene = await createTable()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('radio', { name: 'Table' }).click()
  await listed(page, ['Card 1', 'Card 2', 'Card 3'])
  await page.getByRole('button', { name: 'Priority', exact: true }).click()
  await listed(page, ['Card 1', 'Card 3', 'Card 2'])
  await page.getByRole('button', { name: 'Priority', exact: true }).click()
  await listed(page, ['Card 2', 'Card 3', 'Card 1'])
  assert.equal(
    await page.getByRole('columnheader', { name: 'Priority' }).getAttribute('aria-sort'),
    'descending',
  )
  await page.getByRole('button', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'Status' }).click()
  await listed(page, ['Card 3', 'Card 1', 'Card 2'])
  await page.getByRole('rowheader', { name: 'Blocked 1 card' }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('option', { name: 'Tag' }).click()
  await page.getByRole('option', { name: 'Created' }).click()
  await page.keyboard.press('Escape')
  assert.deepEqual(await page.getByRole('columnheader').allTextContents(), [
    'Title',
    'Status',
    'Priority',
    'Assignee',
    'Due date',
    'Group',
    'Created',
  ])
  assert.match(page.url(), /view=table&sort=-priority&group=status&columns=status/)
  await page.reload()
  await listed(page, ['Card 3', 'Card 1', 'Card 2'])
  await assertAccessible(page, 'Table')
})

test('cells are changed in place by pointer and keyboard, each with undo', async (t) => {
  const scene = await createTable()
  const { member, members, cardIds, path } = scene
  const page = await openAs(t, members.member, `${path}?view=table`, { expected: /500/ })
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Card 1' }) })
  // Enter opens the list at what is chosen, so that Enter again changes nothing.
  await row.getByRole('button', { name: /^Assignee: / }).press('Enter')
  await page.getByRole('combobox', { name: 'Assignee' }).press('Enter')
  await row.getByRole('button', { name: 'Status: Open' }).click()
  await page.getByRole('option', { name: 'In progress' }).click()
  await row.getByRole('button', { name: 'Status: In progress' }).waitFor()
  await page.keyboard.press('Control+z')
  await row.getByRole('button', { name: 'Status: Open' }).waitFor()

  await page.getByRole('link', { name: 'Card 1' }).focus()
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('combobox', { name: 'Priority' }).fill('high')
  await page.keyboard.press('Enter')
  await eventually(async () => {
    const { card } = await member.call(`${base}/cards/get`, { id: cardIds[1] as number })
    assert.equal(card.priority, 'high')
  })
  // The focus is back at the cell, and the keys continue from there.
  for (const key of ['Home', 'F2']) await page.keyboard.press(key)
  // The new title can be undone as soon as it is shown, however late it is saved.
  await page.route(/cards\/update$/, async (route) => {
    await delay(1_000)
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Rename “Card 2”' }).fill('Second card')
  await page.keyboard.press('Enter')
  await listed(page, ['Card 1', 'Second card', 'Card 3'])
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Second card'),
  )
  await page.keyboard.press('Control+z')
  await listed(page, ['Card 1', 'Card 2', 'Card 3'])
  await page.unrouteAll({ behavior: 'wait' })

  const due = row.getByRole('button', { name: 'Due date:' })
  await due.click()
  await page.getByRole('combobox', { name: 'Due date' }).fill('1 Mar 2030')
  await page.keyboard.press('Enter')
  await row.getByRole('button', { name: /^Due date: Mar 1, 2030$/ }).waitFor()
  await row.getByRole('button', { name: 'Group: To do' }).click()
  await page.getByRole('option', { name: 'Doing' }).click()
  await page.getByText('Moved to Doing').waitFor()
  await listed(page, ['Card 2', 'Card 3', 'Card 1'])
  const { card } = await member.call(`${base}/cards/get`, { id: cardIds[0] as number })
  assert.equal(card.owner_id, members.member.id)

  await page.route(/cards\/update$/, (route) =>
    route.fulfill({ status: 500, json: { message: 'Server Error' } }),
  )
  await row.getByRole('button', { name: 'Status: Open' }).click()
  await page.getByRole('option', { name: 'Blocked' }).click()
  await page.getByText(/The card was not changed/).waitFor()
  assert.equal(await page.getByText('Changed “Card 1”').count(), 0)
})

test('while the members are still read no card looks unassigned, and Enter in the list of assignees keeps the assignee', async (t) => {
  const { member, members, cardIds, path } = await createTable()
  const page = await openAs(t, members.member, '/account')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/members\/list$/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${path}?view=table`)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Card 1' }) })
  await row.getByRole('button', { name: 'Assignee: …' }).press('Enter')
  const assignees = page.getByRole('combobox', { name: 'Assignee' })
  await assignees.press('Enter')
  release()
  await page.getByRole('option', { name: 'User', selected: true }).waitFor()
  await assignees.press('Enter')
  await row.getByRole('button', { name: /^Assignee: .*User/ }).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  const { card } = await member.call(`${base}/cards/get`, { id: cardIds[0] as number })
  assert.equal(card.owner_id, members.member.id)
})

test('a card opens beside the table and the focus returns; a new card is added; a viewer changes nothing', async (t) => {
  const scene = await createTable()
  const { members, path, member } = scene
  const page = await openAs(t, members.member, `${path}?view=table&sort=-title`, { expected: /404|422/ })
  await page.getByRole('link', { name: 'Card 2' }).press('Enter')
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  await page.keyboard.press('Escape')
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Card 2'),
  )
  await page.getByRole('button', { name: 'New card' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Card 4')
  await page.keyboard.press('Enter')
  await listed(page, ['Card 4', 'Card 3', 'Card 2', 'Card 1'])
  // Live for others.
  const viewer = await openAs(t, members.viewer, `${path}?view=table`)
  await listed(viewer, ['Card 1', 'Card 2', 'Card 3', 'Card 4'])
  await member.call(`${base}/cards/update`, { id: scene.cardIds[2] as number, title: 'Third' })
  await listed(viewer, ['Card 1', 'Card 2', 'Third', 'Card 4'])
  assert.equal(await viewer.getByRole('gridcell').getByRole('button').count(), 0)
  await viewer.getByRole('link', { name: 'Card 1' }).click({ button: 'right' })
  await eventually(async () =>
    assert.deepEqual(await viewer.getByRole('menuitem').allTextContents(), ['Open card', 'Copy link']),
  )

  // A title that is being typed stays, also if someone else deletes the card.
  await page.getByRole('link', { name: 'Card 2' }).press('F2')
  await page.getByRole('textbox', { name: 'Rename “Card 2”' }).fill('Typed in vain')
  await scene.admin.call(`${base}/cards/delete`, { id: scene.cardIds[1] as number })
  await listed(viewer, ['Card 1', 'Third', 'Card 4'])
  await listed(page, ['Third', 'Card 4', 'Card 1'])
  await page.keyboard.press('Enter')
  await page.getByText('Typed in vain').waitFor()
  await page.getByRole('textbox').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('complementary', { name: /^Card: / }).count(), 0)
})

test('cards of the table are selected by click and keys, changed together, and have their menu', async (t) => {
  const scene = await createTable()
  const { member, members, path, boardId } = scene
  const page = await openAs(t, members.member, `${path}?view=table&sort=-title`)
  const bar = page.getByRole('region', { name: 'Selected cards' })
  const selected = (expected: string[]) =>
    eventually(async () =>
      assert.deepEqual(
        await page.locator('[role=row][aria-selected=true] [data-card-id]').allTextContents(),
        expected,
      ),
    )
  const hasStatuses = (expected: string[]) =>
    eventually(async () => {
      const { board } = await member.call(`${base}/boards/get`, { id: boardId })
      assert.deepEqual(
        board.groups.flatMap(({ cards }) => cards.map(({ status }) => status)),
        expected,
      )
    })
  const focusIsOn = (title: string) =>
    eventually(async () =>
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), title),
    )
  await page.getByRole('link', { name: 'Card 3' }).click({ modifiers: ['ControlOrMeta'] })
  await page.getByRole('link', { name: 'Card 1' }).click({ modifiers: ['Shift'] })
  await selected(['Card 3', 'Card 2', 'Card 1'])
  await assertAccessible(page, 'Selected rows')
  await page.keyboard.press('Escape')
  await selected([])
  await page.getByRole('link', { name: 'Card 3' }).focus()
  for (const key of ['x', 'Shift+ArrowDown']) await page.keyboard.press(key)
  await selected(['Card 3', 'Card 2'])
  await bar.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'To check' }).click()
  await hasStatuses(['open', 'to_check', 'to_check'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await hasStatuses(['open', 'blocked', 'open'])
  await page.getByRole('link', { name: 'Card 2' }).click({ button: 'right' })
  await page.getByRole('menu', { name: 'Actions for 2 cards' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Card 3' }).focus()
  await page.keyboard.press('Delete')
  await listed(page, ['Card 1'])
  await focusIsOn('Card 1')
  await page.keyboard.press('m')
  await page
    .getByRole('menu', { name: 'Actions for Card 1' })
    .getByRole('menuitem', { name: 'Select' })
    .click()
  await selected(['Card 1'])
})

test('of many cards only those in sight are drawn, and the keys reach the last', async (t) => {
  const scene = await createScene({ cards: 90 })
  const page = await openAs(t, scene.members.member, `${scene.path}?view=table`)
  await page.getByRole('link', { name: 'Card 1', exact: true }).focus()
  assert.ok((await page.getByRole('grid').getByRole('link').count()) < 60)
  await page.mouse.move(600, 400)
  for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, 200)
  await eventually(async () => {
    const numbers = (await titles(page)).map((title) => Number(title.slice(5)))
    assert.ok(numbers.includes(60), 'scrolled')
    assert.equal(numbers[0], 1, 'the focused row stays')
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
      'screen readers read the rows in their order',
    )
  })
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Card 1')
  assert.equal(
    await page.locator('.card-table-rename:visible').count(),
    2,
    'of the focused and the hovered row',
  )
  await page.keyboard.press('Control+End')
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Card 90'),
  )
  // A key says why it does nothing.
  await scene.member.call(`${base}/cards/create-many`, {
    group_id: scene.groupIds[0] as number,
    titles: Array.from({ length: 420 }, (_, index) => `Card ${index + 91}`),
  })
  await page.getByRole('link', { name: 'Card 91', exact: true }).waitFor()
  await page.keyboard.press('Control+Home')
  await page.getByRole('link', { name: 'Card 1', exact: true }).click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('Control+End')
  await page.getByRole('link', { name: 'Card 510' }).click({ modifiers: ['Shift'] })
  await page.getByText('510 selected').waitFor()
  await page.keyboard.press('p')
  await page.getByText('Select at most 500 cards.').waitFor()
  await page.keyboard.press('Escape')
  // The heading of the first group is no card.
  await page.goto(`${scene.path}?view=table&group=status`)
  await page.getByRole('link', { name: 'Card 5', exact: true }).press('PageUp')
  await page.getByRole('link', { name: 'Card 1', exact: true }).and(page.locator(':focus')).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  assert.equal(await page.locator('.card-table-rename:visible').count(), 0, 'titles have the room')
  await assertAccessible(page, 'Table on a phone')
})
