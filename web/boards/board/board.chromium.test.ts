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
  service,
  shows,
  stored,
} from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

const hasFocus = (page: Page, text: string) =>
  eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.textContent), text))

test('the menu of a card is whole at once, however soon it is opened', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.member, 'about:blank')
  await page.route(/board-tools/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.goto(service.url + path)
  await page.getByRole('link', { name: 'Card 1' }).click({ button: 'right' })
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  const names = await items.allTextContents()
  for (const name of ['Duplicate', 'Copy link', 'Select'])
    assert.ok(
      names.some((one) => one.startsWith(name)),
      `${name} of ${names}`,
    )
})

test('a card is dragged by pointer to another group, and undo brings it back', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const from = await middleOf(page, 'Card 1')
  const column = await page.getByRole('region', { name: 'Doing' }).boundingBox()
  assert.ok(column)
  await drag(page, from, { x: column.x + 100, y: column.y + 40 })
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: ['Card 1'], Done: [] })
  await shows(page, 'Doing', ['Card 1'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })

  // What someone else has moved since stays there.
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await drag(page, await middleOf(page, 'Card 1'), { x: column.x + 100, y: column.y + 40 })
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: ['Card 1'], Done: [] })
  await moveTo(scene, 'Card 1', 'Done')
  await shows(page, 'Done', ['Card 1'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Not undone: “Card 1” was changed again in the meantime').waitFor()
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: [], Done: ['Card 1'] })
})

test('a card is dragged between two others, and a line shows where it will land', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const [from, to] = [await middleOf(page, 'Card 1'), await middleOf(page, 'Card 2')]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x, from.y + 10, { steps: 3 })
  // A hand never keeps still; the first moves may come before the drag has begun.
  await eventually(async () => {
    await page.mouse.move(to.x, to.bottom + 20, { steps: 6 })
    assert.ok(await page.locator('.landing').isVisible())
  })
  await page.mouse.up()
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1', 'Card 3'], Doing: [], Done: [] })
})

test('a card dropped on the empty space below a short column lands there, where the line was', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const from = await middleOf(page, 'Card 1')
  const done = page.getByRole('region', { name: 'Done' })
  const [head, board] = [await done.boundingBox(), await page.locator('.board').boundingBox()]
  assert.ok(head && board)
  const below = { x: head.x + 100, y: board.y + board.height - 30 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, below.y, { steps: 6 })
  await page.mouse.move(below.x, below.y, { steps: 10 })
  await done.locator('.landing').waitFor()
  await page.mouse.up()
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: [], Done: ['Card 1'] })
  await drag(page, await middleOf(page, 'Card 3'), { x: below.x, y: board.y + board.height - 4 })
  await hasStored(scene, { 'To do': ['Card 2'], Doing: [], Done: ['Card 1', 'Card 3'] })
})

test('a card or group dropped outside of the board stays, and no place is marked there', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const board = await page.locator('.board').boundingBox()
  const done = await page.getByRole('region', { name: 'Done' }).boundingBox()
  const header = await page.getByRole('region', { name: 'To do' }).getByText('3 cards').boundingBox()
  assert.ok(board && done && header)
  const card = await middleOf(page, 'Card 1')
  const marks = page.locator('.landing, .column[data-over="true"], .column[data-edge]')
  for (const from of [card, { x: header.x + 30, y: header.y + 8 }])
    for (const outside of [
      { x: board.x - 40, y: done.y + 60 },
      { x: done.x + 100, y: board.y - 20 },
    ]) {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(from.x, from.y + 10, { steps: 3 })
      await eventually(async () => {
        await page.mouse.move(done.x + done.width - 20, done.y + 60, { steps: 6 })
        assert.ok((await marks.count()) > 0)
      })
      await eventually(async () => {
        await page.mouse.move(outside.x, outside.y, { steps: 4 })
        assert.equal(await marks.count(), 0)
      })
      await page.mouse.up()
    }
  // What a wrong drop would have stored is stored before this.
  await drag(page, card, { x: done.x + 100, y: done.y + 40 })
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: [], Done: ['Card 1'] })
  assert.deepEqual(Object.keys(await stored(scene)), ['To do', 'Doing', 'Done'])
})

test('a group is dragged by its header', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const from = await page.getByRole('region', { name: 'To do' }).getByText('3 cards').boundingBox()
  const to = await page.getByRole('region', { name: 'Done' }).boundingBox()
  assert.ok(from && to)
  await drag(page, { x: from.x + 30, y: from.y + 8 }, { x: to.x + to.width - 20, y: to.y + 20 })
  await eventually(async () => assert.deepEqual(Object.keys(await stored(scene)), ['Doing', 'Done', 'To do']))
})

