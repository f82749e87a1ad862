// What groups do besides holding cards: archiving, types, icons.
import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, service, shows } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const base = '/services/operations/v1/operations'
const admin = '/services/operations/v1/admin'

test('a group is archived with its cards, undone, archived again and restored from the list', async (t) => {
  const { members, path, projectId, boardId, groupIds } = await createScene()
  const page = await openAs(t, members.admin, path)
  const column = page.getByRole('region', { name: 'To do', exact: true })
  const archive = async () => {
    await page.getByRole('button', { name: 'Actions for the group To do' }).click()
    await page.getByRole('menuitem', { name: 'Archive group' }).click()
    await column.waitFor({ state: 'detached' })
  }
  const openArchive = async () => {
    await page.getByRole('button', { name: /^Actions for the board/ }).click()
    await page.getByRole('menuitem', { name: 'Archived groups' }).click()
    return page.getByRole('dialog', { name: 'Archived groups' })
  }
  await archive()
  await page.getByRole('button', { name: 'Undo' }).click()
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await archive()
  // As a rollout does.
  await service.db.sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    values (${projectId}, ${boardId}, ${groupIds[0] as number}, 'Card 4', 4)`
  const dialog = await openArchive()
  await dialog
    .getByRole('listitem')
    .filter({ hasText: 'To do' })
    .getByText('4 cards · 1 new from the template')
    .waitFor()
  await assertAccessible(page, 'archived groups')
  await dialog.getByRole('button', { name: 'Restore To do' }).click()
  await dialog.getByText('No archived groups').waitFor()
  await assertAccessible(page, 'no archived groups')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3', 'Card 4'])
})

test('a card moved to a group of type done is done, and undoing gives it its status back', async (t) => {
  const { members, member, path, cardIds } = await createScene({ cards: 1 })
  const id = cardIds[0] as number
  const statusIs = (status: string) =>
    eventually(async () => assert.equal((await member.call(`${base}/cards/get`, { id })).card.status, status))
  await member.call(`${base}/cards/update`, { id, status: 'in_progress' })
  const page = await openAs(t, members.admin, path)
  await page.getByRole('button', { name: 'Actions for the group Done' }).click()
  await page.getByRole('menuitem', { name: 'Group settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Group settings' })
  await dialog.getByRole('button', { name: 'Type: None' }).click()
  await page.getByRole('option', { name: 'Done' }).click()
  await dialog.getByText('Cards moved here are marked Done.').waitFor()
  await dialog.getByRole('button', { name: 'Icon: None' }).click()
  await page.getByRole('option', { name: 'Rocket' }).click()
  await dialog.getByRole('button', { name: 'Icon: Rocket' }).waitFor()
  await assertAccessible(page, 'group settings')
  await dialog.getByRole('button', { name: 'Close' }).click()
  const column = page.getByRole('region', { name: 'Done', exact: true })
  await column.locator('[data-icon="rocket"]').waitFor()

  await page.getByRole('button', { name: 'Actions for Card 1' }).click()
  await page.getByRole('menuitem', { name: 'Done', exact: true }).click()
  await statusIs('closed')
  await page.getByRole('button', { name: 'Undo' }).click()
  await shows(page, 'To do', ['Card 1'])
  await statusIs('in_progress')

  // Reopened there, moved out and back: as it was.
  await member.call(`${base}/cards/move`, { id, group_id: await groupNamed('Done') })
  await member.call(`${base}/cards/update`, { id, status: 'to_check' })
  await shows(page, 'Done', ['Card 1'])
  await page.reload()
  await page.getByRole('button', { name: 'Actions for Card 1' }).click()
  await page.getByRole('menuitem', { name: 'Doing', exact: true }).click()
  await shows(page, 'Doing', ['Card 1'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await shows(page, 'Done', ['Card 1'])
  await statusIs('to_check')

  await page.getByRole('button', { name: 'Activity' }).click()
  await page.getByText('and set its status to Done').first().waitFor()

  async function groupNamed(title: string) {
    const { boards } = await member.call(`${base}/boards/list`)
    const { board } = await member.call(`${base}/boards/get`, { id: boards[0]?.id as number })
    return board.groups.find((group) => group.title === title)?.id as number
  }
})

test('a type of its own is written in the picker, and the board lets cards keep their status', async (t) => {
  const { members, admin: client, boardId, groupIds, path } = await createScene({ cards: 1 })
  const page = await openAs(t, members.admin, path)
  await page.getByRole('button', { name: 'Actions for the group Doing' }).click()
  await page.getByRole('menuitem', { name: 'Group settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Group settings' })
  await dialog.getByRole('button', { name: 'Type: None' }).click()
  await page.keyboard.type('Parked')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Type: Parked' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const groupOf = async (id: number | undefined) => {
    const { board } = await client.call(`${base}/boards/get`, { id: boardId })
    return board.groups.find((group) => group.id === id)
  }
  await eventually(async () => assert.equal((await groupOf(groupIds[1]))?.type, 'Parked'))
  await page.getByRole('button', { name: /^Actions for the board/ }).click()
  await page.getByRole('menuitem', { name: 'Board settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Board settings' })
  await settings.getByRole('button', { name: 'Cards moved to done groups: Are marked Done' }).click()
  await page.getByRole('option', { name: 'Keep their status' }).click()
  await settings.getByRole('button', { name: 'Cards moved to done groups: Keep their status' }).waitFor()
  await eventually(async () => {
    const { board } = await client.call(`${base}/boards/get`, { id: boardId })
    assert.equal(board.done_closes_cards, false)
  })
})

test('a group of a template has settings too, and is collapsed for projects', async (t) => {
  const template = await createTemplateScene({ projects: 1 })
  const page = await openAs(t, template.user, template.path)
  await page.getByRole('button', { name: 'Actions for the group After' }).click()
  await page.getByRole('menuitem', { name: 'Group settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Group settings' })
  await dialog.getByRole('button', { name: 'Type: None' }).click()
  await page.getByRole('option', { name: 'Waiting' }).click()
  await dialog.getByRole('button', { name: 'Type: Waiting' }).waitFor()
  await dialog.getByRole('button', { name: 'Color: None' }).click()
  await page.getByRole('option', { name: 'Teal' }).click()
  await dialog.getByRole('button', { name: 'Color: Teal' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Actions for the group After' }).click()
  await page.getByRole('menuitem', { name: 'Collapse' }).click()
  await eventually(async () => {
    const { board } = await template.superadmin.call(`${admin}/master-boards/get`, { id: template.boardId })
    const { type, color, is_collapsed } = board.groups[1] as (typeof board.groups)[number]
    assert.deepEqual([type, color, is_collapsed], ['waiting', 'teal', true])
  })
})

test('a group is collapsed for the person alone, also for a viewer, and stays so after a reload', async (t) => {
  const { members, member, boardId, groupIds, path } = await createScene()
  await member.call(`${base}/groups/update`, { id: groupIds[1] as number, is_collapsed: true })
  const page = await openAs(t, members.viewer, path)
  const collapsed = page.getByRole('button', { name: '3 cards in To do', expanded: false })
  await page.getByRole('button', { name: '0 cards in Doing', expanded: false }).click()
  await page.getByRole('button', { name: 'Actions for the group To do' }).click()
  await eventually(async () =>
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Collapse', 'Group settings…']),
  )
  await page.getByRole('menuitem', { name: 'Collapse' }).click()
  await collapsed.waitFor()
  await assertAccessible(page, 'collapsed group')
  await page.reload()
  await collapsed.waitFor()
  assert.equal(await page.getByRole('button', { name: '0 cards in Doing', expanded: false }).count(), 0)
  const others = await openAs(t, members.member, path)
  await shows(others, 'To do', ['Card 1', 'Card 2', 'Card 3'])
  await others.getByRole('button', { name: '0 cards in Doing', expanded: false }).waitFor()
  const { board } = await member.call(`${base}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups.map(({ is_collapsed }) => is_collapsed),
    [false, true, false],
  )
  const { activity } = await member.call(`${base}/activity/list`, { board_id: boardId })
  assert.equal(activity.filter(({ kind }) => kind === 'group.updated').length, 1)
  await collapsed.click()
  await shows(page, 'To do', ['Card 1', 'Card 2', 'Card 3'])
})

