import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { countProjects } from '#fleet/counting.ts'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'

/** The columns that name cards, of the projects of the scene. */
async function downloadCards(page: Page, tool: string): Promise<string[][]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'Launch.csv')
  const [heads, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  assert.ok(heads?.endsWith('added_cards,updated_cards,moved_cards,removed_cards,kept_cards'))
  return rows.filter((row) => row.includes(tool)).map((row) => row.split(',').slice(-5))
}

/** Lets the plan that is shown expire, and plans it again. */
async function planAgain(page: Page) {
  await page.getByRole('button', { name: /^(Roll out to|Revert in) / }).waitFor()
  const expired = page.url()
  const id = Number(expired.split('/').at(-1))
  await service.db.sql`
    update rollouts set planned_at = now() - interval '25 hours' where id = ${id}`
  await page.reload()
  const box = await page.getByRole('button', { name: 'Plan again' }).boundingBox()
  if (!box) throw new Error('Plan again is not shown')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.up()
  await page.waitForURL((url) => /\/rollouts\/\d+$/.test(url.href) && url.href !== expired)
  // The second click of a slow double click must not apply or discard the new plan, whose actions are at that place.
  await page.getByRole('button', { name: /^(Roll out to|Revert in) / }).waitFor()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  const later = await service.db.sql`select from rollouts where id > ${id}`
  assert.equal(later.length, 1)
}

