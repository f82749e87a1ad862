import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

test('the inbox is empty at first; items, badge and tab title follow live', async (t) => {
  const { admin, members, projectId, cardIds } = await createScene()
  const page = await openAs(t, members.member, `/p/${projectId}/inbox`)
  await page.getByRole('heading', { name: "You're all caught up" }).waitFor()
  await assertAccessible(page, 'empty inbox')
  assert.equal(await page.title(), 'Inbox · Cardinal')
  const [first, second] = cardIds as [number, number]
  await admin.call(`${base}/cards/update`, { id: first, owner_id: members.member.id })
  const list = page.getByRole('list', { name: 'Inbox' })
  await list.getByRole('link', { name: 'Unread: Card 1' }).waitFor()
  await list.getByText('User').first().waitFor()
  await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor()
  await eventually(async () => assert.equal(await page.title(), '(1) Inbox · Cardinal'))
  await admin.call(`${base}/comments/create`, {
    card_id: second,
    comment: '> Which one?\n\nWhat about *this* one?',
  })
  // As the card shows it.
  await list.locator('blockquote', { hasText: /^\s*Which one\?\s*$/ }).waitFor()
  await list.locator('em', { hasText: 'this' }).waitFor()
  await page.getByRole('link', { name: 'Inbox 2 unread' }).waitFor()
  await assertAccessible(page, 'inbox')
  await page.setViewportSize({ width: 360, height: 740 })
  await assertAccessible(page, 'inbox on a phone')
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= 360), true)
  // The sidebar with the count is hidden there.
  const opener = page.getByRole('button', { name: 'Open sidebar' })
  assert.equal(await opener.getAttribute('aria-description'), '2 unread in the inbox')
  assert.notEqual(await opener.evaluate((one) => getComputedStyle(one, '::after').content), 'none')
  // Below the sentence, and no longer after it with a dot between them.
  const board = list.locator('.inbox-board').first()
  assert.equal(await board.evaluate((one) => getComputedStyle(one, '::before').content), 'none')
  const [place, above] = [await board.boundingBox(), await board.locator('xpath=../*[1]').boundingBox()]
  assert.ok(place && above && place.y >= above.y + above.height - 1, JSON.stringify({ place, above }))
})

