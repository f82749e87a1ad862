import assert from 'node:assert/strict'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible, createScene, openAs, shows } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

async function middleOfElement(element: Locator) {
  const box = await element.boundingBox()
  assert.ok(box)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function choose(page: Page, menu: string, entry: string) {
  await page.getByRole('button', { name: menu, exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter')
}

test('a card shows tag, status, priority, assignee and due date; filters by tag and due date hide others', async (t) => {
  const scene = await createScene()
  const { member, members, cardIds, path } = scene
  const [first, second] = cardIds as [number, number]
  const { tag } = await member.call(`${base}/tags/create`, { name: 'Legal', color: 'amber' })
  const { card } = await member.call(`${base}/cards/update`, {
    id: first,
    tag_id: tag.id,
    priority: 'urgent',
    status: 'to_check',
    owner_id: members.admin.id,
    due_date: '2020-02-03T12:00:00Z',
  })
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await member.call(`${base}/cards/update`, { id: second, due_date: inThreeDays })
  assert.equal(card.is_overdue, true)
  const page = await openAs(t, members.member, path)
  const face = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Card 1' }) })
  await face.getByText('Legal').waitFor()
  await face.getByRole('img', { name: 'To check' }).waitFor()
  await face.getByRole('img', { name: 'Urgent priority' }).waitFor()
  await face.getByRole('img', { name: /^User \d+$/ }).waitFor()
  await face.getByText(/^Overdue since .*2020$/).waitFor()

  // A name without room is not cut to half a letter.
  const rowsOf = (width: string) =>
    face.locator('.card-tag').evaluate((one, maxWidth) => {
      one.style.maxWidth = maxWidth
      const [sign, name] = [...one.children].map((child) => child.getBoundingClientRect())
      const { top, bottom } = one.getBoundingClientRect()
      return {
        isSignCentered: sign && Math.abs(sign.top + sign.bottom - top - bottom) <= 1,
        isNameHidden: name && name.top >= bottom,
      }
    }, width)
  assert.deepEqual(await rowsOf('30px'), { isSignCentered: true, isNameHidden: true })
  assert.deepEqual(await rowsOf('none'), { isSignCentered: true, isNameHidden: false })

  // Wherever it is clicked a card opens, and what is on it tells what it means.
  const due = await middleOfElement(face.getByText(/2020$/).last())
  await page.mouse.move(due.x, due.y)
  await page
    .locator('.tooltip')
    .getByText(/^Overdue since .*2020/)
    .waitFor()
  for (const part of [
    face.getByText('Legal'),
    face.getByText(/2020$/).last(),
    face.getByRole('img', { name: /^User \d+$/ }),
    face.getByRole('img', { name: 'To check' }),
    face.getByRole('img', { name: 'Urgent priority' }),
  ]) {
    const { x, y } = await middleOfElement(part)
    await page.mouse.click(x, y)
    await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor({ state: 'detached' })
  }

  await page.goto(`${path}?tag=${tag.id}`)
  await shows(page, 'To do', ['Card 1'])
  await page.goto(`${path}?due=week`)
  await shows(page, 'To do', ['Card 2'])
  await page.goto(`${path}?due=overdue`)
  await shows(page, 'To do', ['Card 1'])
  await page.goto(`${path}?due=none&due=overdue`)
  await shows(page, 'To do', ['Card 1', 'Card 3'])
})

test('a card is snoozed and hidden from its menu and panel, each with undo', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await choose(page, 'Actions for Card 1', 'Snooze for a day')
  await shows(page, 'To do', ['Card 2', 'Card 3'])
  await page.keyboard.press('Control+z')
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await choose(page, 'Actions for Card 2', 'Hide card')
  await shows(page, 'To do', ['Card 1', 'Card 3'])
  await page.getByText('Hid “Card 2”').waitFor()
  await page.keyboard.press('Control+z')
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await page.getByRole('link', { name: 'Card 3' }).press('Enter')
  await choose(page, 'Actions for this card', 'Snooze for a week')
  await page.getByRole('button', { name: 'Remove snooze' }).waitFor()
  await shows(page, 'To do', ['Card 1', 'Card 2'])
})

test('menus move a card to the top and the bottom, and a group to the left and the right', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await choose(page, 'Actions for Card 3', 'Move to top')
  await shows(page, 'To do', ['Card 3', 'Card 1', 'Card 2'])
  await choose(page, 'Actions for Card 2', 'Move up')
  await shows(page, 'To do', ['Card 3', 'Card 2', 'Card 1'])
  await choose(page, 'Actions for Card 3', 'Move to bottom')
  await shows(page, 'To do', ['Card 2', 'Card 1', 'Card 3'])
  const groups = () => page.locator('[data-group-id]').evaluateAll((all) => all.map((one) => one.ariaLabel))
  await choose(page, 'Actions for the group To do', 'Move right')
  await eventually(async () => assert.deepEqual(await groups(), ['Doing', 'To do', 'Done']))
  await choose(page, 'Actions for the group Done', 'Move left')
  await eventually(async () => assert.deepEqual(await groups(), ['Doing', 'Done', 'To do']))

  await choose(page, 'Actions for the group Done', 'Collapse')
  await page.getByRole('button', { name: /^0 cards in Done/ }).waitFor()
  await choose(page, 'Actions for the group Done', 'Move left')
  await eventually(async () => assert.deepEqual(await groups(), ['Done', 'Doing', 'To do']))
  await page.getByRole('button', { name: 'Move the group Done' }).focus()
  for (const key of [' ', 'ArrowRight', ' ']) await page.keyboard.press(key)
  await eventually(async () => assert.deepEqual(await groups(), ['Doing', 'Done', 'To do']))
  await choose(page, 'Actions for the group Done', 'Expand')
  await page.getByRole('list', { name: 'Cards in Done' }).waitFor({ state: 'attached' })
})

test('one button opens and closes the activity; a missing board says so', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path, { expected: /404/ })
  const activity = page.getByRole('button', { name: 'Activity' })
  await activity.press('Enter')
  await page.getByText(/created “Card 1” in To do/).waitFor()
  await activity.press('Enter')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  await page.goto(`/p/${scene.projectId}/boards/999999`)
  await page.getByRole('heading', { name: 'The board could not be opened' }).waitFor()
  await page.getByText("It doesn't exist, or you don't have access to it.").waitFor()
})