test('the keyboard alone lifts a card, carries it to another group and drops it; each step is announced', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('ArrowDown')
  await hasFocus(page, 'Card 2')
  await page.keyboard.press(' ')
  await announced(page).filter({ hasText: 'Lifted Card 2' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await announced(page).filter({ hasText: 'Position 1 of 1 in Doing' }).waitFor()
  await page.keyboard.press(' ')
  await announced(page).filter({ hasText: 'Card 2 is now at position 1 of 1 in Doing' }).waitFor()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 3'], Doing: ['Card 2'], Done: [] })
  await hasFocus(page, 'Card 2')
})

test('Escape puts a lifted card back, and so does leaving it', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press(' ')
  await page.keyboard.press('ArrowDown')
  await announced(page).filter({ hasText: 'Position 2 of 3 in To do' }).waitFor()
  await page.keyboard.press('Escape')
  await announced(page).filter({ hasText: 'back where it was' }).waitFor()
  assert.deepEqual((await stored(scene))['To do'], ['Card 1', 'Card 2', 'Card 3'])

  await page.getByRole('link', { name: 'Card 2' }).focus()
  await page.keyboard.press(' ')
  await page.locator('.card[data-moving="true"]').waitFor()
  await page.getByRole('searchbox').click()
  await page.locator('.card[data-moving="true"]').waitFor({ state: 'detached' })
})

test('the keyboard alone moves a group', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('button', { name: 'Move the group To do' }).focus()
  await page.keyboard.press(' ')
  await page.keyboard.press('ArrowRight')
  await announced(page).filter({ hasText: 'Position 2 of 3' }).waitFor()
  await page.keyboard.press(' ')
  await eventually(async () => assert.deepEqual(Object.keys(await stored(scene)), ['Doing', 'To do', 'Done']))
})

test('the menu of a card moves it down, to a group, and deletes it; undo restores', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const choose = async (card: string, entry: string) => {
    await page.getByRole('link', { name: card }).focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await choose('Card 1', 'Move down')
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1', 'Card 3'], Doing: [], Done: [] })

  // What someone else has moved within the group since stays there; a card that others only moved around does not.
  await moveTo(scene, 'Card 1', 'To do')
  await shows(page, 'To do', ['Card 2', 'Card 3', 'Card 1'])
  await page.keyboard.press('Control+z')
  await page.getByText('Not undone: “Card 1” was changed again in the meantime').waitFor()
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3', 'Card 1'], Doing: [], Done: [] })
  await choose('Card 1', 'Move to top')
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })
  const moveThird = { id: scene.cardIds[2] as number, position: 1 }
  await scene.admin.call('/services/operations/v1/operations/cards/move', moveThird)
  await shows(page, 'To do', ['Card 3', 'Card 1', 'Card 2'])
  await page.keyboard.press('Control+z')
  await hasStored(scene, { 'To do': ['Card 3', 'Card 2', 'Card 1'], Doing: [], Done: [] })

  await choose('Card 3', 'Done')
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1'], Doing: [], Done: ['Card 3'] })
  await choose('Card 2', 'Delete')
  await hasStored(scene, { 'To do': ['Card 1'], Doing: [], Done: ['Card 3'] })
  await page.getByText(/^Deleted “Card/).waitFor()
  await page.keyboard.press('Control+z')
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1'], Doing: [], Done: ['Card 3'] })
})