test('a title of a group or board over a newer one of someone else says so, with undo', async (t) => {
  const { admin: other, members, path, boardId, groupIds } = await createScene()
  const page = await openAs(t, members.admin, path)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const rename = async (kind: 'group' | 'board', title: string, id: number) => {
    const theirs = `Their ${kind}`
    await button(title).click()
    const field = page.getByRole('textbox', { name: `Rename the ${kind} ${title}` })
    await field.fill('Mine')
    await other.call(`${base}/${kind}s/update`, { id, title: theirs })
    await page.getByRole('textbox', { name: `Rename the ${kind} ${theirs}` }).press('Enter')
    await page.getByText(`Renamed to “Mine”. Someone else had just renamed it to “${theirs}”.`).waitFor()
    await button('Undo').click()
    await button(theirs).waitFor()
  }
  await rename('group', 'To do', groupIds[0] as number)
  await rename('board', 'Board', boardId)
})

test('new groups take different colors', async (t) => {
  const { members, admin: client, boardId, groupIds, path } = await createScene({ cards: 0 })
  for (const id of groupIds) await client.call(`${base}/groups/delete`, { id })
  const page = await openAs(t, members.admin, path)
  await page.getByRole('button', { name: 'Add “To do”, “Doing” and “Done”' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('textbox', { name: 'Title of the new group' }).fill('Later')
  await page.keyboard.press('Enter')
  await eventually(async () => {
    const { board } = await client.call(`${base}/boards/get`, { id: boardId })
    assert.deepEqual(
      board.groups.map(({ color }) => color),
      ['blue', 'violet', 'green', 'amber'],
    )
  })
})