const callOf = (path: string) => (url: URL) => url.pathname.endsWith(`/operations/${path}`)

/** Holds every answer to a path back until it is told to let them go. */
async function hold(page: Page, path: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(callOf(path), async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('a card that is still being saved cannot be opened; once it is saved it can', async (t) => {
  const scene = await createScene({ cards: 0 })
  const page = await openAs(t, scene.members.member, scene.path)
  const letGo = await hold(page, 'cards/create')
  await page.getByRole('button', { name: 'Add card to Doing' }).click()
  await page.getByRole('textbox', { name: 'Title of the new card in Doing' }).fill('Slow')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').getByText('Slow').click()
  assert.equal(new URL(page.url()).pathname, scene.path)
  assert.deepEqual(await page.getByRole('button', { name: 'Actions for Slow' }).all(), [])
  letGo()
  await page.getByRole('link', { name: 'Slow' }).click()
  await page.getByRole('complementary', { name: 'Card: Slow' }).waitFor()
})

test('a failed move of a card or group offers no undo', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path, { expected: /422/ })
  const sent: string[] = []
  for (const path of ['cards/move', 'groups/reorder', 'cards/update'])
    await page.route(callOf(path), (route) => {
      sent.push(path)
      return route.continue({ postData: {} })
    })
  const undo = page.getByRole('button', { name: 'Undo' })
  await choose(page, 'Actions for Card 1', 'Move down')
  await page.getByText('The card was not moved.').waitFor()
  assert.equal(await undo.count(), 0)
  await choose(page, 'Actions for the group To do', 'Move right')
  await page.getByText('The group was not moved.').waitFor()
  assert.equal(await undo.count(), 0)
  await choose(page, 'Actions for Card 1', 'Hide card')
  await page.getByText('The card was not changed.').waitFor()
  assert.equal(await undo.count(), 0)
  await page.keyboard.press('Control+z')
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  assert.deepEqual(sent, ['cards/move', 'groups/reorder', 'cards/update'])
})

