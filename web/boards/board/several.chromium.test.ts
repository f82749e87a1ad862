// Several cards at once, and what a card's menu can do beyond its board.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import {
  announced,
  assertAccessible,
  createScene,
  drag,
  hasStored,
  middleOf,
  moveTo,
  openAs,
  type Scene,
  service,
  shows,
  stored,
} from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'
/** The name that tests give to a user. */
const nameOf = ({ email }: { email: string }) => `User ${/\d+/.exec(email)}`
const bar = (page: Page) => page.getByRole('region', { name: 'Selected cards' })
const selectedTitles = (page: Page) =>
  page.locator('.card[data-selected="true"] .card-title').allTextContents()
const isSelected = (page: Page, titles: string[]) =>
  eventually(async () => assert.deepEqual(await selectedTitles(page), titles))
const selectFirst = async (page: Page, title: string, select: () => Promise<void>) => {
  await select()
  await isSelected(page, [title])
}
const choose = async (page: Page, field: string, choice: string) => {
  await bar(page).getByRole('button', { name: field }).click()
  await page
    .getByRole('option')
    .filter({ hasText: new RegExp(`${choice}$`) })
    .click()
}
const cardsOf = async ({ member, boardId }: Scene) => {
  const { board } = await member.call(`${base}/boards/get`, { id: boardId })
  return board.groups.flatMap(({ cards }) => cards)
}
const others = { Fourth: [], Fifth: [], Sixth: [], Seventh: [] }
const all = (scene: Scene, isRight: (card: Awaited<ReturnType<typeof cardsOf>>[number]) => boolean) =>
  eventually(async () => assert.ok((await cardsOf(scene)).every(isRight)))

test('Ctrl and Shift select cards by click; the bar changes, moves and deletes them, each with one undo', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await selectFirst(page, 'Card 1', () =>
    page.getByRole('link', { name: 'Card 1' }).click({ modifiers: ['ControlOrMeta'] }),
  )
  assert.equal(new URL(page.url()).pathname, scene.path)
  await page.getByRole('link', { name: 'Card 3' }).click({ modifiers: ['Shift'] })
  await isSelected(page, ['Card 1', 'Card 2', 'Card 3'])
  await bar(page).getByText('3 selected').waitFor()
  await assertAccessible(page, 'selected cards')

  await choose(page, 'Priority', 'High')
  await all(scene, ({ priority }) => priority === 'high')
  await page.getByRole('button', { name: 'Undo' }).click()
  await all(scene, ({ priority }) => priority === 'normal')

  await choose(page, 'Status', 'Blocked')
  await all(scene, ({ status }) => status === 'blocked')
  await choose(page, 'Assignee', nameOf(scene.members.member))
  await all(scene, ({ owner_id }) => owner_id === scene.members.member.id)
  await bar(page).getByRole('button', { name: 'Due date' }).click()
  await page.getByRole('option', { name: 'Tomorrow' }).click()
  await all(scene, ({ due_date }) => due_date !== null)
  await bar(page).getByRole('button', { name: 'Due date' }).click()
  await page.getByRole('option', { name: 'Remove due date' }).click()
  await all(scene, ({ due_date }) => due_date === null)
  await page.keyboard.press('ControlOrMeta+z')
  await all(scene, ({ due_date }) => due_date !== null)
  await bar(page).getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('combobox', { name: 'Snooze' }).fill('yesterday')
  await page.getByRole('dialog', { name: 'Snooze' }).getByText('This time is past.').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Card 2' }).click({ modifiers: ['ControlOrMeta'] })
  // Snoozed cards leave; the focus goes to the one that stays.
  await bar(page).getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('option', { name: 'Tomorrow' }).click()
  await shows(page, 'To do', ['Card 2'])
  await page.getByRole('link', { name: 'Card 2' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  for (const card of ['Card 1', 'Card 3'])
    await page.getByRole('link', { name: card }).click({ modifiers: ['ControlOrMeta'] })
  await choose(page, 'Move to', 'Doing')
  await hasStored(scene, { 'To do': ['Card 2'], Doing: ['Card 1', 'Card 3'], Done: [] })
  await shows(page, 'Doing', ['Card 1', 'Card 3'])
  await page.keyboard.press('ControlOrMeta+z')
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })

  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await hasStored(scene, { 'To do': ['Card 2'], Doing: [], Done: [] })
  await bar(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Card 2' }).and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })
})