test('the project switcher tells of unread items in other projects', async (t) => {
  const { admin, members, cardIds, projectId } = await createScene()
  const otherId = await service.addProject('Garden')
  await service.db
    .sql`insert into memberships (project_id, user_id, role) values (${otherId}, ${members.member.id}, 'member')`
  await service.db.sql`update projects set name = 'Orchard' where id = ${projectId}`
  await admin.call(`${base}/cards/update`, { id: cardIds[0] as number, owner_id: members.member.id })
  const client = service.client(members.member.token)
  await eventually(async () =>
    assert.deepEqual(await client.call(`${base}/inbox/unread-by-project`), {
      projects: [{ project_id: projectId, unread_count: 1 }],
    }),
  )
  const page = await openAs(t, members.member, `/p/${otherId}/home`)
  await page.getByRole('button', { name: 'Garden 1 unread in other projects' }).click()
  await page.getByRole('option', { name: 'Orchard (1 unread)' }).waitFor()
  await assertAccessible(page, 'project switcher with unread items')
  await page.keyboard.press('Escape')
  // Both follow live.
  await admin.call(`${base}/cards/update`, { id: cardIds[1] as number, owner_id: members.member.id })
  await page.getByRole('button', { name: 'Garden 2 unread in other projects' }).waitFor()
  const { items } = await client.call(`${base}/inbox/list`, {})
  await client.call(`${base}/inbox/mark-read`, { items: [items[0]?.id as number] })
  await page.getByRole('button', { name: 'Garden 1 unread in other projects' }).waitFor()
  // What is hidden there has no message, and is seen when the list is opened.
  await admin.call(`${base}/cards/delete`, { id: cardIds[0] as number })
  await page.getByRole('button', { name: 'Garden 1 unread in other projects' }).click()
  await page.getByRole('option', { name: 'Orchard', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Garden', exact: true }).waitFor()
  await admin.call(`${base}/cards/restore`, { id: cardIds[0] as number })
  await page.getByRole('button', { name: 'Garden', exact: true }).click()
  await page.getByRole('option', { name: 'Orchard (1 unread)' }).click()
  await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor()
  await page.getByRole('button', { name: 'Orchard', exact: true }).waitFor()
})

test('keys move through the inbox, mark as read and open a card, which marks its items', async (t) => {
  const { admin, member, members, projectId, cardIds } = await createScene()
  for (const id of cardIds) await admin.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  const page = await openAs(t, members.member, `/p/${projectId}/home`)
  await page.getByRole('link', { name: 'Inbox 3 unread' }).waitFor()
  await eventually(async () => {
    // Keys work once their code is there.
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    assert.equal(new URL(page.url()).pathname, `/p/${projectId}/inbox`)
  })
  await page.getByRole('link', { name: 'Unread: Card 3' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await page.keyboard.press('j')
  await eventually(async () => assert.equal(await focused(), 'Unread: Card 3'))
  await page.keyboard.press('j')
  assert.equal(await focused(), 'Unread: Card 2')
  await page.keyboard.press('k')
  assert.equal(await focused(), 'Unread: Card 3')
  await page.keyboard.press('e')
  await page.getByRole('link', { name: 'Inbox 2 unread' }).waitFor()
  assert.equal(await focused(), 'Unread: Card 2')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor()
  const unread = await member.call(`${base}/inbox/list`, { is_unread: true })
  assert.deepEqual(
    unread.items.map(({ card_title }) => card_title),
    ['Card 1'],
  )
  // Closing the card leads back to its item, from where the keys go on.
  await page.keyboard.press('Escape')
  await eventually(async () => assert.equal(await focused(), 'Card 2'))
  await page.keyboard.press('j')
  assert.equal(await focused(), 'Unread: Card 1')
})

test('a reply leads to its card, an accepted invitation to the members', async (t) => {
  const { admin, member, members, projectId, cardIds } = await createScene()
  const { comment } = await member.call(`${base}/comments/create`, {
    card_id: cardIds[0] as number,
    comment: 'Who has the key?',
  })
  await admin.call(`${base}/comments/create`, {
    card_id: cardIds[0] as number,
    comment: 'I do',
    parent_comment_id: comment.id,
  })
  await service.db.sql`
    insert into inbox_items (project_id, user_id, reason, actor_id)
    values (${projectId}, ${members.member.id}, 'invitation_accepted', ${members.viewer.id})`
  const page = await openAs(t, members.member, `/p/${projectId}/inbox`)
  await page.getByText(/replied to you$/).waitFor()
  await page.getByText('Accepted your invitation').waitFor()
  await assertAccessible(page, 'inbox with a reply')
  const [viewer] = await service.db.sql<{ name: string }[]>`
    select name from users where id = ${members.viewer.id}`
  await page.getByRole('link', { name: `Unread: ${viewer?.name}` }).click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Unread: Card 1' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
  await eventually(async () =>
    assert.deepEqual(await member.call(`${base}/inbox/unread`), { unread_count: 0 }),
  )
})

test('everything is marked as read at once, and only unread items are shown if asked for', async (t) => {
  const { admin, members, projectId, cardIds } = await createScene()
  for (const id of cardIds) await admin.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  const page = await openAs(t, members.member, `/p/${projectId}/inbox`)
  await page.getByRole('link', { name: 'Unread: Card 3' }).waitFor()
  await page.getByRole('button', { name: 'Mark “Card 2” as read' }).click()
  await page.getByRole('radio', { name: 'Unread' }).check()
  await page.getByRole('link', { name: 'Card 2' }).waitFor({ state: 'detached' })
  await eventually(async () =>
    assert.equal(await page.getByRole('list', { name: 'Inbox' }).getByRole('link').count(), 2),
  )
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('heading', { name: "You're all caught up" }).waitFor()
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
  await page.getByRole('radio', { name: 'All' }).check()
  await page.getByRole('link', { name: 'Card 2' }).waitFor()
})

test('an inbox that cannot be loaded says so and is tried again', async (t) => {
  const { members, projectId } = await createScene()
  const page = await openAs(t, members.member, `/p/${projectId}/boards`, { expected: /500/ })
  await page.getByRole('heading', { name: 'Boards', exact: true }).waitFor()
  await page.route(/inbox\/list$/, (route) =>
    route.fulfill({ status: 500, json: { error: true, message: 'Server Error', data: [] } }),
  )
  await page.getByRole('link', { name: 'Inbox', exact: true }).click()
  await page.getByRole('heading', { name: 'The inbox could not be loaded' }).waitFor()
  await assertAccessible(page, 'failed inbox')
  await page.unroute(/inbox\/list$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: "You're all caught up" }).waitFor()
})

test('a card is followed and muted in its panel, also by viewers', async (t) => {
  const { members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  const page = await openAs(t, members.viewer, `${path}/cards/${id}`)
  const viewer = service.client(members.viewer.token)
  const stored = async () => {
    const { is_following, is_muted } = await viewer.call(`${base}/cards/get`, { id })
    return [is_following, is_muted]
  }
  await page.getByRole('button', { name: 'Not following: follow or mute' }).click()
  await page.getByRole('menuitem', { name: 'Follow', exact: true }).click()
  await page.getByRole('button', { name: 'Following: unfollow or mute' }).click()
  await assertAccessible(page, 'following a card')
  await page.getByRole('menuitem', { name: 'Mute' }).click()
  await page.getByRole('button', { name: 'Muted: follow or unmute' }).waitFor()
  await eventually(async () => assert.deepEqual(await stored(), [true, true]))
})

test('an @ in a comment suggests members; the chosen one is mentioned and told', async (t) => {
  const { members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  const { sql } = service.db
  await sql`update users set name = 'Mina Sato' where id = ${members.viewer.id}`
  await sql`update users set name = 'Milo Fox' where id = ${members.owner.id}`
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await field.click()
  await page.keyboard.type('Ask @mi')
  const people = page.getByRole('listbox', { name: 'People' })
  await people.getByRole('option', { name: 'Milo Fox' }).waitFor()
  assert.equal(await people.getByRole('option').count(), 2)
  await assertAccessible(page, 'mentioning')
  await page.keyboard.press('Escape')
  await people.waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'Ask @mi')
  await page.keyboard.type('n')
  await page.keyboard.press('Backspace')
  assert.equal(await people.count(), 0)
  await field.fill('')
  await page.keyboard.type('Ask @sa')
  await people.getByRole('option', { name: 'Mina Sato' }).waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await field.inputValue(), 'Ask @Mina Sato ')
  await page.keyboard.type('please')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('article').locator('.mention', { hasText: '@Mina Sato' }).waitFor()
  const viewer = service.client(members.viewer.token)
  await eventually(async () => {
    const { items } = await viewer.call(`${base}/inbox/list`, {})
    assert.deepEqual(
      items.map(({ reason, excerpt }) => [reason, excerpt]),
      [['mentioned', 'Ask @Mina Sato please']],
    )
  })
})

test('a name with vowel signs is suggested while it is typed', async (t) => {
  const { members, path, cardIds } = await createScene()
  await service.db.sql`update users set name = 'रवि कुमार' where id = ${members.viewer.id}`
  const page = await openAs(t, members.member, `${path}/cards/${cardIds[0]}`)
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await field.click()
  await page.keyboard.type('@रवि')
  await page.getByRole('option', { name: 'रवि कुमार' }).waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await field.inputValue(), '@रवि कुमार ')
})

test('an open card in a window that is not seen is read once the person is back', async (t) => {
  const { admin, member, members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  await page.getByRole('complementary', { name: 'Card: Card 1' }).waitFor()
  const show = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  await admin.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor()
  await show('visible')
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
  assert.deepEqual(await member.call(`${base}/inbox/unread`), { unread_count: 0 })
})

test('an @ in a description suggests members too', async (t) => {
  const { member, members, path, cardIds } = await createScene()
  const id = cardIds[0] as number
  await service.db.sql`update users set name = 'Mina Sato' where id = ${members.viewer.id}`
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  await page.getByRole('button', { name: 'Add the description' }).click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).waitFor()
  await page.keyboard.type('For @mina')
  await page.getByRole('option', { name: 'Mina Sato' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('and all')
  await page.keyboard.press('Control+Enter')
  await eventually(async () => {
    const { card, mentions } = await member.call(`${base}/cards/get`, { id })
    assert.equal(card.description, '<p>For @Mina Sato and all</p>')
    assert.deepEqual(mentions, [{ user_id: members.viewer.id, name: 'Mina Sato' }])
  })
})