test('adding a card that the filters hide says so and offers to show it', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, `${scene.path}?priority=urgent`)
  await page.getByRole('button', { name: 'Add card to To do' }).click()
  const field = page.getByRole('textbox', { name: 'Title of the new card in To do' })
  await field.fill('Ordinary')
  await field.press('Enter')
  await page.getByText('Card added but hidden by your filters').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3', 'Ordinary'])
  assert.equal(page.url().endsWith(scene.path), true)
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Add card to To do'),
  )
  await page.keyboard.press('Enter')
  await field.fill('Seen at once')
  await field.press('Enter')
  await page.getByRole('link', { name: 'Seen at once' }).waitFor()
  assert.equal(await page.getByText('Card added but hidden by your filters').count(), 0)
})

test('only the last move has a toast', async (t) => {
  const scene = await createScene()
  const page = await openAs(t, scene.members.member, scene.path)
  await choose(page, 'Actions for Card 1', 'Move down')
  await choose(page, 'Actions for Card 1', 'Doing')
  await choose(page, 'Actions for the group Done', 'Move left')
  await page.getByText('Moved Done').waitFor()
  assert.deepEqual(await page.getByRole('button', { name: 'Undo' }).count(), 1)
  await choose(page, 'Actions for Card 2', 'Hide card')
  assert.deepEqual(await page.getByRole('button', { name: 'Undo' }).count(), 2)
})

test('the activity describes a deleted card and a collapsed group in plain words', async (t) => {
  const scene = await createScene()
  const { member, cardIds, groupIds } = scene
  const [id] = cardIds as [number]
  const group = groupIds[0] as number
  await member.call(`${base}/cards/update`, { id, description: '<p>Words</p>' })
  await member.call(`${base}/cards/delete`, { id })
  await member.call(`${base}/groups/update`, { id: group, is_collapsed: true })
  await member.call(`${base}/groups/update`, { id: group, is_collapsed: false })
  await member.call(`${base}/groups/update`, { id: group, is_collapsed: true, color: 'teal' })
  const page = await openAs(t, scene.members.member, `${scene.path}/activity`)
  const activity = page.getByRole('complementary', { name: 'Activity' })
  await activity.getByText('edited the description of “Card 1” (since deleted)').waitFor()
  await activity.getByText('deleted “Card 1”').waitFor()
  await activity.getByText('collapsed the group To do').waitFor()
  await activity.getByText('expanded the group To do').waitFor()
  await activity
    .getByText(/collapsed.*, changed the color of it|changed the color of the group To do, collapsed it/)
    .waitFor()
})

test('the activity names a card that was moved to another board, with its groups, and leads to it', async (t) => {
  const scene = await createScene()
  const { admin, member, members, cardIds } = scene
  const [first, second] = cardIds as [number, number]
  const { board } = await admin.call(`${base}/boards/create`, { title: 'Other' })
  const { group } = await admin.call(`${base}/groups/create`, { board_id: board.id, title: 'There' })
  await member.call(`${base}/cards/move`, { id: first, group_id: group.id })
  await member.call(`${base}/cards/update-many`, { cards: [{ id: second, group_id: group.id }] })
  const page = await openAs(t, members.member, `${scene.path}/activity`)
  const activity = page.getByRole('complementary', { name: 'Activity' })
  await activity.getByText('moved “Card 2” from To do to There on Other').waitFor()
  const entry = activity
    .getByRole('listitem')
    .filter({ hasText: 'moved “Card 1” from To do to There on Other' })
  await entry.getByRole('link', { name: '“Card 1”' }).click()
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  await panel.getByText('History').click()
  await panel.getByText('created this card in To do on Board').waitFor()
  await panel.getByText('moved this card from To do on Board to There').waitFor()
})