test('a rollout is planned, read card by card and project by project, applied, and reverted', async (t) => {
  const { user, superadmin, boardId, projectIds, groupIds, cardIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const [copy] = await service.db.sql<{ id: number }[]>`
    select id from cards where project_id = ${projectIds[0] as number} and master_card_id = ${cardIds[0] as number}`
  await superadmin.call(`${area}/cards/update`, { id: copy?.id as number, title: 'Own title' })
  await superadmin.call(`${admin}/master-cards/update`, { id: cardIds[0] as number, title: 'New title' })
  await superadmin.call(`${admin}/master-cards/move`, {
    id: cardIds[1] as number,
    group_id: groupIds[1] as number,
  })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId, note: 'Second' })
  const page = await openAs(t, user, '/operator/rollouts')
  await page.getByRole('link', { name: 'Plan rollout' }).click()
  await page.getByRole('combobox', { name: 'Template' }).selectOption(String(boardId))
  await page.getByText('Nothing changes until you apply it.').waitFor()
  await assertAccessible(page, 'plan rollout')
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page.getByText('“Launch” would change 3 projects').waitFor()
  const cards = page.getByRole('region', { name: 'What changes' })
  await cards
    .getByRole('row', { name: /New title/ })
    .getByText('Title: 2')
    .waitFor()
  await cards.getByText('Show difference').click()
  await cards.getByText('Card 1').waitFor()
  const projects = page.getByRole('region', { name: 'By project' })
  await projects.getByRole('searchbox', { name: 'Search projects' }).fill(`${tool} 1`)
  await projects.getByRole('row', { name: new RegExp(`${tool} 2`) }).waitFor({ state: 'detached' })
  await assertAccessible(page, 'plan')
  await projects.getByRole('button', { name: `Project ${tool} 1` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('kept title').waitFor()
  await assertAccessible(page, 'plan of a project')
  await dialog.getByRole('button', { name: 'Close' }).click()
  const [other] = await service.db.sql<{ id: number }[]>`
    select id from cards where project_id = ${projectIds[2] as number} and master_card_id = ${cardIds[0] as number}`
  await superadmin.call(`${area}/cards/update`, { id: other?.id as number, title: 'Late title' })
  await page.getByRole('button', { name: 'Roll out to 3 projects' }).click()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor()
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('')
  await page.getByText('1 card updated, 1 card moved').first().waitFor()
  const results = page.getByRole('table', { name: 'Projects' })
  await page.getByRole('button', { name: 'Differs from the plan 1' }).click()
  await results.getByRole('row', { name: new RegExp(`${tool} 2`) }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Changed 3' }).click()
  const second = results.getByRole('row', { name: new RegExp(`${tool} 2`) })
  await second.waitFor()
  assert.equal(await results.getByRole('row').count(), 4)
  await second.getByRole('button', { name: 'Show changes' }).click()
  await dialog.getByRole('listitem').filter({ hasText: 'New titleCard · Updated: title' }).waitFor()
  await dialog.getByRole('listitem').filter({ hasText: 'Card 2Card · Moved' }).waitFor()
  await assertAccessible(page, 'changes of a project')
  await dialog.getByRole('button', { name: 'Close' }).click()
  assert.deepEqual(await downloadCards(page, tool), [
    ['', '', 'Card 2', '', 'Own title (title)'],
    ['', 'New title (title)', 'Card 2', '', ''],
    ['', '', 'Card 2', '', 'Late title (title)'],
  ])
  await page.getByRole('link', { name: 'Plan revert' }).click()
  await page.getByText('It reverts “Launch” in 3 projects.').waitFor()
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('In stages')
  await page.getByRole('spinbutton', { name: 'Pause after failures (optional)' }).fill('2')
  await assertAccessible(page, 'plan revert')
  await page.getByRole('button', { name: 'Plan revert' }).click()
  await planAgain(page)
  await page.getByText('It reverts an earlier rollout').waitFor()
  await page.getByText('“Launch” would be reverted in 3 projects').waitFor()
  const stages = page.getByRole('region', { name: 'Stages' })
  await stages.getByText('Stage 2').waitFor()
  await page.getByRole('button', { name: 'Revert in 3 projects' }).click()
  await page.getByRole('button', { name: 'Start next stage' }).waitFor()
  await page.getByRole('button', { name: 'Cancel rollout' }).click()
  await page.getByText('Canceled “Launch” after 1 of 3 projects').waitFor()
  await page.getByRole('link', { name: 'an earlier rollout' }).click()
  await page.getByText('Projects reverted: 1. Left: 2.').waitFor()
  await page.getByRole('link', { name: 'Plan revert' }).click()
  await page.getByText('It reverts “Launch” in 2 projects.').waitFor()
  await page.getByRole('button', { name: 'Plan revert' }).click()
  await page.getByRole('button', { name: 'Revert in 2 projects' }).click()
  await page.getByText('Reverted “Launch” in 2 projects').waitFor()
  const titles = await service.db.sql<{ title: string }[]>`
    select title from cards where project_id in ${service.db.sql(projectIds)} and master_card_id = ${cardIds[0] as number} order by project_id`
  assert.deepEqual(
    titles.map(({ title }) => title),
    ['Own title', 'Card 1', 'Late title'],
  )
  await page.getByRole('link', { name: 'an earlier rollout' }).click()
  await page.getByText('It was reverted by').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Plan revert' }).count(), 0)
})

test('a rollout is planned for all projects that match the filter of the list, or for those that are selected', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene({ projects: 4 })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  await superadmin.call(`${admin}/projects/label`, { ids: projectIds.slice(0, 2), add: [tool] })
  const page = await openAs(t, user, `/operator/projects?label=${tool}`)
  await page.getByText('2 projects', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page.waitForURL('**/rollouts/new?*')
  const projects = page.getByRole('combobox', { name: 'Projects' })
  await projects.getByText('2 projects that match the filter').waitFor({ state: 'attached' })
  await page.getByText(`Label: ${tool}`).waitFor()
  await page.getByRole('combobox', { name: 'Template' }).selectOption(String(boardId))
  await assertAccessible(page, 'plan for a filter')
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page.getByText('“Launch” would change 2 projects').waitFor()
  const changes = page.getByRole('region', { name: 'What changes' })
  await changes.getByRole('row', { name: /^Launch Template/ }).waitFor()
  await changes.getByRole('row', { name: /^Card 1 Card/ }).waitFor()

  await page.goto(`/operator/projects?q=${tool}`)
  await page.getByRole('checkbox', { name: `Select Project ${tool} 2` }).check()
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await projects.getByText('1 selected project').waitFor({ state: 'attached' })
  await service.db.sql`
    insert into boards (project_id, title) select ${projectIds[1] as number}, 'Own' from generate_series(1, 200)`
  await page.getByRole('combobox', { name: 'Template' }).selectOption(String(boardId))
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page
    .getByText('This project has 200 boards, as many as a project can have. Ask its members')
    .waitFor()
})

test('a rollout in stages waits for a hand, is paused and resumed, and ends; another is discarded', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene({ projects: 12 })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  await superadmin.call(`${admin}/projects/create`, { name: 'Has it already', tool_keys: [tool] })
  await service.db.transaction((queries) => countProjects(queries, projectIds))
  const name = `Pilots of ${tool}`
  await superadmin.call(`${admin}/audiences/create`, { name, project_ids: projectIds.slice(0, 1) })
  const page = await openAs(t, user, `/operator/rollouts/new?template=${boardId}`)
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('yes')
  const first = page.getByRole('group', { name: 'Stage 1' })
  await first.getByRole('combobox', { name: 'Projects' }).selectOption(`Audience ${name}`)
  await assertAccessible(page, 'stages of a plan')
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  const stages = page.getByRole('region', { name: 'Stages' })
  await stages
    .getByRole('listitem')
    .filter({ hasText: /^Stage 1, Pilots of .*changes 1 project.*then waits until you start the next one$/ })
    .waitFor()
  await stages
    .getByRole('listitem')
    .filter({ hasText: /^Stage 2.*changes 11 projects$/ })
    .waitFor()
  await stages.getByText('1 project is in no stage, because nothing changes there.').waitFor()
  await assertAccessible(page, 'plan in stages')
  await planAgain(page)
  await stages
    .getByRole('listitem')
    .filter({ hasText: /^Stage 1, Pilots of .*changes 1 project/ })
    .waitFor()
  const plan = page.url()
  await page.goto(`/operator/templates/${boardId}`)
  await page.getByText('No rollout yet').waitFor()
  await page.goto(plan)
  await page
    .getByRole('region', { name: 'Summary' })
    .getByText(/^Tomorrow, /)
    .waitFor()
  await page.getByRole('button', { name: 'Roll out to 12 projects' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('Stage 1 changes 1 project. The stages after it follow as planned.').waitFor()
  await question.getByRole('textbox').fill('12')
  await question.getByRole('button', { name: 'Roll out to 12 projects' }).click()
  await page.getByText('The next stage begins when you start it.').waitFor()
  await stages.getByRole('progressbar', { name: 'Stage 1: 1 of 1 project' }).waitFor()
  await stages.getByRole('progressbar', { name: 'Stage 2: 0 of 11 projects' }).waitFor()
  await page.getByRole('button', { name: 'Download CSV' }).waitFor()
  await assertAccessible(page, 'waiting rollout')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused by hand. Once resumed, the next stage begins when you start it.').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Start next stage' }).click()
  await page.getByText('Rolled out “Launch” to 13 projects').waitFor()
  const added = ['"Card 1; Card 2; Card 3"', '', '', '', '']
  assert.deepEqual(await downloadCards(page, tool), Array(12).fill(added))

  await page.goto(`/operator/rollouts/new?template=${boardId}&projects=${projectIds.slice(0, 2).join('.')}`)
  await page
    .getByRole('combobox', { name: 'Projects' })
    .getByText('2 selected projects')
    .waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page.getByText('“Launch” would change 0 projects').waitFor()
  await page.getByRole('button', { name: 'Discard plan' }).click()
  await page.getByText('Plan discarded').waitFor()
  await page.waitForURL('**/operator/rollouts')
})

test('resuming says that it starts the next stage once the wait before it is over, and a plan names the waits', async (t) => {
  const { user, superadmin, boardId, projectIds } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const [first, second] = projectIds as [number, number]
  const { rollout } = await superadmin.call(`${admin}/rollouts/plan`, {
    board_id: boardId,
    stages: [{ projects: [first], wait_minutes: 4320 }, { projects: [second] }, {}],
  })
  const page = await openAs(t, user, `/operator/rollouts/${rollout.id}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByText(/, plus 3 days between stages and the time until you start the others$/).waitFor()
  await page.getByRole('button', { name: 'Roll out to 3 projects' }).click()
  // The wait begins when the stage has ended, and until then its end is not known.
  await page.getByText(/^The next stage begins /).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/^Paused by hand\. Once resumed, the next stage begins \w+, .+\.$/).waitFor()
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor()
  await service.db
    .sql`update rollouts set next_stage_at = now() - interval '1 minute' where id = ${rollout.id}`
  await page.reload()
  await page.getByText('The wait before stage 2 is over: resuming starts it in 1 project.').waitFor()
  await assertAccessible(page, 'paused rollout whose next stage is due')
  await page.getByRole('button', { name: 'Resume and start stage 2' }).click()
  await page.getByRole('progressbar', { name: 'Stage 2: 1 of 1 project' }).waitFor()
  await page.getByRole('button', { name: 'Start next stage' }).waitFor()

  await service.db.sql`update rollouts set revision = 0 where id = ${rollout.id}`
  await page.reload()
  await page.getByText(/^Template · no version, started by/).waitFor()
  await page.goto(`/operator/rollouts`)
  await page.getByText(/^Template · no version · /).waitFor()
})

test('a rollout that failures paused at the end of a stage says when the next one begins once it is resumed', async (t) => {
  const { user, superadmin, boardId, projectIds } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const [first, second] = projectIds as [number, number]
  await service.db.sql`
    insert into boards (project_id, title) select ${first}, 'Own' from generate_series(1, 200)`
  const paused = async (wait_minutes: number) => {
    const { rollout } = await superadmin.call(`${admin}/rollouts/plan`, {
      board_id: boardId,
      project_ids: [first, second],
      stages: [{ projects: [first], wait_minutes }, {}],
      stop_after_failures: 1,
    })
    await eventually(() => superadmin.call(`${admin}/rollouts/apply`, { id: rollout.id }))
    return `/operator/rollouts/${rollout.id}`
  }
  const page = await openAs(t, user, await paused(120))
  await page
    .getByText(
      'Paused automatically: it failed in 1 project. Once resumed, the next stage begins 2 hours later.',
    )
    .waitFor()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.getByText(/^The next stage begins (today|tomorrow), /).waitFor()
  await page.getByRole('button', { name: 'Cancel rollout' }).click()
  await page.goto(await paused(0))
  await page.getByText('There is no wait before stage 2: resuming starts it in 1 project.').waitFor()
  await page.getByRole('button', { name: 'Resume and start stage 2' }).click()
  await page.getByText('Rolled out “Launch”, but it failed in 1 project').waitFor()
})

test('a rollout that customers undid says which projects those are', async (t) => {
  const { user, superadmin, boardId, projectIds, cardIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const [first, second] = projectIds as [number, number]
  const { rollout } = await superadmin.call(`${admin}/rollouts/plan`, {
    ...{ board_id: boardId, stages: [{ projects: [first, second] }, {}], stop_after_undone: 1 },
  })
  await eventually(() => superadmin.call(`${admin}/rollouts/apply`, { id: rollout.id }))
  const page = await openAs(t, user, `/operator/rollouts/${rollout.id}`)
  await page.getByText('The next stage begins when you start it.').waitFor()
  const member = await service.addUser({ roles: { [second]: 'admin' } })
  const [copy] = await service.db.sql<{ id: number }[]>`
    select id from cards where project_id = ${second} and master_card_id = ${cardIds[0] as number}`
  await service.client(member.token).call(`${area}/cards/delete`, { id: copy?.id as number })
  await page.getByText('Paused automatically: too many projects undid it.').waitFor()
  await page.getByRole('link', { name: 'Show these projects' }).click()
  const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row')
  await eventually(async () => assert.equal(await rows.count(), 2))
  await rows.getByText(`Project ${tool} 2`).waitFor()
  await page.getByRole('button', { name: 'Undid it', pressed: true }).waitFor()
  await assertAccessible(page, 'projects that undid a rollout')
})

test('the first stage has projects that are picked by name and id, in a rollout and in its revert', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene({ projects: 4 })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  await service.addProject(`Project ${tool} elsewhere`)
  await service.db.transaction((queries) => countProjects(queries, projectIds))
  const [first, second] = projectIds as [number, number]
  const page = await openAs(t, user, `/operator/rollouts/new?template=${boardId}`)
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('yes')
  const stage = page.getByRole('group', { name: 'Stage 1' })
  await stage.getByRole('combobox', { name: 'Projects' }).selectOption('Projects that I pick')
  const plan = page.getByRole('button', { name: 'Plan rollout' })
  await plan.and(page.locator('[aria-description="Pick at least one project for stage 1."]')).waitFor()
  await stage.getByRole('button', { name: 'Add projects' }).click()
  const search = page.getByRole('combobox', { name: 'Search by name or id' })
  await search.fill(`Project ${tool} `)
  const options = page.getByRole('option')
  await page.getByText('4 matches').waitFor({ state: 'attached' })
  await options.filter({ hasText: `Project ${tool} 1` }).click()
  await search.fill(String(second))
  await options.filter({ hasText: `Project ${tool} 2` }).click()
  await search.fill(`Project ${tool} 3`)
  await options.filter({ hasText: `Project ${tool} 3` }).click()
  await page.keyboard.press('Escape')
  await stage.getByText('3 projects picked, of at most 1,000').waitFor()
  await assertAccessible(page, 'picked projects of a stage')
  await stage.getByRole('button', { name: `Remove Project ${tool} 3` }).click()
  await stage.getByText('2 projects picked, of at most 1,000').waitFor()
  await plan.click()
  const stages = page.getByRole('region', { name: 'Stages' }).getByRole('listitem')
  await stages.filter({ hasText: /^Stage 1, picked projectschanges 2 projects/ }).waitFor()
  await stages.filter({ hasText: /^Stage 2changes 2 projects$/ }).waitFor()
  const id = Number(page.url().split('/').at(-1))
  const { request } = await superadmin.call(`${admin}/rollouts/get`, { id })
  assert.deepEqual(request?.stages?.[0]?.projects, [first, second])
  await page.getByRole('button', { name: 'Roll out to 4 projects' }).click()
  await page.getByRole('button', { name: 'Start next stage' }).click()
  await page.getByText('Rolled out “Launch” to 4 projects').waitFor()

  await page.getByRole('link', { name: 'Plan revert' }).click()
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('yes')
  await stage.getByRole('combobox', { name: 'Projects' }).selectOption('Projects that I pick')
  await stage.getByRole('button', { name: 'Add projects' }).click()
  await search.fill(`${tool} 4`)
  await options.filter({ hasText: `Project ${tool} 4` }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Plan revert' }).click()
  await stages.filter({ hasText: /^Stage 1, picked projectschanges 1 project/ }).waitFor()
})

test('a later start and thresholds are shown, and can be overruled by hand; a double click plans once', async (t) => {
  const { user, superadmin, boardId, cardIds, path, stored } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const page = await openAs(t, user, `${path}/cards/${cardIds[2]}/delete`, { expected: /422/ })
  const start = page.getByLabel('Start (optional)')
  const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:30`
  await start.fill(tomorrow)
  await page.getByRole('button', { name: 'Plan deletion' }).click()
  await page.getByRole('button', { name: 'Delete from the template' }).click()
  await page.getByRole('main').getByText('Card 3: Starts tomorrow, 9:30').waitFor()
  await page.getByText('The card stays in the template until the rollout starts').waitFor()
  assert.deepEqual(await stored(), { Before: ['Card 1', 'Card 2', 'Card 3'], After: [] })
  await page.getByRole('button', { name: 'Start now' }).click()
  await page.getByText('No projects to delete “Card 3” from').waitFor()
  assert.deepEqual(await stored(), { Before: ['Card 1', 'Card 2'], After: [] })

  await page.goto(`/operator/rollouts/new?template=${boardId}`)
  await start.fill('2020-01-01T09:30')
  await page.getByRole('button', { name: 'Plan rollout' }).click()
  await page.getByText('The start must be in the future.').waitFor()
  await start.fill(tomorrow)
  await page.getByRole('spinbutton', { name: 'Pause after failures (optional)' }).fill('3')
  await page.getByRole('spinbutton', { name: 'Pause when undone (optional)' }).fill('1')
  await page.getByRole('button', { name: 'Plan rollout' }).dblclick()
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByText('“Launch” would change 3 projects').waitFor()
  assert.equal(await summary.getByText('0 cards', { exact: true }).count(), 0)
  const thresholds = /Pause after failures3 projects.*Pause when undone1 project/
  await summary
    .filter({ hasText: /StartTomorrow, 9:30/ })
    .filter({ hasText: thresholds })
    .waitFor()
  const [plans] = await service.db.sql<{ count: number }[]>`
    select count(*) from rollouts where board_id = ${boardId} and status in ('planning', 'planned')`
  assert.equal(Number(plans?.count), 1)
  await page.getByRole('button', { name: 'Roll out to 3 projects' }).click()
  const waiting = summary.getByText(/Launch: Starts tomorrow, 9:30/)
  await waiting.waitFor()
  await summary.filter({ hasText: thresholds }).waitFor()
  await assertAccessible(page, 'rollout before its start')
  const width = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const label = await page.getByText('Start now', { exact: true }).boundingBox()
  assert.ok(label && label.width > 40, JSON.stringify(label))
  if (width) await page.setViewportSize(width)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused by hand.').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await waiting.waitFor()
  await page.getByRole('button', { name: 'Start now' }).click()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor()
})
