// Platforms are shown only where there are several.
import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { addPlatform } from '#projects/platform.ts'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'
const sections = '.menu-section'

test('with one platform nothing names it; with two the switcher, the templates, a new template and its settings do', async (t) => {
  const { projectId } = await createScene({ cards: 1 })
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, `/p/${projectId}/templates`)
  const switcher = page.locator('.project-switcher')
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Platform' }).count(), 0)
  await page.keyboard.press('Escape')
  await switcher.click()
  await page.getByRole('option').first().waitFor()
  assert.equal(await page.locator(sections).count(), 0)

  const platformId = (await addPlatform(service.db, 'Nordwind')) as number
  const elm = await service.addProject('Elm', [], platformId)
  await page.reload()
  await switcher.click()
  await page.locator(sections).nth(1).waitFor()
  assert.deepEqual(await page.locator(sections).allTextContents(), ['Cardinal', 'Nordwind'])
  await assertAccessible(page, 'switcher with platforms')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Store opening')
  const choice = page.getByRole('combobox', { name: 'Platform' })
  assert.equal(await choice.inputValue(), '1')
  await choice.selectOption('Nordwind')
  await assertAccessible(page, 'new template with platforms')
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByRole('heading', { name: 'Store opening' }).waitFor()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.locator('dt:text-is("Platform") + dd').getByText('Nordwind').waitFor()
  assert.equal(await page.title(), 'Settings · Store opening · Cardinal')
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('row', { name: /Store opening All projects · Nordwind/ }).waitFor()
  const [made] = await service.db.sql<{ platform_id: number }[]>`select platform_id from master_boards`
  assert.equal(made?.platform_id, platformId)

  const ofNordwind = await service.addUser({ superadmin: true, platformId })
  const theirs = await openAs(t, ofNordwind, `/p/${elm}/templates`)
  await theirs.getByRole('row', { name: /Store opening All projects · Draft 0 0/ }).waitFor()
  await theirs.locator('.project-switcher').click()
  await theirs.getByRole('option').first().waitFor()
  assert.deepEqual(await theirs.getByRole('option').allTextContents(), ['Elm'])
  assert.equal(await theirs.locator(sections).count(), 0)
})

test('a superadmin of another platform is offered what their role in the project allows', async (t) => {
  const { projectId } = await createScene({ cards: 1 })
  const platformId = (await addPlatform(service.db, 'Südwind')) as number
  const roles = { [projectId]: 'viewer' } as const
  const user = await service.addUser({ superadmin: true, platformId, roles })
  const superadmin = await service.addUser({ superadmin: true })
  const offered = await openAs(t, superadmin, `/p/${projectId}/subscription`)
  await offered.getByRole('button', { name: /trial/ }).first().waitFor()
  const page = await openAs(t, user, `/p/${projectId}/subscription`)
  await page.getByRole('heading', { name: 'Website' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /trial/ }).count(), 0)
})

test('a superadmin of all chooses the platform of a new project', async (t) => {
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, '/operator/projects')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Project name' }).fill('Fir')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Platform' }).selectOption('Nordwind')
  await assertAccessible(page, 'new project with platforms')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Fir', level: 1 }).waitFor()
  const [made] = await service.db.sql<{ name: string }[]>`
    select t.name from projects p join platforms t on t.id = p.platform_id where p.name = 'Fir'`
  assert.equal(made?.name, 'Nordwind')
})

test('what is selected across platforms is planned and saved for the platform of the template', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene({ projects: 2 })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const platformId = (await addPlatform(service.db, 'Ostwind')) as number
  const oak = await service.addProject(`Oak ${tool}`, [], platformId)
  await service.db.transaction((queries) => countProjects(queries, [...projectIds, oak]))
  const page = await openAs(t, user, `/operator/projects?q=${tool}`)
  await page.getByRole('row', { name: new RegExp(`Oak ${tool}.*Ostwind`) }).waitFor()
  await page
    .getByRole('row', { name: `Project ${tool} 1` })
    .filter({ hasNotText: 'Cardinal' })
    .waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Platform' }).selectOption('Ostwind')
  await page.getByText('1 project', { exact: true }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('platform'), String(platformId))
  await assertAccessible(page, 'projects with platforms')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove the filter Platform: Ostwind' }).click()
  await page.getByText('3 projects', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all in the list' }).check()
  const leftOut = page.getByText('1 project is on another platform and is left out.')
  await page.getByRole('button', { name: 'Save as audience…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Both of ${tool}`)
  await leftOut.waitFor()
  await page.getByRole('dialog').getByText('2 projects match').waitFor()
  await page.getByRole('button', { name: 'Save audience' }).click()
  await page.getByText('Audience saved').waitFor()
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page.getByRole('combobox', { name: 'Template' }).selectOption(String(boardId))
  await page
    .getByRole('combobox', { name: 'Projects' })
    .getByText('2 selected projects')
    .waitFor({ state: 'attached' })
  await leftOut.waitFor()
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page.getByText('“Launch” would change 2 projects').waitFor()
})
