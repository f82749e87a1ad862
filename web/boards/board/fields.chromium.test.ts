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