test('a board speaks German: its activity in whole phrases, its menus, and the fields of a card', async (t) => {
  const scene = await createScene()
  const { member, cardIds } = scene
  const [id] = cardIds as [number]
  await member.call(`${base}/cards/update`, { id, title: 'Rechnung', priority: 'high' })
  await member.call(`${base}/cards/update`, { id, description: '<p>Words</p>' })
  await member.call(`${base}/comments/create`, { card_id: id, comment: 'Words' })
  const page = await openAs(t, scene.members.member, `${scene.path}/activity`, { locale: 'de-DE' })
  const activity = page.getByRole('complementary', { name: 'Verlauf' })
  await activity.getByText('hat „Card 1“ in To do angelegt').waitFor()
  await activity
    .getByText(
      /hat „Card 1“ in „Rechnung“ umbenannt, hat die Priorität auf Hoch gesetzt|hat für „Rechnung“ die Priorität auf Hoch gesetzt, hat „Card 1“ in „Rechnung“ umbenannt/,
    )
    .waitFor()
  await activity.getByText('hat für „Rechnung“ die Beschreibung bearbeitet').waitFor()
  await activity.getByText('hat „Rechnung“ kommentiert').waitFor()
  await choose(page, 'Aktionen für Rechnung', 'Ganz nach unten')
  await page.getByText('Innerhalb von To do verschoben').waitFor()
  await page.getByRole('link', { name: 'Rechnung', exact: true }).click()
  const card = page.getByRole('complementary', { name: 'Karte: Rechnung' })
  for (const field of ['Status: Offen', 'Priorität: Hoch', 'Zurückstellen: Datum hinzufügen'])
    await card.getByRole('button', { name: field }).waitFor()
})

test('focus and selection are blue, the primary action is ink, and only what is overdue is red', async (t) => {
  const { member, members, cardIds, path } = await createScene()
  const id = cardIds[0] as number
  await member.call(`${base}/cards/update`, { id, due_date: '2020-02-03T12:00:00Z' })
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const face = page.locator('.card[data-open="true"]')
  const colorOf = async (element: Locator, property: string) => {
    const value = await element.evaluate(
      (node, name) => getComputedStyle(node).getPropertyValue(name),
      property,
    )
    // From green to red, and from blue to yellow.
    const [, greenRed, blueYellow] = /lab\([\d.]+ ([-\d.]+) ([-\d.]+)/.exec(value) ?? []
    if (Math.hypot(Number(greenRed), Number(blueYellow)) < 5) return 'ink'
    return Number(blueYellow) < -30 ? 'blue' : Number(greenRed) > 30 ? 'red' : value
  }
  const comment = page.getByRole('textbox', { name: 'Write a comment' })
  await comment.fill('Done?')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    assert.equal(await colorOf(face, 'box-shadow'), 'blue')
    assert.equal(await colorOf(comment, 'outline-color'), 'blue')
    assert.equal(await colorOf(face.locator('.card-due'), 'color'), 'red')
    assert.equal(
      await colorOf(page.locator('.composer').getByRole('button', { name: 'Comment' }), 'background-color'),
      'ink',
    )
  }
})

