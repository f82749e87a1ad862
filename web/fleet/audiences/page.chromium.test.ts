import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'

const count = (ids: readonly number[]) => service.db.transaction((queries) => countProjects(queries, ids))

test('a filter of the list is saved as an audience, edited, opened in the list, deleted and restored', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await count(projectIds)
  await superadmin.call(`${admin}/projects/label`, { ids: projectIds.slice(0, 2), add: [`early ${tool}`] })
  const page = await openAs(t, user, '/operator/projects')
  await page.getByRole('link', { name: 'Audiences' }).click()
  await page.getByRole('heading', { name: 'No audiences yet' }).waitFor()
  await assertAccessible(page, 'no audiences')
  await page.getByRole('link', { name: 'Go to projects' }).click()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Label' }).selectOption(`early ${tool}`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save as audience…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New audience' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Early ones')
  await dialog.getByText('2 projects match').waitFor()
  await assertAccessible(page, 'new audience')
  await dialog.getByRole('button', { name: 'Save audience' }).click()
  await page.getByText('Audience saved').waitFor()

  await page.getByRole('link', { name: 'Audiences' }).click()
  const row = page.getByRole('row', { name: /Early ones/ })
  await row.getByText(`Label: early ${tool}`).waitFor()
  await row.getByRole('cell', { name: '2', exact: true }).waitFor()
  await assertAccessible(page, 'audiences')
  await page.getByRole('button', { name: 'Actions for the audience Early ones' }).click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit audience' })
  await edit.getByRole('combobox', { name: 'Label' }).selectOption('')
  await edit.getByRole('combobox', { name: 'Template', exact: true }).selectOption(String(boardId))
  await edit.getByText('3 projects match').waitFor()
  await edit.getByRole('combobox', { name: 'Projects that' }).selectOption('present')
  await edit.getByRole('combobox', { name: 'Version' }).waitFor({ state: 'detached' })
  await edit.getByText('3 projects match').waitFor()
  await edit.getByRole('combobox', { name: 'Projects that' }).selectOption('older')
  await edit.getByText('0 projects match').waitFor()
  await edit.getByRole('combobox', { name: 'Projects that' }).selectOption('')
  await edit.getByRole('button', { name: 'Save audience' }).click()
  await row.getByText('On the newest version of “Launch”').waitFor()
  await row.getByRole('cell', { name: '3', exact: true }).waitFor()

  await row.getByRole('link', { name: 'Early ones' }).click()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('template'), String(boardId))
  await page.getByText('3 projects', { exact: true }).waitFor()

  await page.goto('/operator/projects/audiences')
  await page.getByRole('button', { name: 'Actions for the audience Early ones' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No audiences yet' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByText('On the newest version of “Launch”').waitFor()
  await service.db.sql`delete from audiences`
})

test('selected projects are saved as an audience; a name that is taken is said at the field', async (t) => {
  const { user, superadmin, projectIds, tool } = await createTemplateScene()
  await count(projectIds)
  await superadmin.call(`${admin}/audiences/create`, { name: 'Taken' })
  const page = await openAs(t, user, `/operator/projects?q=${tool}`, { expected: /422/ })
  for (const number of [1, 3])
    await page.getByRole('checkbox', { name: `Select Project ${tool} ${number}` }).check()
  await page.getByRole('button', { name: 'Save as audience…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('taken')
  await dialog.getByRole('button', { name: 'Save audience' }).click()
  await dialog.getByText('The name has already been taken.').first().waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Picked')
  await dialog.getByRole('button', { name: 'Save audience' }).click()
  await page.getByText('Audience saved').waitFor()
  await page.goto('/operator/projects/audiences')
  await page.getByRole('link', { name: 'Picked' }).click()
  const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row').filter({ hasText: tool })
  await eventually(async () => assert.equal(await rows.count(), 2))
  await service.db.sql`delete from audiences`
})