test('cards are selected by click and key before the code for it is loaded', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.member, 'about:blank')
  const isDone = Promise.withResolvers<void>()
  await page.route(/board-tools/, async (route) => {
    await isDone.promise
    await route.continue()
  })
  await page.goto(service.url + path)
  const pagesBefore = page.context().pages().length
  await page.getByRole('link', { name: 'Card 1' }).press('x')
  await page.getByRole('link', { name: 'Card 3' }).click({ modifiers: ['ControlOrMeta'] })
  isDone.resolve()
  await isSelected(page, ['Card 1', 'Card 3'])
  assert.equal(page.context().pages().length, pagesBefore)
})

test('the keyboard selects with x and Shift and arrows, deletes the selection, and Escape ends it', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await selectFirst(page, 'Card 1', () => page.keyboard.press('x'))
  await announced(page).filter({ hasText: '1 card selected' }).waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await isSelected(page, ['Card 1', 'Card 2', 'Card 3'])
  await page.keyboard.press('Shift+ArrowUp')
  await isSelected(page, ['Card 1', 'Card 2'])
  await bar(page).waitFor()
  await page.keyboard.press('Escape')
  await isSelected(page, [])
  await bar(page).waitFor({ state: 'detached' })
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowUp')
  await isSelected(page, ['Card 1', 'Card 2'])
  await bar(page).waitFor()
  await page.keyboard.press('Delete')
  await hasStored(scene, { 'To do': ['Card 3'], Doing: [], Done: [] })
})

test('a lasso selects the cards it touches, and a drag of one moves all of them', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const [first, second] = [await middleOf(page, 'Card 1'), await middleOf(page, 'Card 2')]
  const board = await page.locator('.board').boundingBox()
  const column = await page.getByRole('region', { name: 'To do' }).boundingBox()
  assert.ok(board && column)
  // It is there once the rest of the board's code is loaded.
  await eventually(async () => {
    await drag(page, { x: column.x + column.width + 4, y: first.y - 10 }, { x: column.x + 40, y: second.y })
    assert.deepEqual(await selectedTitles(page), ['Card 1', 'Card 2'])
  })
  const doing = await page.getByRole('region', { name: 'Doing' }).boundingBox()
  assert.ok(doing)
  await drag(page, await middleOf(page, 'Card 1'), { x: doing.x + 100, y: doing.y + 40 })
  await hasStored(scene, { 'To do': ['Card 3'], Doing: ['Card 1', 'Card 2'], Done: [] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })
  await page.mouse.click(doing.x + 100, board.y + board.height - 120)
  await isSelected(page, [])

  // The keys of a card work for what a lasso has selected.
  await drag(page, { x: column.x + column.width + 4, y: first.y - 10 }, { x: column.x + 40, y: second.y })
  await page.keyboard.press('Delete')
  await hasStored(scene, { 'To do': ['Card 3'], Doing: [], Done: [] })
})

test("a member cannot delete a selection with another's card, and someone else's change is shown", async (t) => {
  const scene = await createScene()
  await scene.admin.call(`${base}/cards/create`, { title: 'Theirs', group_id: scene.groupIds[0] as number })
  const page = await openAs(t, scene.members.member, scene.path)
  const other = await openAs(t, scene.members.admin, scene.path)
  await other.getByRole('link', { name: 'Card 1' }).waitFor()
  await selectFirst(page, 'Card 1', () =>
    page.getByRole('link', { name: 'Card 1' }).click({ modifiers: ['ControlOrMeta'] }),
  )
  await page.getByRole('link', { name: 'Theirs' }).click({ modifiers: ['ControlOrMeta'] })
  const remove = bar(page).getByRole('button', { name: 'Delete' })
  await remove.and(page.locator('[aria-disabled="true"]')).waitFor()
  await choose(page, 'Move to', 'Done')
  await shows(other, 'Done', ['Card 1', 'Theirs'])
})

