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
