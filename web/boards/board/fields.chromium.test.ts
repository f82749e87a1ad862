// The fields of cards and boards that a board shows: short descriptions, types, icons and the order of the template.
import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, service, shows } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const base = '/services/operations/v1/operations'
const admin = '/services/operations/v1/admin'

test('a short description is the second line of a card, and is written in its panel', async (t) => {
  const { member, members, cardIds, path } = await createScene()
  const id = cardIds[0] as number
  const page = await openAs(t, members.member, `${path}/cards/${id}`)
  const field = page.getByRole('textbox', { name: 'Short description' })
  await field.fill('Quickest by phone')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'Card 1' }).getByText('Quickest by phone').waitFor()
  await eventually(async () =>
    assert.equal(
      (await member.call(`${base}/cards/get`, { id })).card.short_description,
      'Quickest by phone',
    ),
  )
  await assertAccessible(page, 'short description')
  await page.goto(path.replace(/boards\/.*/, 'search?q=quickest'))
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await page.goto(`${path}/cards/${id}`)
  await field.fill('')
  await page.keyboard.press('Enter')
  await eventually(async () =>
    assert.equal((await member.call(`${base}/cards/get`, { id })).card.short_description, null),
  )
})

test('a board gets an icon and a color, shown in the sidebar, the list and its heading', async (t) => {
  const { members, path } = await createScene()
  const page = await openAs(t, members.admin, path)
  await page.getByRole('button', { name: /^Actions for the board/ }).click()
  await page.getByRole('menuitem', { name: 'Board settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Board settings' })
  await dialog.getByRole('button', { name: 'Icon: None' }).click()
  await page.getByRole('option', { name: 'Rocket' }).click()
  await dialog.getByRole('button', { name: 'Icon: Rocket' }).waitFor()
  await dialog.getByRole('button', { name: 'Color: None' }).click()
  await page.getByRole('option', { name: 'Blue' }).click()
  await dialog.getByRole('button', { name: 'Color: Blue' }).waitFor()
  await assertAccessible(page, 'icon of a board')
  await dialog.getByRole('button', { name: 'Close' }).click()
  const rocket = '.sign[data-icon="rocket"][data-hue="blue"] > svg'
  await page.getByRole('heading', { level: 1 }).locator(rocket).waitFor()
  await page.getByRole('navigation').locator(rocket).waitFor()
  await page.goto(path.replace(/boards\/.*/, 'boards'))
  await page.getByRole('table').locator(rocket).waitFor()
})

test('icons of boards and groups are drawn where their cards are listed, and in the trash', async (t) => {
  const { admin, member, members, boardId, groupIds, cardIds, path } = await createScene()
  const [groupId, otherId] = groupIds as [number, number]
  await admin.call(`${base}/boards/update`, { id: boardId, icon: 'rocket', color: 'blue' })
  for (const id of [groupId, otherId])
    await admin.call(`${base}/groups/update`, { id, icon: 'star', color: 'red' })
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, owner_id: members.member.id })
  await member.call(`${base}/cards/delete`, { id: cardIds[1] as number })
  await admin.call(`${base}/groups/delete`, { id: otherId })
  const rocket = '.sign[data-icon="rocket"][data-hue="blue"] > svg'
  const star = '.sign[data-icon="star"][data-hue="red"] > svg'
  const page = await openAs(t, members.member, path.replace(/boards\/.*/, 'my-cards'))
  const row = (text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text })
  for (const sign of [rocket, star]) await row('Card 1').locator(sign).waitFor()
  await page.getByRole('link', { name: 'Card 1' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 1' }).locator('header').locator(star).waitFor()
  assert.equal(await page.title(), 'Card 1 · Board · Cardinal')
  await page.getByRole('button', { name: 'Activity' }).click()
  await page.getByRole('complementary', { name: 'Activity' }).waitFor()
  assert.equal(await page.title(), 'Activity · Board · Cardinal')
  await page.goto(path.replace(/boards\/.*/, 'search?q=card'))
  for (const sign of [rocket, star]) await row('Card 3').locator(sign).waitFor()
  await page.goto(path.replace(/boards\/.*/, 'trash'))
  await row('Card 2').locator(rocket).waitFor()
  for (const sign of [rocket, star]) await row('Doing').locator(sign).waitFor()
})

test('an open board shows changed tags, collapsed groups and snoozes', async (t) => {
  const { member, members, groupIds, cardIds, path } = await createScene()
  const [groupId] = groupIds as [number]
  const [id] = cardIds as [number]
  const tag = { name: 'Urgent', icon: 'star', color: 'red' }
  const { id: tagId } = (await member.call(`${base}/tags/create`, tag)).tag
  await member.call(`${base}/cards/update`, { id, tag_id: tagId })
  const page = await openAs(t, members.member, path)
  const card = page.getByRole('listitem').filter({ hasText: 'Card 1' })
  await card.getByText('Urgent').waitFor()
  await card.locator('.sign[data-icon="star"][data-hue="red"] > svg').waitFor()
  await member.call(`${base}/tags/update`, { id: tagId, name: 'Later', icon: 'rocket', color: 'blue' })
  await card.getByText('Later').waitFor()
  await card.locator('.sign[data-icon="rocket"][data-hue="blue"] > svg').waitFor()
  assert.equal(await card.getByText('Urgent').count(), 0)

  const list = page.getByRole('list', { name: 'Cards in To do' })
  await member.call(`${base}/groups/update`, { id: groupId, is_collapsed: true })
  await page.getByRole('button', { name: '3 cards in To do', expanded: false }).waitFor()
  assert.equal(await list.count(), 0)
  await member.call(`${base}/groups/update`, { id: groupId, is_collapsed: false })
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])

  const tomorrow = new Date(Date.now() + 864e5).toISOString()
  await member.call(`${base}/cards/update`, { id, snoozed_until: tomorrow })
  await shows(page, 'To do', ['Card 2', 'Card 3'])
  await page.getByRole('link', { name: '1 snoozed or hidden' }).waitFor()
  await member.call(`${base}/cards/update`, { id, snoozed_until: null })
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
})

test('the order of the template is restored and undone; cards are filtered by type', async (t) => {
  const template = await createTemplateScene({ projects: 1 })
  const projectId = template.projectIds[0] as number
  await template.superadmin.call(`${admin}/master-boards/sync`, { board_id: template.boardId })
  const user = await service.addUser({ roles: { [projectId]: 'admin' } })
  const client = service.client(user.token)
  const { boards } = await client.call(`${base}/boards/list`)
  const boardId = boards[0]?.id as number
  const { board } = await client.call(`${base}/boards/get`, { id: boardId })
  const group = board.groups[0]
  assert.ok(group)
  await client.call(`${base}/cards/create`, { title: 'Own card', group_id: group.id })
  await client.call(`${base}/cards/move`, { id: group.cards[0]?.id as number, position: 4 })
  const page = await openAs(t, user, `/p/${projectId}/boards/${boardId}`)
  await shows(page, 'Before', ['Card 2', 'Card 3', 'Own card', 'Card 1'])
  await page.getByRole('button', { name: 'Actions for the group Before' }).click()
  await page.getByRole('menuitem', { name: 'Restore template order' }).click()
  await shows(page, 'Before', ['Card 1', 'Card 2', 'Card 3', 'Own card'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await shows(page, 'Before', ['Card 2', 'Card 3', 'Own card', 'Card 1'])

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Custom' }).click()
  await page.keyboard.press('Escape')
  await shows(page, 'Before', ['Own card'])
  await page.getByRole('button', { name: 'Remove the filter Type: Custom' }).waitFor()
})