test('quick add stays open for the next card, and cards come in their order even if the first takes longest', async (t) => {
  const scene = await createScene({ cards: 0 })
  const page = await openAs(t, scene.members.member, scene.path)
  const held = Promise.withResolvers<void>()
  await page.route(
    /cards\/create$/,
    async (route) => {
      await held.promise
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  const field = page.getByRole('textbox', { name: 'Title of the new card in Doing' })
  for (const title of ['First', 'Second', 'مرحبا']) {
    await field.fill(title)
    await field.press('Enter')
  }
  await page.getByRole('list', { name: 'Cards in Doing' }).getByText('مرحبا').waitFor()
  held.resolve()
  await hasStored(scene, { 'To do': [], Doing: ['First', 'Second', 'مرحبا'], Done: [] })
  await field.press('Escape')
  await hasFocus(page, 'Add card to Doing')
})

test('“New card” focuses its field, whether closed, open or with a draft', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  const field = page.getByRole('textbox', { name: 'Title of the new card in To do' })
  const isFocused = () =>
    eventually(async () => assert.ok(await field.evaluate((one) => one === document.activeElement)))
  const newCard = page.getByRole('button', { name: 'New card' })
  await newCard.click()
  await isFocused()
  await newCard.click()
  await isFocused()
  await field.fill('Half')
  await page.getByRole('searchbox').click()
  await newCard.click()
  await isFocused()
  await page.reload()
  await field.waitFor()
  await newCard.click()
  await isFocused()
  assert.equal(await field.inputValue(), 'Half')
})

test('group and board are renamed in place, a group is added, collapsed, and deleted with undo', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.admin, scene.path)
  await page.getByRole('button', { name: 'To do', exact: true }).click()
  await page.getByRole('textbox', { name: 'Rename the group To do' }).fill('受信箱')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await page.getByRole('textbox', { name: 'Rename the board Board' }).fill('Ward 4')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ward 4' }).waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('textbox', { name: 'Title of the new group' }).fill('Later')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Later' }).waitFor()
  await page.getByRole('button', { name: 'Actions for the group 受信箱' }).click()
  await page.getByRole('menuitem', { name: 'Collapse' }).click()
  await page.getByRole('button', { name: '3 cards in 受信箱' }).click()
  await page.getByRole('button', { name: 'Actions for the group 受信箱' }).click()
  await page.getByRole('menuitem', { name: 'Group settings…' }).click()
  await page.getByRole('button', { name: 'Color: None' }).click()
  await page.getByRole('option', { name: 'Teal' }).click()
  await page.getByRole('button', { name: 'Add the description' }).click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('What came in')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await eventually(async () => {
    const { board } = await scene.member.call(`${base}/boards/get`, { id: scene.boardId })
    assert.deepEqual([board.groups[0]?.color, board.groups[0]?.description], ['teal', '<p>What came in</p>'])
  })
  await page.getByRole('button', { name: 'Actions for the group 受信箱' }).click()
  await page.getByRole('menuitem', { name: 'Delete group and 3 cards' }).click()
  await eventually(async () => assert.deepEqual(Object.keys(await stored(scene)), ['Doing', 'Done', 'Later']))
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () =>
    assert.deepEqual(Object.keys(await stored(scene)), ['受信箱', 'Doing', 'Done', 'Later']),
  )
})

