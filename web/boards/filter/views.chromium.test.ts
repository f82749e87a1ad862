import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, createScene, movedIn, openAs, shows, watchMoves } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

const save = async (page: Page, name: string, visibleTo: string) => {
  await page.getByRole('button', { name: /^Views|\(changed\)$/ }).click()
  await page.getByRole('menuitem', { name: 'Save as new view…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('combobox', { name: 'Visible to' }).selectOption(visibleTo)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(`Saved “${name}”`).waitFor()
}

test('a filter is turned around, and the number of cards is shown', async (t) => {
  const scene = await createScene()
  const { member, members, cardIds, path } = scene
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, owner_id: members.member.id })
  const page = await openAs(t, members.member, path)
  await page.getByRole('search').getByText('3 cards', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Me', exact: true }).click()
  await page.keyboard.press('Escape')
  await shows(page, 'To do', ['Card 1'])
  await page.getByText('1 of 3 cards').waitFor()
  await page.getByRole('button', { name: 'is (exclude Assignee: Me instead)' }).click()
  await shows(page, 'To do', ['Card 2', 'Card 3'])
  assert.match(page.url(), /owner=-me/)
  await assertAccessible(page, 'Filtered board')
  await page.getByRole('button', { name: 'Remove the filter not Assignee: Me' }).click()
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
})

test('what means nothing in an address is dropped', async (t) => {
  const { members, path } = await createScene()
  const broken = 'status=-&status=never&owner=nobody&priority=x&due=soon&show=-all&view=other'
  const page = await openAs(t, members.member, `${path}?${broken}&priority=-low`)
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await eventually(async () => assert.equal(new URL(page.url()).search, '?view=other&priority=-low'))
  assert.equal(await page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem').count(), 1)
  assert.ok(await page.getByRole('radio', { name: 'Board' }).isChecked())
  // An address stays valid when its tag is deleted or its person is removed.
  await page.goto(`${path}?owner=99999999&tag=99999999`)
  for (const text of ['Assignee: removed', 'Tag: deleted', 'No cards match'])
    await page.getByText(text, { exact: true }).waitFor()
  await page.goto(`${path}?view=table&columns=zzz`)
  await page.getByRole('columnheader', { name: 'Assignee' }).waitFor()
})

test('a view is saved for the project, opened by others, changed, renamed, deleted and restored', async (t) => {
  const scene = await createScene()
  const { member, members, cardIds, path } = scene
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, status: 'blocked' })
  const page = await openAs(t, members.member, `${path}?view=table&status=blocked`)
  await save(page, 'What is blocked', 'project')
  assert.match(page.url(), /saved=\d+/)
  // The same filters in another order are no change.
  await page.goto(`${path}?status=blocked&view=table&saved=${new URL(page.url()).searchParams.get('saved')}`)
  await page.getByRole('button', { name: 'What is blocked', exact: true }).waitFor()

  const other = await openAs(t, members.viewer, path)
  await other.getByRole('button', { name: 'Views', exact: true }).click()
  await other.getByRole('menuitem', { name: 'What is blocked' }).click()
  await other.getByRole('grid').getByRole('link', { name: 'Card 1' }).waitFor()
  assert.equal(await other.getByRole('grid').getByRole('link').count(), 1)
  await other.getByRole('button', { name: 'What is blocked', exact: true }).click()
  await other.getByRole('menuitem', { name: 'Save as new view…' }).waitFor()
  assert.equal(await other.getByRole('menuitem', { name: /^(Edit|Delete) “What is blocked”/ }).count(), 0)
  await other.getByRole('menuitem', { name: 'Close view' }).click()
  await shows(other, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  assert.equal(new URL(other.url()).search, '')
  await other.getByRole('button', { name: 'Views', exact: true }).click()
  await other.getByRole('menuitem', { name: 'What is blocked' }).click()
  await other.getByRole('button', { name: 'Clear' }).click()
  await other.getByRole('button', { name: 'Views', exact: true }).click()
  await other.getByRole('menuitem', { name: 'What is blocked' }).click()
  await other.getByRole('button', { name: 'What is blocked', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Remove the filter Status: Blocked' }).click()
  await page.getByRole('button', { name: 'What is blocked (changed)' }).click()
  await page.getByRole('menuitem', { name: 'Save changes to “What is blocked”' }).click()
  await page.getByRole('button', { name: 'What is blocked', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'What is blocked (changed)' }).click()
  await page.getByRole('menuitem', { name: 'Save changes to “What is blocked”' }).click()
  await page.getByRole('button', { name: 'What is blocked', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit “What is blocked”…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Everything')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // Others see the new name at once.
  await other.getByRole('button', { name: 'Everything (changed)' }).waitFor()
  await page.getByRole('button', { name: 'Everything', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete “Everything”' }).click()
  await page.getByText('Deleted “Everything”').waitFor()
  await page.keyboard.press('Control+z')
  await eventually(async () => {
    const { views } = await member.call(`${base}/views/list`)
    assert.deepEqual(
      views.map(({ name, parameters, is_shared }) => [name, parameters, is_shared]),
      [['Everything', 'view=table', true]],
    )
  })
  await page.getByRole('button', { name: 'Everything', exact: true }).waitFor()
})

test('My cards and the search are filtered, and their views are saved', async (t) => {
  const scene = await createScene()
  const { member, members, cardIds, projectId } = scene
  for (const id of cardIds) await member.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  await member.call(`${base}/cards/update`, { id: cardIds[1] as number, priority: 'urgent' })
  await member.call(`${base}/cards/update`, { id: cardIds[2] as number, description: 'Water the cactus' })
  const page = await openAs(t, members.member, `/p/${projectId}/my-cards?priority=urgent`)
  await page.getByText('1 of 3 cards').waitFor()
  assert.deepEqual(
    await page.getByRole('list', { name: 'No due date' }).getByRole('link').allTextContents(),
    ['Card 2'],
  )
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('3 cards', { exact: true }).waitFor()
  // The service finds words of descriptions, and titles are compared here.
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('cactus')
  await page.getByText('1 of 3 cards').waitFor()
  await page.getByRole('list', { name: 'No due date' }).getByRole('link', { name: 'Card 3' }).waitFor()
  await page.getByRole('searchbox', { name: 'Filter by text' }).fill('ard 1')
  await page.getByRole('list', { name: 'No due date' }).getByRole('link', { name: 'Card 1' }).waitFor()
  await page.getByText('1 of 3 cards').waitFor()
  await page.goto(`/p/${projectId}/my-cards?priority=urgent`)
  await page.getByText('1 of 3 cards').waitFor()
  await save(page, 'Urgent', 'me')
  await eventually(async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor({ timeout: 1000 })
  })
  await page.keyboard.type('view table')
  await page.keyboard.press('Enter')
  await page.getByRole('grid', { name: 'Your cards' }).getByRole('link', { name: 'Card 2' }).waitFor()
  await page.getByRole('button', { name: 'Priority: Urgent', exact: true }).click()
  await page.getByRole('option', { name: 'Low' }).click()
  await page.getByText('No cards match').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('radio', { name: 'Calendar' }).click()
  await page.getByRole('link', { name: '3 cards without a due date' }).waitFor()
  await page.goto(`/p/${projectId}/search?q=card&priority=low`)
  await page.getByText('1 of 3 cards').waitFor()
  assert.deepEqual(
    await page.getByRole('list', { name: 'Found cards' }).getByRole('link').allTextContents(),
    ['Card 2'],
  )
  await page.getByRole('radio', { name: 'Table' }).click()
  await page.getByRole('grid', { name: 'Found cards' }).getByRole('link', { name: 'Card 2' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  // Closing the card leads back to what was found.
  await page.keyboard.press('Escape')
  await page.getByRole('grid', { name: 'Found cards' }).getByRole('link', { name: 'Card 2' }).waitFor()
  await assertAccessible(page, 'Search as a table')
  await page.getByRole('button', { name: 'Clear' }).click()
  await member.call(`${base}/comments/create`, { card_id: cardIds[0] as number, comment: 'Hello' })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Has comments' }).click()
  await page.getByText('1 of 3 cards').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'Calendar' }).click()
  await page.getByRole('link', { name: '1 card without a due date' }).waitFor()
})

test('cards of My cards and the search have their menu, and Escape leads back from a card to its row', async (t) => {
  const { member, members, projectId, cardIds } = await createScene()
  for (const id of cardIds) await member.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  const due = { due_date: '2030-03-12', due_is_date: true }
  await member.call(`${base}/cards/update`, { id: cardIds[1] as number, ...due })
  const page = await openAs(t, members.member, `/p/${projectId}/my-cards`)
  const card = page.getByRole('link', { name: 'Card 2' })
  const panel = page.getByRole('complementary', { name: 'Card: Card 2' })
  const pages = ['my-cards', 'search?q=card']
  const views = ['', 'view=table', 'view=calendar&at=2030-03-01']
  const addresses = pages.flatMap((one) =>
    views.map((view) => (view === '' ? one : `${one}${one.includes('?') ? '&' : '?'}${view}`)),
  )
  for (const address of addresses) {
    await page.goto(`/p/${projectId}/${address}`)
    await card.click()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await card.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('m')
    const menu = page.getByRole('menu', { name: 'Actions for Card 2' })
    await menu.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    await page.keyboard.press('Escape')
    await card.click({ button: 'right' })
    await menu.getByRole('menuitem', { name: 'Open card' }).click()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await card.and(page.locator(':focus')).waitFor()
  }
  await page.goto(`/p/${projectId}/my-cards`)
  await card.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await card.waitFor()

  const bar = page.getByRole('region', { name: 'Selected cards' })
  for (const [address, wanted] of [
    ['my-cards?view=table', 'High'],
    ['my-cards', 'Urgent'],
    ['search?q=card', 'Low'],
  ] as const) {
    await page.goto(`/p/${projectId}/${address}`)
    await page.locator('[data-card-id]').first().focus()
    for (const key of ['x', 'Shift+ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await bar.getByText('2 selected').waitFor()
    const third = page.locator('[data-card-id]').nth(2).and(page.locator(':focus'))
    await third.click({ modifiers: ['ControlOrMeta'] })
    await bar.getByText('3 selected').waitFor()
    await assertAccessible(page, `selected cards of ${address}`)
    await third.click({ modifiers: ['ControlOrMeta'] })
    await bar.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('option', { name: wanted }).click()
    await eventually(async () => {
      const { cards } = await member.call(`${base}/cards/search`, { is_mine: true })
      assert.equal(cards.filter(({ priority }) => priority === wanted.toLowerCase()).length, 2)
    })
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
  }
})

test('saved views that could not be loaded say so, and are loaded again', async (t) => {
  const { member, members, boardId, path } = await createScene()
  await member.call(`${base}/views/create`, { name: 'Late', parameters: 'view=table', board_id: boardId })
  const page = await openAs(t, members.member, 'about:blank', { expected: /Failed to load/ })
  await page.route(/views\/list/, (route) => route.abort())
  await page.goto(path)
  const views = page.getByRole('button', { name: 'Views', exact: true })
  await views.click()
  await page.getByRole('menu').getByText('The saved views could not be loaded').waitFor()
  await page.unroute(/views\/list/)
  await page.getByRole('menuitem', { name: 'Try again' }).click()
  await eventually(async () => {
    await views.click()
    await page.getByRole('menuitem', { name: 'Late' }).waitFor({ timeout: 1000 })
  })
})

test('the table of my cards names the board and the group of each card', async (t) => {
  const { member, members, projectId, cardIds } = await createScene({ cards: 1 })
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, owner_id: members.member.id })
  const page = await openAs(t, members.member, `/p/${projectId}/my-cards?view=table`)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Card 1' }) })
  const cell = (name: string) => row.getByRole('gridcell').filter({ hasText: new RegExp(`^${name}$`) })
  await cell('Board').waitFor()
  await cell('To do').waitFor()
  assert.deepEqual((await page.getByRole('columnheader').allTextContents()).slice(-2), ['Board', 'Group'])
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await cell('Board').waitFor()

  await row.getByRole('link').press('x')
  await page.getByRole('region', { name: 'Selected cards' }).getByRole('button', { name: 'Move to' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 1 card' })
  await dialog.getByLabel('Group').selectOption('Doing')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await cell('Doing').waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await cell('To do').waitFor()
})

test('a filter looks at all of many cards, not only at the first page', async (t) => {
  const scene = await createScene({ cards: 230 })
  const { member, members, projectId, cardIds } = scene
  const cards = cardIds.map((id) => ({ id, owner_id: members.member.id }))
  await member.call(`${base}/cards/update-many`, { cards })
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, priority: 'urgent' })
  const page = await openAs(t, members.member, `/p/${projectId}/my-cards`)
  await page.getByText('200+ cards').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Urgent' }).click()
  await page.getByText('1 of 230 cards').waitFor()
})

test('filters and assignees that are loaded after the cards do not move them', async (t) => {
  const { member, members, cardIds, path } = await createScene()
  for (const id of cardIds)
    await member.call(`${base}/cards/update`, {
      id,
      owner_id: members.member.id,
      status: 'blocked',
      due_date: '2031-05-01',
      description: 'Its sign is beside the assignee.',
    })
  for (const [width, isPhone] of [
    [1440, false],
    [1000, false],
    [700, true],
    [390, true],
  ] as const)
    for (const filters of ['', '?status=blocked&priority=normal&owner=me&text=Card']) {
      const page = await openAs(t, members.member, 'about:blank', {
        viewport: { width, height: 800 },
        hasTouch: isPhone,
        isMobile: isPhone,
      })
      await watchMoves(page)
      const areShown = Promise.withResolvers<void>()
      await page.route(/filter-bar-[^/]*\.js$|members\/list$/, async (route) => {
        await areShown.promise
        await route.continue()
      })
      await page.goto(path + filters)
      await page.getByRole('link', { name: 'Card 3' }).waitFor()
      await movedIn(page)
      areShown.resolve()
      await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
      await page.locator('.card .avatar[aria-label]').nth(2).waitFor()
      assert.deepEqual(await movedIn(page), [], `${width} ${filters}`)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      await page.context().close()
    }
})