test('a card shows its comments, its description and no usual priority; its menu does not cover the title', async (t) => {
  const { admin, member, members, cardIds, path } = await createScene()
  const [id, second] = cardIds as [number, number]
  const title = `A title of several lines that ${'goes on '.repeat(12)}`
  await member.call(`${base}/cards/update`, { id, title, description: '<p>Words</p>' })
  await member.call(`${base}/comments/create`, { card_id: id, comment: 'Mine' })
  await admin.call(`${base}/comments/create`, { card_id: id, comment: 'Theirs' })
  const page = await openAs(t, members.member, path)
  const face = page.getByRole('listitem').filter({ hasText: 'A title' })
  await face.getByRole('img', { name: 'Has a description' }).waitFor()
  await face.getByText('2 comments', { exact: true }).waitFor()
  await face.getByText('1 unread comment', { exact: true }).waitFor()
  assert.equal(await face.getByRole('img', { name: /priority$/ }).count(), 0)
  await assertAccessible(page, 'face of a card')
  const plain = page.getByRole('listitem').filter({ hasText: 'Card 2' })
  assert.equal(await plain.locator('.card-meta').isVisible(), false)

  await face.hover()
  const [menu, link] = [
    await face.getByRole('button', { name: /^Actions for/ }).boundingBox(),
    await face.getByRole('link').evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return { right: Math.max(...[...range.getClientRects()].map((line) => line.right)) }
    }),
  ]
  assert.ok(menu && link.right <= menu.x, `${link.right} <= ${menu?.x}`)

  await page.getByRole('link', { name: 'A title' }).click()
  await face.getByText('1 unread comment', { exact: true }).waitFor({ state: 'detached' })
  await face.getByText('2 comments', { exact: true }).waitFor()
  await member.call(`${base}/comments/create`, { card_id: second, comment: 'Mine' })
  await plain.getByText('1 comment', { exact: true }).waitFor()
})

test('a card that has everything shows it within its edges', async (t) => {
  const { admin, member, members, cardIds, path } = await createScene()
  const id = cardIds[0] as number
  const { tag } = await member.call(`${base}/tags/create`, { name: 'Marketing', icon: 'bug' })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await member.call(`${base}/cards/update`, {
    id,
    description: 'Words',
    priority: 'urgent',
    status: 'blocked',
    tag_id: tag.id,
    owner_id: members.member.id,
    due_date: tomorrow.slice(0, 10),
    due_is_date: true,
  })
  await admin.call(`${base}/comments/create`, { card_id: id, comment: 'Theirs' })
  const page = await openAs(t, members.member, path)
  const face = page.getByRole('listitem').filter({ hasText: 'Card 1' })
  await face.getByText('1 unread comment', { exact: true }).waitFor({ state: 'attached' })
  const isWithin = () =>
    face.locator('.card-meta').evaluate((row) => row.scrollWidth <= (row as HTMLElement).clientWidth)
  assert.ok(await isWithin())
  // The name of the tag gives way before the date does.
  const isWhole = await face.locator('.card-due > .truncate').evaluate((date) => {
    const words = document.createRange()
    words.selectNode(date.lastChild as Node)
    return words.getBoundingClientRect().width <= date.getBoundingClientRect().width
  })
  assert.ok(isWhole)
  await member.call(`${base}/cards/update`, { id, snoozed_until: tomorrow })
  await page.goto(`${path}?show=all`)
  await face.getByText('1 unread comment', { exact: true }).waitFor({ state: 'attached' })
  await face.getByText('Snooze ends').waitFor({ state: 'attached' })
  assert.ok(await isWithin())
})

test('an entry of the activity leads to its card, and Escape leads back', async (t) => {
  const { member, admin, members, cardIds, groupIds, path } = await createScene()
  await member.call(`${base}/cards/update`, { id: cardIds[1] as number, status: 'blocked' })
  await admin.call(`${base}/groups/delete`, { id: groupIds[2] as number })
  await admin.call(`${base}/groups/restore`, { id: groupIds[2] as number })
  await admin.call(`${base}/groups/delete`, { id: groupIds[2] as number })
  const page = await openAs(t, members.member, `${path}/activity`)
  const activity = page.getByRole('complementary', { name: 'Activity' })
  await activity.getByText('restored the group Done').waitFor()
  assert.equal(await activity.evaluate((one) => getComputedStyle(one).outlineStyle), 'none')
  await activity.getByText('deleted the group Done with 0 cards').first().waitFor()
  const entry = activity.getByRole('listitem').filter({ hasText: 'set the status of “Card 2” to Blocked' })
  await entry.getByRole('link', { name: '“Card 2”' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `${path}/cards/${cardIds[1]}`)
  await page.keyboard.press('Escape')
  await entry.waitFor()
  assert.equal(new URL(page.url()).pathname, `${path}/activity`)
})
