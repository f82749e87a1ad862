import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

test('boards are listed by product with their counts; one is created, renamed, deleted and restored', async (t) => {
  const projectId = await service.addProject('Garden', ['website'])
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const page = await openAs(t, owner, `/p/${projectId}/boards`)
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
  await assertAccessible(page, 'no boards')
  await page.getByRole('button', { name: 'New board' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Launch')
  await page.getByRole('combobox', { name: 'Product (optional)' }).selectOption('website')
  await assertAccessible(page, 'new board')
  await page.getByRole('button', { name: 'Create board' }).click()
  await page.getByRole('heading', { name: 'Launch' }).waitFor()

  await page.getByRole('link', { name: 'Boards', exact: true }).click()
  const table = page.getByRole('table', { name: 'Website' })
  await table.getByRole('row', { name: /Launch 0 0 0 0/ }).waitFor()
  await page.getByRole('button', { name: 'Actions for the board Launch' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Relaunch')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await table.getByRole('link', { name: 'Relaunch' }).waitFor()
  await assertAccessible(page, 'boards')
  await page.getByRole('button', { name: 'Actions for the board Relaunch' }).click()
  await page.getByRole('menuitem', { name: 'Delete board' }).click()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  // Otherwise the page could still be telling that it shows the board when the board is deleted.
  const toldOthers = page.waitForResponse(/presence\/show/)
  await table.getByRole('link', { name: 'Relaunch' }).click()
  await toldOthers

  await page.getByRole('button', { name: 'Actions for the board Relaunch' }).click()
  await page.getByRole('menuitem', { name: 'Delete board' }).click()
  await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await table.getByRole('link', { name: 'Relaunch' }).waitFor()
})

test('another project is chosen in the sidebar; a project without membership cannot be opened', async (t) => {
  const [first, second, foreign] = [
    await service.addProject('First'),
    await service.addProject('Second'),
    await service.addProject('Foreign'),
  ]
  const user = await service.addUser({ roles: { [first]: 'member', [second]: 'viewer' } })
  const page = await openAs(t, user, '/', { expected: /403/ })
  await page.getByRole('button', { name: 'First' }).click()
  await page.getByRole('option', { name: 'Second' }).click()
  await page.getByRole('button', { name: 'Second' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/p/${second}/home`)
  await page.goto(`/p/${foreign}/boards`)
  await page.getByText("It doesn't exist, or you're not a member.").waitFor()
  await page.getByRole('link', { name: 'Go to your project' }).click()
  await page.getByRole('button', { name: 'First' }).waitFor()
})

test('my cards are the open cards assigned to me, overdue first', async (t) => {
  const { member, members, cardIds, projectId } = await createScene({ cards: 4 })
  const owner_id = members.member.id
  const [late, later, closed] = cardIds as [number, number, number]
  await member.call(`${base}/cards/update`, { id: late, owner_id, due_date: '2020-02-02' })
  await member.call(`${base}/cards/update`, { id: later, owner_id })
  await member.call(`${base}/cards/update`, { id: closed, owner_id, status: 'closed' })
  const page = await openAs(t, members.member, `/p/${projectId}/my-cards`)
  await page.getByRole('list', { name: 'Overdue' }).getByRole('link', { name: 'Card 1' }).waitFor()
  await assertAccessible(page, 'my cards')
  assert.deepEqual(await page.getByRole('main').getByRole('link').allTextContents(), ['Card 1', 'Card 2'])
  await page.getByRole('link', { name: 'Card 2' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  assert.match(await page.title(), /^Card 2 · Board/)

  // Escape leads back to where the card was opened, also from a search.
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'My cards' }).waitFor()
  await page.goto(`/p/${projectId}/search?q=card`)
  await page.getByRole('main').getByRole('link', { name: 'Card 3' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 3' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('list', { name: 'Found cards' }).waitFor()
  assert.equal(new URL(page.url()).search, '?q=card')
})

test('search finds cards by words, highlights them, and keeps the words in the address', async (t) => {
  const { member, members, groupIds, projectId } = await createScene({ cards: 1 })
  const group_id = groupIds[1] as number
  for (const title of ['新製品発表会', 'مرحبا بالعالم', 'Größe prüfen'])
    await member.call(`${base}/cards/create`, { title, group_id })
  await member.call(`${base}/cards/create`, {
    title: 'Only inside',
    description: '<p>First the <b>Größe</b> &amp; then <em>the rest</em></p>',
    group_id,
  })
  const page = await openAs(t, members.viewer, `/p/${projectId}/search`)
  await page.getByText('Searches titles and descriptions.').waitFor()
  await page.getByRole('searchbox').fill('grö')
  const found = page.getByRole('list', { name: 'Found cards' })
  await found.getByRole('link', { name: 'Größe prüfen' }).waitFor()
  assert.deepEqual(await found.getByRole('link').allTextContents(), ['Größe prüfen', 'Only inside'])
  assert.deepEqual(await found.locator('mark').allTextContents(), ['Grö', 'Grö'])
  await found.getByText('First the Größe & then the rest').waitFor()
  await assertAccessible(page, 'search')
  await page.reload()
  await page.getByText('2 found').waitFor()
  for (const [query, title] of [
    ['発表', '新製品発表会'],
    ['بالعا', 'مرحبا بالعالم'],
    ['RUFEN', 'Größe prüfen'],
  ] as const) {
    await page.getByRole('searchbox').fill(query)
    await found.getByRole('link', { name: title }).waitFor()
  }
  await page.getByRole('searchbox').fill('no such thing')
  await page.getByRole('heading', { name: 'Nothing found for “no such thing”' }).waitFor()
  await page.getByRole('searchbox').fill('&?!')
  await page.getByRole('heading', { name: 'Nothing found for “&?!”' }).waitFor()
  await page.getByText('Emoji and punctuation are found in titles only. Try a word.').waitFor()
})

test('a search that takes too long says what to do', async (t) => {
  const { members, projectId } = await createScene({ cards: 1 })
  const page = await openAs(t, members.viewer, `/p/${projectId}/search`, { expected: /422/ })
  // The page itself reads cards too, and would be refused while they are locked.
  const reading = new Set<string>()
  page.on('request', (request) => reading.add(request.url()))
  page.on('requestfinished', (request) => reading.delete(request.url()))
  await page.reload()
  await page.getByRole('searchbox').waitFor()
  await eventually(async () =>
    assert.deepEqual(
      [...reading].filter((url) => !url.includes('/events/stream')),
      [],
    ),
  )
  await service.db.transaction(async ({ sql }) => {
    await sql`lock table cards in access exclusive mode`
    await page.getByRole('searchbox').fill('card')
    await page.getByRole('heading', { name: 'This search takes too long' }).waitFor()
  })
  await assertAccessible(page, 'a search that took too long')
  await page.getByRole('searchbox').fill('card 1')
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
})

test('the trash restores cards and groups, and says what a member cannot restore', async (t) => {
  const { member, admin, members, groupIds, cardIds, path, projectId } = await createScene()
  await member.call(`${base}/cards/delete`, { id: cardIds[0] as number })
  await admin.call(`${base}/groups/delete`, { id: groupIds[1] as number })
  const page = await openAs(t, members.member, `/p/${projectId}/trash`)
  const refused = page.getByRole('button', { name: 'Restore Doing' })
  assert.equal(await refused.getAttribute('aria-disabled'), 'true')
  await assertAccessible(page, 'trash')
  const viewer = await openAs(t, members.viewer, `/p/${projectId}/trash`)
  await viewer.getByText('View only').waitFor()
  await viewer.getByRole('listitem').filter({ hasText: 'Card 1' }).waitFor()
  assert.equal(await viewer.getByRole('button', { name: /^Restore/ }).count(), 0)
  await page.getByRole('button', { name: 'Restore Card 1' }).click()
  await page.getByText('Restored “Card 1”').waitFor()
  await page.goto(path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  const other = await openAs(t, members.admin, `/p/${projectId}/trash`)
  await other.getByRole('button', { name: 'Restore Doing' }).click()
  await other.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await page.getByRole('region', { name: 'Doing' }).waitFor()
})

test('a missing page says so, and the sidebar collapses and opens on a phone', async (t) => {
  const { members, projectId } = await createScene({ cards: 0 })
  const page = await openAs(t, members.member, `/p/${projectId}/nowhere`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.goto(`/p/${projectId}/boards/abc`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/p/${projectId}/boards`)
  await page.getByRole('button', { name: 'Open sidebar' }).click()
  await assertAccessible(page, 'rail on a phone')
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
})

test('on a phone the open sidebar has the focus, and nothing behind it can be reached', async (t) => {
  const { members, projectId, path, cardIds } = await createScene({ cards: 1 })
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`, {
    viewport: { width: 360, height: 740 },
  })
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  const opener = page.getByRole('button', { name: 'Open sidebar' })
  const rail = page.getByRole('navigation', { name: 'Main' })
  const isFocused = (of: Locator) => of.evaluate((element) => element.matches(':focus'))
  await opener.press('Enter')
  assert.ok(await isFocused(rail.getByRole('link', { name: 'Home', exact: true })))
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab')
    assert.equal(await page.locator('#content :focus, .skip-link:focus').count(), 0)
  }
  await page.keyboard.press('Escape')
  await rail.waitFor({ state: 'hidden' })
  assert.ok(await isFocused(opener))

  await opener.press('Enter')
  await page.getByRole('button', { name: 'Close sidebar' }).click({ position: { x: 350, y: 400 } })
  assert.ok(await isFocused(opener))
  await opener.press('Enter')
  await rail.getByRole('link', { name: 'Trash' }).press('Enter')
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.ok(await isFocused(page.locator('#content')))
  assert.equal(new URL(page.url()).pathname, `/p/${projectId}/trash`)

  await opener.press('Enter')
  await page.setViewportSize({ width: 1280, height: 800 })
  await rail.getByRole('link', { name: 'Boards', exact: true }).waitFor()
  await page.locator('#content:not([inert])').waitFor()
})

test('while the user is loaded, an outline of the app is shown', async (t) => {
  const { members, projectId, path } = await createScene({ cards: 1 })
  const page = await openAs(t, members.member, path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  for (const address of [path, `/p/${projectId}/trash`, '/']) {
    const held = Promise.withResolvers<void>()
    await page.route(/users\/me/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(address)
    const outline = page.getByRole('status', { name: 'Loading Cardinal' })
    const before = await outline.locator('.rail').boundingBox()
    await assertAccessible(page, 'outline of the app')
    held.resolve()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.unroute(/users\/me/)
    assert.deepEqual(await page.getByRole('navigation', { name: 'Main' }).boundingBox(), before)
    assert.equal(await outline.count(), 0)
  }
})

test('an outline is painted from the page alone, where the app will be', async (t) => {
  const { members, projectId, path } = await createScene({ cards: 1 })
  const page = await openAs(t, members.member, path)
  const card = page.getByRole('link', { name: 'Card 1' })
  await card.waitFor()
  const rail = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
  const column = await page.getByRole('region', { name: 'To do' }).boundingBox()
  const held = Promise.withResolvers<void>()
  const files = /\/assets\//
  await page.route(files, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  const outline = page.locator('#outline')
  await outline.locator('.outline-board').waitFor()
  assert.deepEqual(await outline.locator('.outline-rail').boundingBox(), rail)
  const drawn = await outline.locator('.outline-board > div').first().boundingBox()
  assert.deepEqual([drawn?.x, drawn?.y, drawn?.width], [column?.x, column?.y, column?.width])
  await page.goto(`/p/${projectId}/trash`, { waitUntil: 'commit' })
  await outline.locator('.outline-list').waitFor()
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await outline.locator('.outline-entrance').waitFor()
  assert.equal(await outline.locator('.outline-rail').isVisible(), false)
  await page.goto(path, { waitUntil: 'commit' })
  await outline.locator('.outline-board').waitFor()
  held.resolve()
  await card.waitFor()
  await outline.waitFor({ state: 'hidden' })
})

test('eight requests are enough to show the cards of a board, and Home', async (t) => {
  const { members, projectId, path } = await createScene({ cards: 1 })
  const opens = async (address: string, shown: string, read: string) => {
    const page = await openAs(t, members.member, 'about:blank')
    const passed: string[] = []
    await page.route(/^http/, (route) => {
      if (passed.length === 8) return
      passed.push(new URL(route.request().url()).pathname)
      return route.continue()
    })
    await page.goto(service.url + address, { waitUntil: 'commit' })
    await page.locator(shown).first().waitFor()
    assert.equal(passed.filter((one) => one.endsWith(read)).length, 1)
  }
  await opens(path, '[data-card-id]', '/boards/get')
  await opens(`/p/${projectId}/home`, '.home-tile', '/home/get')
})

test('a card that is opened shows its panel before the code of it is loaded', async (t) => {
  const { members, path } = await createScene({ cards: 1 })
  const page = await openAs(t, members.member, 'about:blank')
  const held = Promise.withResolvers<void>()
  await page.route(/\/assets\/card-panel-.*\.js/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(service.url + path)
  await page.getByRole('link', { name: 'Card 1' }).click()
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  await panel.getByText('Card 1').waitFor()
  await panel.getByRole('status', { name: 'Loading' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Card 1' }).press('Enter')
  held.resolve()
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()
})

test('a board is printed with all its cards, and an open card without its board', async (t) => {
  const { member, members, path, cardIds } = await createScene({ cards: 60 })
  const columns = Array.from({ length: 14 }, (_, index) => `<td>A longer value ${index}</td>`)
  await member.call(`${base}/cards/update`, {
    id: cardIds[0] as number,
    description: `<table><tr>${columns.join('')}</tr></table>`,
  })
  const page = await openAs(t, members.member, 'about:blank')
  await page.addInitScript(() => {
    const count = () => Object.assign(window, { printed: document.querySelectorAll('.card').length })
    addEventListener('afterprint', count)
  })
  await page.goto(service.url + path)
  await page.getByRole('link', { name: 'Card 1', exact: true }).waitFor()
  assert.ok((await page.locator('.card').count()) < 60)
  await page.pdf()
  assert.equal(await page.evaluate('printed'), 60)
  assert.ok((await page.locator('.card').count()) < 60)
  await page.getByRole('link', { name: 'Card 1', exact: true }).click({ modifiers: ['ControlOrMeta'] })
  await page.getByText('1 selected').waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByText('1 selected').isVisible(), false)
  assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false)
  await page.goto(`${service.url}${path}/cards/${cardIds[0]}`)
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  assert.equal(await page.locator('.board').isVisible(), false)
  await page.getByText('Created by').waitFor()
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  await panel.getByText('Status', { exact: true }).waitFor()
  for (const prompt of ['Add date', 'Add a short description', 'History'])
    assert.equal(await panel.getByText(prompt).or(panel.getByPlaceholder(prompt)).first().isVisible(), false)
  await page.setViewportSize({ width: 720, height: 900 })
  const last = await panel.getByText('A longer value 13').boundingBox()
  assert.ok(last && last.x + last.width <= 720)
})

test('table, calendar and collapsed groups are printed whole and without their tools', async (t) => {
  const { member, members, path, cardIds, groupIds } = await createScene({ cards: 60 })
  const cards = cardIds.slice(0, 12).map((id) => ({ id, due_date: '2030-03-12', due_is_date: true }))
  await member.call(`${base}/cards/update-many`, { cards })
  await member.call(`${base}/groups/update`, { id: groupIds[0] as number, is_collapsed: true })
  const page = await openAs(t, members.member, 'about:blank')
  await page.addInitScript(() => {
    const count = () => {
      const shown = [...document.querySelectorAll<HTMLElement>('[data-card-id]')]
      const visible = shown.filter((card) => card.getClientRects().length > 0)
      Object.assign(window, { printed: visible.length, printedWidth: document.body.scrollWidth })
    }
    addEventListener('afterprint', count)
  })
  const print = async (query: string, ready: string) => {
    await page.goto(service.url + path + query)
    await page.getByText(ready).first().waitFor()
    await page.pdf({ format: 'A4' })
    return page.evaluate('printed')
  }
  assert.equal(await print('', 'Doing'), 60)
  assert.equal(await print('?view=table', 'Group by'), 60)
  await page.setViewportSize({ width: 700, height: 900 })
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('button', { name: 'Columns' }).isVisible(), false)
  const styleOf = (selector: string, name: 'overflow' | 'position' | 'whiteSpace') =>
    page
      .locator(selector)
      .first()
      .evaluate((one, property) => getComputedStyle(one)[property], name)
  // The styles of the table are loaded after those of paper, which still hold.
  assert.equal(await styleOf('.card-table-scroller', 'overflow'), 'visible')
  assert.equal(await styleOf('[data-card-row]', 'position'), 'static')
  assert.equal(await styleOf('.card-table-text', 'whiteSpace'), 'normal')
  const grid = page.getByRole('grid')
  assert.ok(await grid.evaluate((one) => one.scrollWidth <= one.clientWidth && one.clientWidth <= 700))
  await page.emulateMedia({ media: 'screen' })
  assert.equal(await print('?view=calendar&at=2030-03-01', 'March 2030'), 12)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('button', { name: 'Next month' }).isVisible(), false)
})

test('the first page shows what is overdue, assigned and unread, and the boards that changed last', async (t) => {
  const { admin, member, members, projectId, boardId, cardIds } = await createScene({ cards: 3 })
  const [late, mine, talked] = cardIds as [number, number, number]
  const page = await openAs(t, members.member, '/')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/p/${projectId}/home`)
  await page.getByRole('heading', { name: "You're all caught up" }).waitFor()
  await assertAccessible(page, 'home, all done')
  const give = (id: number, rest: object) =>
    member.call(`${base}/cards/update`, { id, owner_id: members.member.id, ...rest })
  await give(late, { due_date: '2020-01-01T00:00:00Z' })
  await give(mine, {})
  await admin.call(`${base}/comments/create`, { card_id: talked, comment: 'Look' })
  const { board } = await admin.call(`${base}/boards/create`, { title: 'Newest' })
  const rows = (name: string) => page.getByRole('main').getByRole('list', { name }).getByRole('link')
  await rows('Unread comments').getByText('Card 3').waitFor()
  await page.getByText('1 unread comment', { exact: true }).waitFor({ state: 'attached' })
  // Each part is read by itself.
  await eventually(async () => {
    assert.deepEqual(await rows('Overdue').allTextContents(), ['Card 1'])
    assert.deepEqual(await rows('Assigned to you').allTextContents(), ['Card 2'])
  })
  const tiles = page.getByRole('region', { name: 'Recently changed boards' }).getByRole('link')
  await eventually(async () =>
    assert.deepEqual(await tiles.evaluateAll((all) => all.map((one) => one.getAttribute('href'))), [
      `/p/${projectId}/boards/${board.id}`,
      `/p/${projectId}/boards/${boardId}`,
    ]),
  )
  await assertAccessible(page, 'home')
  await page.setViewportSize({ width: 390, height: 800 })
  await rows('Overdue').first().click()
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
})

test('Home shows all cards with unread comments', async (t) => {
  const { admin, members, projectId, cardIds } = await createScene({ cards: 8 })
  for (const card_id of cardIds) await admin.call(`${base}/comments/create`, { card_id, comment: 'Look' })
  const page = await openAs(t, members.member, `/p/${projectId}/home`)
  const links = page.getByRole('list', { name: 'Unread comments' }).getByRole('link')
  await links.first().waitFor()
  assert.equal(await links.count(), 6)
  await page.getByRole('button', { name: 'Show 2 more' }).click()
  await links.getByText('Card 1', { exact: true }).waitFor()
  assert.equal(await links.count(), 8)
})

test('a board without groups, without matches or that is missing says what to do', async (t) => {
  const { members, projectId, path } = await createScene({ cards: 2 })
  const page = await openAs(t, members.admin, `/p/${projectId}/boards`, { expected: /404/ })
  await page.getByRole('button', { name: 'New board' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Fresh')
  await page.getByRole('button', { name: 'Create board' }).click()
  await page.getByRole('heading', { name: 'No groups yet' }).waitFor()
  await assertAccessible(page, 'a board without groups')
  await page.getByRole('button', { name: 'Add “To do”, “Doing” and “Done”' }).click()
  await page.getByRole('region', { name: 'Done' }).waitFor()
  const groups = await page.locator('[data-group-id]').evaluateAll((all) => all.map((one) => one.ariaLabel))
  assert.deepEqual(groups, ['To do', 'Doing', 'Done'])

  await page.goto(`${path}?text=nothing-has-this`)
  await page.getByText('No cards match', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('link', { name: 'Card 1' }).waitFor()

  await page.goto(`/p/${projectId}/boards/999999`)
  await page.getByRole('heading', { name: 'The board could not be opened' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Go to boards' }).click()
  await page.getByRole('row', { name: /Fresh 0 0 0 3/ }).waitFor()
})

test('a failure without a request id does not ask for one', async (t) => {
  const { members, projectId } = await createScene({ cards: 0 })
  const page = await openAs(t, members.member, `/p/${projectId}/trash`, { expected: /502/ })
  await page.route(/boards\/list/, (route) =>
    route.fulfill({ status: 502, json: { message: 'Bad gateway' } }),
  )
  await page.goto(`/p/${projectId}/boards`)
  await page.getByText('Something went wrong on our side. Try again in a moment.').waitFor()
  await page.unroute(/boards\/list/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: /^Board 0/ }).waitFor()
})

test('a user without a project sees that, and can sign out', async (t) => {
  const page = await openAs(t, await service.addUser(), '/', { expected: /401/ })
  await page.getByRole('heading', { name: "You're not in a project yet" }).waitFor()
  await assertAccessible(page, 'no project')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
})
