import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'

test('the first template is created from an empty page, another from a board, and a copy of it', async (t) => {
  const { projectId, boardId } = await createScene({ cards: 2 })
  await service.db.sql`update boards set icon = 'rocket' where project_id = ${projectId} and id = ${boardId}`
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, `/p/${projectId}/templates`)
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Launch')
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Before a site is seen')
  await page.getByRole('combobox', { name: 'Product' }).selectOption('website')
  await assertAccessible(page, 'new template')
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByRole('heading', { name: 'Launch' }).waitFor()

  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('row', { name: /Launch Website · Draft 0 0 In 0 of 0 projects –/ }).waitFor()
  await page.getByRole('button', { name: 'Create from board…' }).click()
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await page.getByRole('option', { name: 'Board' }).locator('[data-icon="rocket"]').waitFor()
  await assertAccessible(page, 'board for a template')
  await page.getByRole('option', { name: 'Board' }).click()
  await page.getByRole('textbox', { name: 'Template title' }).fill('Harvest')
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByRole('link', { name: 'Card 2' }).waitFor()
  await page.getByRole('button', { name: 'Actions for this template' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'Harvest (copy)' }).waitFor()
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('row', { name: /^Harvest \(copy\) All projects · Draft 3 2/ }).waitFor()
  await assertAccessible(page, 'templates')
})

test('a template with copies is deleted only after typing, and says that the copies stay', async (t) => {
  const { user, superadmin, boardId, projectIds, here, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const single = await createTemplateScene({ projects: 1 })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: single.boardId })
  const page = await openAs(t, user, `${here}/templates`)
  await page.getByRole('row', { name: /2 3 In 1 of 1 project All up to date/ }).waitFor()
  const row = page.getByRole('row', { name: new RegExp(`Launch ${tool.replace('-', ' ')}`, 'i') })
  await row.getByRole('button', { name: 'Actions for the template Launch' }).click()
  await page.getByRole('menuitem', { name: /Delete/ }).click()
  await page.getByText('Its copies stay in 3 projects as ordinary boards').waitFor()
  await assertAccessible(page, 'delete a template')
  const confirm = page.getByRole('button', { name: 'Delete template' })
  await confirm.click({ force: true })
  await superadmin.call(`${admin}/master-boards/get`, { id: boardId })
  await page.getByRole('textbox', { name: 'Type “delete” to confirm' }).fill('delete')
  await confirm.click()
  await row.waitFor({ state: 'detached' })
  await eventually(() =>
    assert.rejects(superadmin.call(`${admin}/master-boards/get`, { id: boardId }), /no template/),
  )
  const [kept] = await service.db.sql<{ count: number }[]>`
    select count(*) from boards where project_id = any(${projectIds}) and deleted_at is null`
  assert.equal(Number(kept?.count), 3)
})

test('on a phone the list has room for names, with the state of each below', async (t) => {
  const { user, superadmin, boardId, here } = await createTemplateScene()
  const title = 'Opening a new branch'
  await superadmin.call(`${admin}/master-boards/update`, { id: boardId, title })
  const page = await openAs(t, user, `${here}/templates`, { viewport: { width: 360, height: 740 } })
  const name = page.getByText(title, { exact: true })
  await name.waitFor()
  assert.ok(await name.evaluate((one) => one.scrollWidth <= one.clientWidth))
  const row = page.getByRole('row', { name: new RegExp(title) })
  assert.deepEqual(await row.getByRole('listitem').allTextContents(), ['3 not received yet'])
  const [box, state] = [await name.boundingBox(), await row.getByRole('listitem').boundingBox()]
  assert.ok(box && state && state.y > box.y + box.height)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360))
  await assertAccessible(page, 'templates on a phone')
})

test('other users see no link to templates, and a page that says who can open them', async (t) => {
  const { projectId, members } = await createScene({ cards: 0 })
  const page = await openAs(t, members.owner, `/p/${projectId}/boards`)
  await page.getByRole('link', { name: 'Trash' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /Templates|Rollouts/ }).count(), 0)
  for (const path of ['templates', 'templates/1', 'rollouts', 'rollouts/1']) {
    await page.goto(`/p/${projectId}/${path}`)
    await page.getByRole('heading', { name: 'Only superadmins can open this page' }).waitFor()
  }
  await assertAccessible(page, 'not for you')
  await page.getByRole('link', { name: 'Go to your project' }).click()
  await page.getByRole('link', { name: 'Board', exact: true }).first().waitFor()
})