test('undo of several cards takes back what it can, says what it cannot, and can be tried again', async (t) => {
  const scene = await createScene()
  const [first, second, third] = scene.cardIds as [number, number, number]
  const { tag } = await scene.admin.call(`${base}/tags/create`, { name: 'Old' })
  await scene.member.call(`${base}/cards/update`, { id: second, tag_id: tag.id })
  const page = await openAs(t, scene.members.member, scene.path, { expected: /404|422|500/ })
  const select = (title: string) =>
    page.getByRole('link', { name: title }).click({ modifiers: ['ControlOrMeta'] })
  await selectFirst(page, 'Card 1', () => select('Card 1'))
  await select('Card 2')
  await choose(page, 'Move to', 'Doing')
  await hasStored(scene, { 'To do': ['Card 3'], Doing: ['Card 1', 'Card 2'], Done: [] })
  await scene.admin.call(`${base}/cards/delete`, { id: first })
  await bar(page).getByText('1 selected').waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText('1 card was not changed back').waitFor()
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: [], Done: [] })
  // A card that comes back is not selected.
  await scene.admin.call(`${base}/cards/restore`, { id: first })
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await isSelected(page, ['Card 2'])
  await scene.admin.call(`${base}/cards/delete`, { id: first })
  await page.getByRole('link', { name: 'Card 1' }).waitFor({ state: 'detached' })

  await select('Card 3')
  await choose(page, 'Move to', 'Doing')
  await hasStored(scene, { 'To do': [], Doing: ['Card 2', 'Card 3'], Done: [] })
  await moveTo(scene, 'Card 3', 'Done')
  await page.keyboard.press('ControlOrMeta+z')
  await page.locator('.toast', { hasText: '1 card was not changed back' }).nth(1).waitFor()
  await hasStored(scene, { 'To do': ['Card 2'], Doing: [], Done: ['Card 3'] })
  await moveTo(scene, 'Card 3', 'To do')
  await shows(page, 'To do', ['Card 2', 'Card 3'])

  await choose(page, 'Move to', 'Doing')
  await hasStored(scene, { 'To do': [], Doing: ['Card 2', 'Card 3'], Done: [] })
  await moveTo(scene, 'Card 2', 'Doing')
  await page.keyboard.press('ControlOrMeta+z')
  const latest = page.locator('.toast', { hasText: '1 card was not changed back' }).nth(2)
  await latest.getByRole('button', { name: 'Dismiss' }).click()
  await hasStored(scene, { 'To do': ['Card 3'], Doing: ['Card 2'], Done: [] })
  for (const card of ['Card 2', 'Card 3'] as const) await moveTo(scene, card, 'To do')
  await shows(page, 'To do', ['Card 2', 'Card 3'])

  await choose(page, 'Tag', 'No tag')
  await page.getByText('Changed 2 cards').waitFor()
  await page.route(/update-many$/, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await eventually(async () => assert.ok((await cardsOf(scene)).every(({ tag_id }) => tag_id === null)))
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText(/^The cards were not changed/).waitFor()
  await page.getByText('Changed 2 cards').waitFor()
  await scene.member.call(`${base}/cards/update`, { id: third, priority: 'high' })
  await scene.admin.call(`${base}/tags/delete`, { id: tag.id })
  await page.keyboard.press('ControlOrMeta+z')
  await page.locator('.toast', { hasText: '1 card was not changed back' }).nth(2).waitFor()
  assert.equal(await page.getByText(/cards\.\d/).count(), 0)

  await choose(page, 'Priority', 'Low')
  await all(scene, ({ priority }) => priority === 'low')
  await scene.admin.call(`${base}/cards/update`, { id: third, priority: 'urgent' })
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText('Someone else changed them again in the meantime.').last().waitFor()
  await eventually(async () => {
    const priorities = (await cardsOf(scene)).map(({ priority }) => priority)
    assert.deepEqual(priorities, ['normal', 'urgent'])
  })

  const { board } = await scene.admin.call(`${base}/boards/create`, { title: 'Other board' })
  await scene.admin.call(`${base}/groups/create`, { board_id: board.id, title: 'There' })
  await bar(page).getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('button', { name: 'Another board…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 cards' })
  await dialog.getByLabel('Group').and(page.locator(':has(option:text("There"))')).waitFor()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await eventually(async () => assert.deepEqual(await cardsOf(scene), []))
  await scene.admin.call(`${base}/boards/delete`, { id: board.id })
  await page.keyboard.press('ControlOrMeta+z')
  const gone = page.locator('.toast', { hasText: '2 cards were not changed back' })
  await gone.getByText('is no longer available.').waitFor()
})