test('filters are in the address, shown as chips, and removed one by one', async (t) => {
  const scene = await createScene()
  const { member, members, cardIds } = scene
  const [first, second] = cardIds as [number, number]
  await member.call(`${base}/cards/update`, { id: first, priority: 'urgent', owner_id: members.member.id })
  await member.call(`${base}/cards/update`, { id: second, priority: 'urgent' })
  const page = await openAs(t, members.member, scene.path)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Urgent' }).click()
  await page.getByRole('option', { name: 'Unassigned' }).click()
  await page.keyboard.press('Escape')
  await shows(page, 'To do', ['Card 2'])
  assert.match(page.url(), /priority=urgent&owner=none/)
  await page.reload()
  await page.getByRole('button', { name: 'Remove the filter Assignee: Unassigned' }).click()
  await shows(page, 'To do', ['Card 1', 'Card 2'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('card 1')
  await shows(page, 'To do', ['Card 1'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  // Also in the description, as somebody else changes it.
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('cactus')
  await page.getByRole('search').getByText('No cards match').waitFor()
  await member.call(`${base}/cards/update`, {
    id: cardIds[1] as number,
    description: 'Water the <b>cactus</b>',
  })
  await shows(page, 'To do', ['Card 2'])
})

test('a list of choices names its sections and says how many match', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const priorities = page.getByRole('listbox').getByRole('group', { name: 'Priority' }).getByRole('option')
  assert.deepEqual(await priorities.allTextContents(), ['Urgent', 'High', 'Normal', 'Low'])
  const field = page.getByRole('combobox', { name: 'Filter by' })
  await field.fill('priority')
  await page.getByRole('status').getByText('4 matches', { exact: true }).waitFor()
  await field.fill('urgent')
  await page.getByRole('status').getByText('1 match', { exact: true }).waitFor()
  await field.fill('zzz')
  await page.getByRole('status').getByText('Nothing matches “zzz”.').waitFor()
})

test('snoozed and hidden cards are not shown until requested', async (t) => {
  const scene = await createScene()
  const { member, cardIds } = scene
  const [first, second] = cardIds as [number, number]
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await member.call(`${base}/cards/update`, { id: first, snoozed_until: tomorrow })
  await member.call(`${base}/cards/update`, { id: second, is_active: false })
  const page = await openAs(t, scene.members.member, scene.path)
  await shows(page, 'To do', ['Card 3'])
  await page.getByRole('link', { name: '2 snoozed or hidden' }).waitFor()
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('card 1')
  await page.getByRole('link', { name: '1 snoozed or hidden' }).click()
  await shows(page, 'To do', ['Card 1'])
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('')
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
})

test('a viewer sees that they may only look, no control that does nothing, and cannot drag', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.viewer, scene.path)
  await page.getByRole('main').getByText('View only').waitFor()
  for (const name of [/^Add card/, 'New card', 'Add group', /^Rename/, /^Move the group/])
    assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
  assert.equal(await page.locator('[aria-disabled="true"]').count(), 0)
  await page.getByRole('button', { name: /^Actions for the board/ }).click()
  await eventually(async () =>
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Archived groups…']),
  )
  await page.keyboard.press('Escape')
  await assertAccessible(page, 'board of a viewer')
  const [from, doing] = [
    await middleOf(page, 'Card 1'),
    await page.getByRole('region', { name: 'Doing' }).boundingBox(),
  ]
  assert.ok(doing)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 8, { steps: 3 })
  await page.mouse.move(doing.x + 100, doing.y + 40, { steps: 8 })
  assert.equal(await page.locator('.landing, [data-moving="true"]').count(), 0)
  await page.mouse.up()
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press(' ')
  await announced(page).filter({ hasText: 'You have read-only access' }).waitFor()
  await page.keyboard.press('x')
  assert.equal(await page.locator('[data-selected="true"]').count(), 0)
  await page.keyboard.press('Delete')
  await announced(page).filter({ hasText: 'You have read-only access' }).waitFor()
  await page.getByRole('link', { name: 'Card 1' }).click({ button: 'right' })
  await eventually(async () =>
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Open card', 'Copy link']),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Card 1' }).press('m')
  await page.keyboard.type('co')
  await page.getByRole('menuitem', { name: 'Copy link' }).and(page.locator(':focus')).waitFor()
  await page.getByRole('menuitem', { name: 'Open card' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
  // A change that was sent all the same would be on the board before this card is.
  await scene.member.call(`${base}/cards/create`, { title: 'Last', group_id: scene.groupIds[2] as number })
  await shows(page, 'Done', ['Last'])
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: ['Last'] })
})

test('a refused change is undone, with the reason; the request id is shown if the fault is ours', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path, { expected: /403|500/ })
  const moveDown = async () => {
    await page.getByRole('link', { name: 'Card 1' }).focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Move down' }).click()
  }
  const become = (role: string) => service.db.sql`
    update memberships set role = ${role} where project_id = ${scene.projectId} and user_id = ${scene.members.member.id}`
  const requestId = page.getByText(/^Request \S+$/)
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await become('viewer')
  await moveDown()
  await page.getByText('The card was not moved. Your role does not allow this.').waitFor()
  assert.equal(await requestId.count(), 0)
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])

  await become('member')
  await page.reload()
  await page.route(/cards\/move/, (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': '5e5e' }, json: { message: 'Server Error' } }),
  )
  await moveDown()
  await requestId.waitFor()
  await page.unroute(/cards\/move/)
  await moveDown()
  // The same write has worked now.
  await page.getByText(/The card was not moved/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await announced(page).filter({ hasText: 'Card 1 is back where it was.' }).waitFor()
})

test('a board of 3,000 cards opens with few elements, and its last card is reached by keyboard', async (t) => {
  const scene = await createScene({ cards: 0 })
  await service.db.sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select ${scene.projectId}, ${scene.boardId}, (${scene.groupIds}::bigint[])[1 + n % 3], 'Card ' || n, n
    from generate_series(1, 3000) n`
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 1', exact: true }).waitFor()
  const count = await page.locator('[data-card-id]').count()
  assert.ok(count > 20 && count <= 400, `${count} cards are in the document`)
  await page.getByRole('link', { name: 'Card 2', exact: true }).focus()
  await page.keyboard.press('End')
  await hasFocus(page, 'Card 2999')
  await page.getByRole('link', { name: 'Card 2999', exact: true }).and(page.locator(':focus')).waitFor()
  assert.ok((await page.locator('[data-card-id]').count()) <= 400)
})

test('axe finds nothing on the board, with a menu open, and on a phone', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.admin, scene.path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await assertAccessible(page, 'board')
  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('m')
  await page.getByRole('menu').waitFor()
  await assertAccessible(page, 'board with a menu')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await assertAccessible(page, 'board on a phone')
})
