import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'

test('customized fields of a template lead to the projects that customized them, with both values', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const count = () => service.db.transaction((queries) => countProjects(queries, projectIds))
  await count()
  const page = await openAs(t, user, `/operator/templates/${boardId}`)
  await page.getByRole('link', { name: 'Customized' }).click()
  await page.getByRole('heading', { name: 'Nothing is customized' }).waitFor()
  await assertAccessible(page, 'nothing is customized')
  for (const project of projectIds.slice(0, 2)) {
    const [copy] = await service.db.sql<{ id: number }[]>`
      select id from cards where project_id = ${project} order by id limit 1`
    await superadmin.call(`${area}/cards/update`, { id: copy?.id as number, title: `Own ${project}` })
  }
  await count()
  await page.reload()
  const field = page.getByRole('link', { name: 'Title 2 · Card 1' })
  await field.waitFor()
  await assertAccessible(page, 'customized fields')
  await field.click()
  await page.getByRole('heading', { name: 'Title of “Card 1”' }).waitFor()
  await page.getByRole('row', { name: `Project ${tool} 1 Own ${projectIds[0]} Card 1` }).waitFor()
  await page.getByRole('checkbox', { name: `Select Project ${tool} 2` }).check()
  await page.getByText('1 project selected').waitFor()
  assert.match(new URL(page.url()).search, /field=title/)
  await assertAccessible(page, 'projects that customized a field')
  await page.getByRole('link', { name: 'All customized cards' }).click()
  await field.click()
  await page.getByRole('checkbox', { name: `Select Project ${tool} 2` }).check()
  await page.getByRole('button', { name: 'Reset title in 1 project' }).click()
  await page.getByRole('button', { name: 'Reset in 1 project' }).click()
  await page.getByText('Reset “Card 1” in 1 project').waitFor()
  const titles = await service.db.sql<{ title: string }[]>`
    select title from cards where project_id in ${service.db.sql(projectIds)} and rank = (
      select min(rank) from cards where project_id = ${projectIds[0] as number}) order by project_id`
  assert.deepEqual(
    titles.map(({ title }) => title),
    [`Own ${projectIds[0]}`, 'Card 1', 'Card 1'],
  )
})

test('all that customized a field are selected, up to as many as a reset reaches; nothing is selected of what only projects decide', async (t) => {
  const { user, superadmin, boardId, projectIds, cardIds, tool } = await createTemplateScene({ projects: 3 })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const [first] = projectIds as [number]
  const { sql } = service.db
  await sql`
    update cards set title = 'Own' where project_id in ${sql(projectIds)} and master_card_id = ${cardIds[0] as number}`
  const [copy] = await sql<{ id: number }[]>`
    select id from cards where project_id = ${first} and master_card_id = ${cardIds[1] as number}`
  await superadmin.call(`${area}/cards/stop-updates`, { id: copy?.id as number })
  await service.db.transaction((queries) => countProjects(queries, projectIds))
  const list = `/operator/templates/${boardId}/customized`
  const page = await openAs(t, user, `${list}?card=${cardIds[0]}&field=title`)
  const box = (number: number) => page.getByRole('checkbox', { name: `Select Project ${tool} ${number}` })
  await box(3).click()
  await box(2).click({ modifiers: ['Shift'] })
  await page.getByText('2 projects selected').waitFor()
  await box(3).click({ modifiers: ['Shift'] })
  await page.getByText('0 projects selected').waitFor()
  await page.getByRole('button', { name: 'Select all 3' }).click()
  await page.getByRole('button', { name: 'Reset title in 3 projects' }).click()
  await page.getByText('“Card 1” would be reset in 3 projects').waitFor()

  await page.goto(`${list}?card=${cardIds[1]}&field=takes_updates`)
  await page
    .getByRole('row', { name: new RegExp(`^Project ${tool} 1 Stopped by User \\d+, just now$`) })
    .waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await assertAccessible(page, 'projects that stopped the updates of a card')
  await page.goto(`/operator/projects/${first}`)
  await page
    .getByRole('region', { name: 'Customized cards' })
    .getByText(/^Stopped by User \d+, just now$/)
    .waitFor()
})

test('of more projects than a reset reaches the first are selected, and the others stay for the next one', async (t) => {
  const { user, superadmin, boardId, projectIds, cardIds } = await createTemplateScene({ projects: 1003 })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await service.db.sql`
    update cards set title = 'Own' where project_id = any(${projectIds}::bigint[]) and master_card_id = ${cardIds[0] as number}`
  await service.db.transaction((queries) => countProjects(queries, projectIds))
  const page = await openAs(
    t,
    user,
    `/operator/templates/${boardId}/customized?card=${cardIds[0]}&field=title`,
  )
  await page.getByRole('button', { name: 'Select the first 1,000' }).click()
  await page.getByText('A reset reaches at most 1,000 projects.').waitFor()
  await page.getByText('1,000 projects selected').waitFor()
  await assertAccessible(page, 'as many customized projects as a reset reaches')
  await page.getByRole('button', { name: 'Reset title in 1,000 projects' }).click()
  await page.getByText('“Card 1” would be reset in 1,000 projects').waitFor()
})