test('a right click opens the actions of a card: duplicate, copy link, move and copy to another board', async (t) => {
  const scene = await createScene()
  const { board } = await scene.admin.call(`${base}/boards/create`, { title: 'Other board' })
  const { group } = await scene.admin.call(`${base}/groups/create`, { board_id: board.id, title: 'There' })
  const page = await openAs(t, scene.members.member, scene.path, {
    permissions: ['clipboard-read', 'clipboard-write'],
    // The card that has left the board is not in the trash.
    expected: /404/,
  })
  const act = async (card: string, entry: string) => {
    await eventually(async () => {
      await page.getByRole('link', { name: card, exact: true }).first().click({ button: 'right' })
      await page.getByRole('menuitem', { name: entry }).click({ timeout: 1000 })
    })
  }
  await act('Card 1', 'Duplicate')
  await hasStored(scene, { 'To do': ['Card 1', 'Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })

  await act('Card 2', 'Copy link')
  await page.getByText('Link copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(link, `${service.url}${scene.path}/cards/${scene.cardIds[1]}`)

  const there = async () => {
    const { board: read } = await scene.member.call(`${base}/boards/get`, { id: board.id })
    return read.groups.find(({ id }) => id === group.id)?.cards.map(({ title }) => title)
  }
  for (const [entry, action] of [
    ['Copy to another board…', 'Copy'],
    ['Move to another board…', 'Move'],
  ] as const) {
    await act('Card 2', entry)
    const dialog = page.getByRole('dialog', { name: `${action} “Card 2”` })
    await dialog.getByLabel('Board').and(page.locator(':has(option:checked:text("Other board"))')).waitFor()
    await dialog.getByLabel('Group').and(page.locator(':has(option:text("There"))')).waitFor()
    await assertAccessible(page, `${action} a card to another board`)
    await dialog.getByRole('button', { name: action }).click()
  }
  await eventually(async () => assert.deepEqual(await there(), ['Card 2', 'Card 2']))
  assert.deepEqual((await stored(scene))['To do'], ['Card 1', 'Card 3'])
  const copied = page.locator('.toast', { hasText: 'Copied “Card 2” to There on Other board' })
  await copied.getByRole('button', { name: 'Show' }).waitFor()
  await copied.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => assert.deepEqual(await there(), ['Card 2']))

  // The menu of the open card has them too, and the panel closes once the card has left.
  await page.getByRole('link', { name: 'Card 1' }).click()
  await page.getByRole('button', { name: 'Actions for this card' }).click()
  await page.getByRole('menuitem', { name: 'Move to another board…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move “Card 1”' })
  await dialog.getByLabel('Group').and(page.locator(':has(option:text("There"))')).waitFor()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await eventually(async () => assert.deepEqual(await there(), ['Card 2', 'Card 1']))
  await moveTo(scene, 'Card 1', 'Done')
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText('Not undone: “Card 1” was changed again in the meantime').waitFor()
  assert.deepEqual((await stored(scene))['Done'], ['Card 1'])
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, scene.path)
  // An old link says where it is now.
  await page.goto(`${scene.path}/cards/${scene.cardIds[1]}`)
  await page.getByRole('link', { name: 'Open on Other board' }).click()
  await page
    .getByRole('complementary', { name: 'Card: Card 2' })
    .getByRole('textbox', { name: 'Title' })
    .waitFor()
  assert.equal(
    new URL(page.url()).pathname,
    `/p/${scene.projectId}/boards/${board.id}/cards/${scene.cardIds[1]}`,
  )
})

test('the menu and the commands of a selected card act on the selection; the focus stays near when it leaves', async (t) => {
  const scene = await createScene({ cards: 5 })
  const { board } = await scene.admin.call(`${base}/boards/create`, { title: 'Roadmap' })
  await scene.admin.call(`${base}/groups/create`, { board_id: board.id, title: 'Ideas' })
  for (const title of ['Fourth', 'Fifth', 'Sixth', 'Seventh'])
    await scene.admin.call(`${base}/groups/create`, { board_id: scene.boardId, title })
  const page = await openAs(t, scene.members.member, scene.path, { viewport: { width: 1440, height: 900 } })
  const select = async (...titles: string[]) => {
    await selectFirst(page, titles[0] as string, () =>
      page.getByRole('link', { name: titles[0] as string }).click({ modifiers: ['ControlOrMeta'] }),
    )
    for (const title of titles.slice(1))
      await page.getByRole('link', { name: title }).click({ modifiers: ['ControlOrMeta'] })
    await isSelected(page, titles)
  }
  const hasFocus = async (title: string) => {
    await page.getByRole('link', { name: title }).and(page.locator(':focus')).waitFor()
    assert.equal(await page.locator('.board').evaluate(({ scrollLeft }) => scrollLeft), 0)
  }
  await select('Card 1', 'Card 2')
  await page.getByRole('link', { name: 'Card 3' }).click({ button: 'right' })
  await page.getByRole('menu', { name: 'Actions for Card 3' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Card 2' }).click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'Actions for 2 cards' })
  await menu.getByText('2 cards', { exact: true }).waitFor()
  await assertAccessible(page, 'menu of selected cards')
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await hasStored(scene, { 'To do': ['Card 3', 'Card 4', 'Card 5'], Doing: [], Done: [], ...others })
  await hasFocus('Card 3')

  await select('Card 3', 'Card 5')
  const mark = await page.locator('.card-selected').first().boundingBox()
  const list = await page.locator('.column-list').first().boundingBox()
  assert.ok(mark && list && mark.y >= list.y && mark.x >= list.x)
  await page.getByRole('link', { name: 'Card 3' }).focus()
  await page.keyboard.press('ControlOrMeta+k')
  const commands = page.getByRole('dialog')
  await commands.getByText('2 cards', { exact: true }).waitFor()
  await page.keyboard.type('prio')
  await commands.getByRole('option', { name: 'Priority…' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('urg')
  await page.keyboard.press('Enter')
  await eventually(async () =>
    assert.deepEqual(
      (await cardsOf(scene)).map(({ priority }) => priority),
      ['urgent', 'normal', 'urgent'],
    ),
  )
  await page.keyboard.press('ControlOrMeta+z')
  await all(scene, ({ priority }) => priority === 'normal')
  await page.keyboard.press('ControlOrMeta+k')
  await commands.getByRole('option', { name: 'Move to another board…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 cards' })
  await dialog.getByLabel('Group').and(page.locator(':has(option:text("Ideas"))')).waitFor()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('Moved 2 cards to Ideas on Roadmap').waitFor()
  await hasStored(scene, { 'To do': ['Card 4'], Doing: [], Done: [], ...others })
  await hasFocus('Card 4')
  await moveTo(scene, 'Card 5', 'Done')
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByText('1 card was not changed back').waitFor()
  await hasStored(scene, { 'To do': ['Card 3', 'Card 4'], Doing: [], Done: ['Card 5'], ...others })
  await page.getByRole('link', { name: 'Card 3' }).focus()
  await page.keyboard.press('Delete')
  await hasStored(scene, { 'To do': ['Card 4'], Doing: [], Done: ['Card 5'], ...others })

  await select('Card 4')
  await bar(page).getByRole('button', { name: 'End selection' }).click()
  await hasFocus('Card 4')
  await select('Card 4')
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('region', { name: 'To do' }).and(page.locator(':focus-within')).waitFor()
})

test('all actions of the bar are visible at every width, also in German, and it covers neither cards nor their field', async (t) => {
  const scene = await createScene({ cards: 9 })
  const page = await openAs(t, scene.members.member, 'about:blank')
  await page.context().addCookies([{ name: 'cardinal_language', value: 'de', url: service.url }])
  await page.goto(`${service.url}${scene.path}`)
  await selectFirst(page, 'Card 1', () =>
    page.getByRole('link', { name: 'Card 1' }).click({ modifiers: ['ControlOrMeta'] }),
  )
  const buttons = page.locator('.selection-bar .button')
  const lines = new Map<number, number>()
  for (const width of [1440, 1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 500 })
    const box = await page.locator('.selection-bar').boundingBox()
    const boxes = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    assert.equal(boxes.length, 9)
    assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${width}`)
    for (const one of boxes) assert.ok(one.x >= box.x && one.right <= box.x + box.width, `${width}`)
    const add = await page.locator('.quick-add').first().boundingBox()
    assert.ok(add && add.y + add.height <= box.y, `the bar covers the page at ${width}`)
    const rail = await page.locator('.rail').boundingBox()
    assert.ok(!rail || rail.x + rail.width <= box.x, `the bar covers the sidebar at ${width}`)
    lines.set(width, new Set(boxes.map(({ y }) => Math.round(y / 8))).size)
  }
  assert.equal(lines.get(1440), 1)
})

test('several pasted lines become one card each, or one card', async (t) => {
  const scene = await createScene({ cards: 0 })
  const page = await openAs(t, scene.members.member, scene.path, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('button', { name: 'New card' }).click()
  const field = page.getByRole('textbox', { name: 'Title of the new card in To do' })
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await field.focus()
    await page.keyboard.press('ControlOrMeta+v')
  }
  await paste('- Buy milk\n- Buy bread\n\n- Buy tea')
  const offer = page.getByRole('group', { name: 'Pasted lines' })
  await offer.getByRole('button', { name: 'Add 3 cards' }).waitFor()
  await assertAccessible(page, 'pasted lines')
  await page.keyboard.press('Enter')
  await hasStored(scene, { 'To do': ['Buy milk', 'Buy bread', 'Buy tea'], Doing: [], Done: [] })
  await shows(page, 'To do', ['Buy milk', 'Buy bread', 'Buy tea'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await hasStored(scene, { 'To do': [], Doing: [], Done: [] })

  // What is pasted while others are being added is offered next.
  const isPasted = Promise.withResolvers<void>()
  await page.route(
    /create-many$/,
    async (route) => {
      await isPasted.promise
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'New card' }).click()
  await paste('One\nTwo')
  await offer.getByRole('button', { name: 'Add 2 cards' }).click()
  await paste('Three\nFour\nFive')
  await offer.getByText('2 more').waitFor()
  await offer.getByRole('button', { name: 'Add 2 cards' }).waitFor()
  isPasted.resolve()
  await offer.getByRole('button', { name: 'Add 3 cards' }).click()
  await hasStored(scene, { 'To do': ['One', 'Two', 'Three', 'Four', 'Five'], Doing: [], Done: [] })

  await page.getByRole('button', { name: 'New card' }).click()
  await paste(Array.from({ length: 500 }, (_, index) => `Line ${index + 1}`).join('\n'))
  // Nothing of it would be lost in a single title, and what is pasted next is added.
  const asOne = offer.getByRole('button', { name: 'Add as one' })
  assert.equal(await asOne.getAttribute('aria-disabled'), 'true')
  await paste('Line 501\nLine 502')
  await offer.getByRole('button', { name: 'Add 500 cards' }).click()
  await offer.getByRole('button', { name: 'Add 2 cards' }).click()
  await offer.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal((await cardsOf(scene)).at(-1)?.title, 'Line 502'))

  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.getByRole('textbox', { name: 'Title of the new card in Doing' }).focus()
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), 'One title\nin two lines')
  await page.keyboard.press('ControlOrMeta+v')
  await offer.getByRole('button', { name: 'Add as one' }).click()
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal((await cardsOf(scene)).at(-1)?.title, 'One title in two lines'))

  // They are still offered after a reload.
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), 'Kept 1\nKept 2')
  await page.keyboard.press('ControlOrMeta+v')
  await offer.getByText('Kept 2').waitFor()
  await page.reload()
  await offer.getByText('Kept 2').waitFor()
  await eventually(async () => {
    await offer.getByRole('button', { name: 'Add 2 cards' }).click()
    await offer.waitFor({ state: 'detached', timeout: 1000 })
  })
  await eventually(async () => assert.equal((await cardsOf(scene)).at(-1)?.title, 'Kept 2'))
  await page.reload()
  await page.getByRole('link', { name: 'Kept 2' }).waitFor()
  assert.equal(await offer.count(), 0)
})

test('on a phone, the menu begins a selection and taps continue it', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path, {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
  })
  await eventually(async () => {
    await page.getByRole('button', { name: 'Actions for Card 1' }).tap()
    await page.getByRole('menuitem', { name: 'Select' }).tap({ timeout: 1000 })
  })
  const middleY = (one: SVGElement | HTMLElement) => {
    const { top, height } = one.getBoundingClientRect()
    return top + height / 2
  }
  const [title, dots] = [page.getByRole('link', { name: 'Card 1' }), page.locator('.card-menu svg').first()]
  const below = (await dots.evaluate(middleY)) - (await title.evaluate(middleY))
  assert.ok(Math.abs(below) <= 1, `${below} px below the title`)
  const views = await page.getByRole('radiogroup', { name: 'View' }).boundingBox()
  assert.ok(views && views.height >= 40)
  await page.getByRole('link', { name: 'Card 2' }).tap()
  await isSelected(page, ['Card 1', 'Card 2'])
  assert.equal(new URL(page.url()).pathname, scene.path)
  const box = await bar(page).boundingBox()
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390)
  await choose(page, 'Move to', 'Done')
  await hasStored(scene, { 'To do': ['Card 3'], Doing: [], Done: ['Card 1', 'Card 2'] })
  await bar(page).getByRole('button', { name: 'End selection' }).tap()
  await isSelected(page, [])
})
