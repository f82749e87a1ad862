// The operator's area in a real browser: the first screen, the list of projects, a project, a template's progress.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { countProjects } from '#fleet/counting.ts'
import { addPlatform } from '#projects/platform.ts'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { password } from '#tests/service.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'

const count = (ids: readonly number[]) => service.db.transaction((queries) => countProjects(queries, ids))

test('a superadmin starts in the overview, moves between the operator’s pages and into a project and back', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await count(projectIds)
  const page = await openAs(t, user, '/')
  await page.waitForURL('**/operator')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Projects', exact: true }).waitFor()
  await page.getByText('No rollout is running').waitFor()
  await assertAccessible(page, 'overview')
  for (const name of ['Projects', 'Templates', 'Rollouts', 'Themes', 'Subscriptions', 'Audit']) {
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
    await link.click()
    await page
      .getByRole('heading', { level: 1 })
      .getByText(new RegExp(`^${name}`))
      .waitFor()
    assert.equal(await link.getAttribute('aria-current'), 'page')
  }
  await page.getByRole('button', { name: 'All projects' }).click()
  await page.getByRole('combobox', { name: 'Switch to a project' }).fill(`${tool} 2`)
  await page.getByRole('option', { name: `Project ${tool} 2` }).click()
  await page.getByRole('heading', { name: `Open Project ${tool} 2 as support` }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/p/${projectIds[1]}/home`)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('the switcher reaches every project that matches, waits for what was typed, and says only then that nothing matches', async (t) => {
  const name = 'Alike of the switcher'
  const ids: number[] = []
  for (let number = 1; number <= 60; number++) ids.push(await service.addProject(`${name} ${number}`))
  const wanted = await service.addProject(name)
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, '/operator')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.route('**/projects/list', async (route) => {
    await sleep(300)
    await route.continue()
  })
  await page.evaluate(`
    new MutationObserver(() => {
      if (document.querySelector('.picker-empty')) document.body.dataset.saidEmpty = 'true'
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] })`)
  const saidEmpty = () => page.locator('body').getAttribute('data-said-empty')
  await page.getByRole('button', { name: 'All projects' }).click()
  const search = page.getByRole('combobox', { name: 'Switch to a project' })
  await search.fill(name)
  await page.getByRole('option', { name: `${name} 1`, exact: true }).waitFor()
  assert.equal(await page.getByRole('option').count(), 50)
  // By the keyboard, which scrolls the list.
  for (let step = 1; step < 50; step++) await search.press('ArrowDown')
  await page.getByRole('option', { name, exact: true }).waitFor()
  assert.equal(await page.getByRole('option').count(), 61)
  await page.getByText('More projects match.').waitFor({ state: 'detached' })
  await assertAccessible(page, 'switcher with many projects')
  assert.equal(await saidEmpty(), null)
  await search.fill('no such project')
  await page.getByRole('status').getByText('Nothing matches “no such project”.').waitFor()
  await search.fill(`${name} 60`)
  await search.press('Enter')
  await page.waitForURL(`**/p/${ids.at(-1)}/home`)
  assert.ok(wanted > (ids.at(-1) as number))
})

test('the account in the operator’s area has every section except the tour of a project', async (t) => {
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, '/operator/account')
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
  await page.getByText('This session').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Getting started' }).count(), 0)
})

test('projects are searched, filtered, sorted and labeled; the address keeps what is shown', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const [copy] = await service.db.sql<{ id: number }[]>`
    select id from cards where project_id = ${projectIds[2] as number} order by id limit 1`
  await superadmin.call(`${area}/cards/update`, { id: copy?.id as number, status: 'closed' })
  await count(projectIds)
  const page = await openAs(t, user, '/operator/projects')
  const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row').filter({ hasText: tool })
  await rows.nth(2).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill(`${tool} 3`)
  await eventually(async () => assert.equal(await rows.count(), 1))
  await rows.getByText('1 of 3', { exact: true }).waitFor()
  await rows.getByText('Launch, version 1: 1 of 3 cards done').waitFor({ state: 'attached' })
  assert.match(new URL(page.url()).search, new RegExp(`q=${tool}`))
  await page.getByRole('searchbox', { name: 'Search' }).fill(tool)
  await rows.nth(2).waitFor()
  await page.getByRole('button', { name: 'Progress' }).click()
  await page
    .getByRole('columnheader', { name: 'Progress' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor()
  await page.getByRole('button', { name: 'Progress' }).click()
  await page
    .getByRole('columnheader', { name: 'Progress' })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor()
  await rows.first().getByText(`${tool} 3`).waitFor()
  await page.reload()
  await rows.first().getByText(`${tool} 3`).waitFor()
  await assertAccessible(page, 'projects')

  const box = (index: number) => rows.nth(index).getByRole('checkbox')
  await box(0).click()
  await box(2).click({ modifiers: ['Shift'] })
  await page.getByText('3 projects selected').waitFor()
  await box(1).click()
  await page.getByText('2 projects selected').waitFor()
  await page.getByRole('button', { name: 'Labels…' }).click()
  const changing = page.getByRole('button', { name: 'Change labels' })
  await page.getByRole('combobox', { name: 'Add labels' }).fill('x'.repeat(51))
  await changing.and(page.locator('[aria-disabled=true]')).waitFor()
  await page.getByRole('combobox', { name: 'Add labels' }).fill('Pilot, North')
  await assertAccessible(page, 'labels of projects')
  await changing.click()
  await page.getByText('Changed labels of 2 projects').waitFor()
  await page.getByRole('button', { name: 'End selection' }).click()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const fields = page.getByRole('dialog', { name: 'Filter projects' })
  await fields.getByRole('combobox', { name: 'Label' }).selectOption('pilot')
  await eventually(async () => assert.equal(await rows.count(), 2))
  await fields.getByRole('combobox', { name: 'Template', exact: true }).selectOption(String(boardId))
  await fields.getByRole('combobox', { name: 'Projects that' }).selectOption('missing')
  await page.getByRole('heading', { name: 'No projects match' }).waitFor()
  await assertAccessible(page, 'filters of projects')
  await page.keyboard.press('Escape')
  const chips = page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem')
  assert.deepEqual(await chips.allTextContents(), ['Label: pilot', 'Without “Launch”'])
  await page.getByRole('button', { name: 'Remove the filter Without “Launch”' }).click()
  await eventually(async () => assert.equal(await rows.count(), 2))
  assert.deepEqual([...new URL(page.url()).searchParams.keys()], ['q', 'sort', 'order', 'label'])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rows.nth(2).waitFor()
  assert.equal(await chips.count(), 0)
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like this')
  await page.getByRole('heading', { name: 'No projects match' }).waitFor()
  await assertAccessible(page, 'no projects match')
})

test('undo gives each project the labels back that it had', async (t) => {
  const { user, superadmin, projectIds, tool } = await createTemplateScene()
  const [first, second] = projectIds as [number, number]
  await count(projectIds)
  await superadmin.call(`${admin}/projects/label`, { ids: [first, second], add: ['old'] })
  await superadmin.call(`${admin}/projects/label`, { ids: [first], add: ['new'] })
  const labels = async () => {
    const { projects } = await superadmin.call(`${admin}/projects/list`, { query: tool })
    return projects.map((project) => project.labels)
  }
  const before = await labels()
  assert.deepEqual(before, [['new', 'old'], ['old'], []])
  const page = await openAs(t, user, `/operator/projects?q=${tool}`)
  await page.getByRole('checkbox', { name: 'Select all in the list' }).click()
  await page.getByRole('button', { name: 'Labels…' }).click()
  await page.getByRole('combobox', { name: 'Add labels' }).fill('New')
  await page.getByRole('checkbox', { name: /^old / }).check()
  await page.getByRole('button', { name: 'Change labels' }).click()
  await page.getByText('Changed labels of 3 projects').waitFor()
  assert.deepEqual(await labels(), [['new'], ['new'], ['new']])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => assert.deepEqual(await labels(), before))
  await page.getByRole('row', { name: new RegExp(`${tool} 2 .*old`) }).waitFor()
})

test('the list of projects needs no sideways scrolling, on laptops and on a phone, and its filters one row', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/update`, { id: boardId, title: 'Launch of the new website' })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await service.db.sql`
    insert into subscriptions (project_id, product, status, plan, trial_ends_at)
    values (${projectIds[0] as number}, 'website', 'past_due', 'business', now())`
  await count(projectIds)
  await service.db.sql`
    update project_figures set cards = 1200, done = 1100 where project_id = ${projectIds[0] as number}`
  const page = await openAs(t, user, `/operator/projects?q=${tool}&created=7&status=past_due`)
  const list = page.locator('.fleet-scroller')
  await list.getByText('Payment overdue').waitFor()
  const progress = await list.getByText('1,100 of 1,200').boundingBox()
  const next = await page.getByRole('columnheader', { name: 'Templates' }).boundingBox()
  assert.ok(
    progress && next && progress.x + progress.width <= next.x + 8,
    'the numbers cover the next column',
  )
  const bars = await list
    .locator('.progress-track')
    .evaluateAll((tracks) => tracks.map((track) => track.getBoundingClientRect().width))
  assert.ok(bars.length === 1 && Number(bars[0]) > 0, bars.join(' '))
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    const [all, shown] = await list.evaluate((element) => [element.scrollWidth, element.clientWidth])
    assert.ok(all !== undefined && shown !== undefined && all <= shown, `${all} in ${shown}`)
    const lines = await list
      .locator('.fleet-template')
      .evaluateAll((templates) => templates.map((template) => template.clientHeight))
    assert.ok(lines.length === 1 && Number(lines[0]) < 20, lines.join(' '))
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  const heightOf = async (name: string) =>
    (await page.getByRole('search', { name }).boundingBox())?.height ?? Number.POSITIVE_INFINITY
  assert.ok((await heightOf('Filter projects')) < 48)
})

test('a long list draws only the rows in sight, and loads the others while it is scrolled', async (t) => {
  const { sql } = service.db
  const made = await sql<{ id: number }[]>`
    insert into projects (platform_id, name) select 1, 'Many ' || lpad(number::text, 3, '0') from generate_series(1, 250) number
    returning id`
  await count(made.map(({ id }) => id))
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, '/operator/projects?q=many')
  await page.getByText('250 projects').waitFor()
  const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row')
  await rows.getByText('Many 001').waitFor()
  assert.ok((await rows.count()) < 60)
  const scroller = page.locator('.fleet-scroller')
  await eventually(async () => {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    assert.equal(await rows.getByText('Many 250').count(), 1)
  }, 20_000)
  assert.ok((await rows.count()) < 60)

  // All that match, whether they are loaded or not, and those that the list no longer shows.
  await page.reload()
  await page.getByRole('checkbox', { name: 'Select Many 001' }).check()
  await page.getByRole('button', { name: 'Select all 250' }).click()
  await page.getByText('250 projects selected').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('many 249')
  await rows.getByText('Many 001').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Labels…' }).click()
  await page.getByRole('heading', { name: 'Labels of 250 projects' }).waitFor()
  await page.getByRole('combobox', { name: 'Add labels' }).fill('many')
  await page.getByRole('button', { name: 'Change labels' }).click()
  await page.getByText('Changed labels of 250 projects').waitFor()
  const labeled = await sql`select from project_labels where label = 'many'`
  assert.equal(labeled.length, 250)
})

test('a new project shows the templates it will receive, and its page says how it stands', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene({ projects: 1 })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await service.db.sql`update master_boards set tool_key = 'website' where id = ${boardId}`
  const page = await openAs(t, user, '/operator/projects')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Project name' }).fill('Fresh start')
  const preview = page.getByRole('region', { name: 'Templates it will receive' })
  assert.equal(await preview.getByText('3 cards').count(), 0)
  await page.getByRole('checkbox', { name: 'Website' }).check()
  await preview.getByText('3 cards').waitFor()
  await page.getByRole('combobox', { name: 'Labels (optional)' }).fill('fresh')
  await assertAccessible(page, 'new project')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Fresh start', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Progress' }).getByText('0 of 3').waitFor()
  await page.getByText('No members yet.').waitFor()
  await page.getByText('Last activity: None yet').waitFor()
  await page.getByText('0 template cards are overdue · 0 are customized').waitFor()
  await page.getByText('fresh', { exact: true }).waitFor()
  await assertAccessible(page, 'project')

  const [copy] = await service.db.sql<{ id: number }[]>`
    select id from cards where project_id = ${projectIds[0] as number} order by id limit 1`
  await superadmin.call(`${area}/cards/update`, {
    id: copy?.id as number,
    title: 'In our words',
    description: '<p>Ask <strong>Mara</strong> first</p>',
    priority: 'high',
  })
  await count(projectIds)
  await page.goto(`/operator/projects/${projectIds[0]}`)
  await page.getByRole('heading', { name: `Project ${tool} 1`, level: 1 }).waitFor()
  const customized = page.getByRole('region', { name: 'Customized cards' })
  await customized.getByRole('row', { name: /In our words Title In our words Card 1/ }).waitFor()
  await customized.getByRole('row', { name: 'Description Ask Mara first none' }).waitFor()
  await customized.getByRole('row', { name: /^Priority High/ }).waitFor()
  await assertAccessible(page, 'project with a customized card')
})

test('a double click on Create project creates one project', async (t) => {
  const { user } = await createTemplateScene({ projects: 1 })
  const page = await openAs(t, user, '/operator/projects')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Project name' }).fill('Clicked twice')
  await page.getByRole('button', { name: 'Create project' }).dblclick()
  await page.getByRole('heading', { name: 'Clicked twice', level: 1 }).waitFor()
  const created = await service.db.sql`select from projects where name = 'Clicked twice'`
  assert.equal(created.length, 1)
})

test('a project that a colleague deletes is said to be gone, instead of staying open with controls that fail', async (t) => {
  const user = await service.addUser({ superadmin: true })
  const id = await service.addProject('Short-lived')
  await count([id])
  const colleague = await service.addUser({ roles: { [id]: 'owner' } })
  const page = await openAs(t, user, `/operator/projects/${id}`, { expected: /404|403/ })
  await page.getByRole('heading', { name: 'Short-lived', level: 1 }).waitFor()
  const { token } = colleague
  await service.client(token).call('/services/identity/v1/projects/delete', { id, name: 'Short-lived' })
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Labels…' }).count(), 0)
  await assertAccessible(page, 'project deleted meanwhile')
  await page.getByRole('link', { name: 'Go to projects' }).click()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
})

test('a project gains a product on its page, which says before which templates it receives', async (t) => {
  const { user, boardId, superadmin } = await createTemplateScene({ projects: 1 })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await service.db.sql`update master_boards set tool_key = 'shop' where id = ${boardId}`
  const id = await service.addProject('Growing')
  await count([id])
  const page = await openAs(t, user, `/operator/projects/${id}`)
  await page.getByRole('button', { name: 'Add product…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a product to Growing' })
  const preview = dialog.getByRole('region', { name: 'Templates it will receive' })
  await dialog.getByRole('combobox', { name: 'Product' }).selectOption('Website')
  await preview.getByText('None. It gains no boards.').or(preview.getByText('cards')).first().waitFor()
  await dialog.getByRole('combobox', { name: 'Product' }).selectOption('Shop')
  await preview.getByText('3 cards').waitFor()
  await assertAccessible(page, 'add a product')
  await dialog.getByRole('button', { name: 'Add product' }).click()
  await page.getByText('Added Shop to Growing').waitFor()
  await page.getByText('Products: Shop').waitFor()
  await page.getByRole('region', { name: 'Progress' }).getByText('0 of 3').waitFor()
  await page.getByRole('region', { name: 'Audit' }).getByText('added the product shop').waitFor()
})

test('a project that has every product says so at the button that adds one', async (t) => {
  const user = await service.addUser({ superadmin: true })
  const id = await service.addProject('Complete')
  const superadmin = service.client(user.token)
  const { products } = await superadmin.call(`${admin}/products/list`, {})
  await service.db.sql`
    update projects set tool_keys = ${service.db.sql.json(products.map(({ tool_key }) => tool_key))} where id = ${id}`
  await count([id])
  const page = await openAs(t, user, `/operator/projects/${id}`)
  const add = page.getByRole('button', { name: 'Add product…' })
  await page.locator('button[aria-disabled="true"]').filter({ hasText: 'Add product…' }).waitFor()
  assert.equal(await add.getAttribute('aria-description'), 'It has every product.')
})

test('a template’s progress shows each card in all projects, the projects behind a number, and a CSV', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const [copy] = await service.db.sql<{ id: number }[]>`
    select id from cards where project_id = ${projectIds[1] as number} order by id limit 1`
  await superadmin.call(`${area}/cards/update`, { id: copy?.id as number, status: 'closed' })
  await count(projectIds)
  const page = await openAs(t, user, `/operator/templates/${boardId}`)
  await page.getByRole('img', { name: 'In all projects: Done: 1, Open: 2' }).waitFor()
  await page.getByRole('link', { name: 'Progress of all projects' }).click()
  await page.getByText('3 projects have this template').waitFor()
  const row = page.getByRole('row', { name: /Card 1/ })
  await row.getByRole('button', { name: 'Open: 2' }).waitFor()
  // What was done in a single week has no course yet.
  await row.getByText('Too early for a trend').waitFor()
  await assertAccessible(page, 'progress of a template')
  // The colors of tokens.css as they are: their contrast is tested there.
  const marks = page.locator('.roll-up-legend [data-state]')
  const colors = await marks.evaluateAll((all) =>
    (all as HTMLElement[]).map((mark) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(mark)
      mark.style.background = 'var(--state)'
      const isToken = getComputedStyle(mark).backgroundColor === backgroundColor
      mark.style.background = ''
      return { isToken, backgroundImage }
    }),
  )
  assert.ok(colors.every(({ isToken }) => isToken))
  assert.equal(new Set(colors.map(({ backgroundImage }) => backgroundImage)).size, colors.length)
  await row.getByRole('button', { name: 'Done: 1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: `Project ${tool} 2` }).waitFor()
  await assertAccessible(page, 'projects behind a number')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('radio', { name: 'Funnel' }).check()
  await row.getByRole('button', { name: 'Received: 3' }).waitFor()
  await assertAccessible(page, 'funnel of a template')
  await row.getByRole('button', { name: 'Begun: 1' }).click()
  await dialog.getByRole('link', { name: `Project ${tool} 2` }).waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await row.getByRole('button', { name: 'Done: 1' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'Launch.csv')
  const [head, first] = (await readFile(await download.path(), 'utf8')).split('\r\n')
  assert.match(head ?? '', /,received,begun,done,.*,median_days(,trend_\d{4}-\d\d-\d\d){12}$/)
  assert.match(first ?? '', /Card 1,3,1,1,.*(,0){11},1$/)
})

test('support says why, looks around without changes, is allowed them, and the customer reads who it was', async (t) => {
  const { user, superadmin, projectIds } = await createTemplateScene({ projects: 1 })
  const id = projectIds[0] as number
  const owner = await service.addUser({ roles: { [id]: 'owner' } })
  const theirs = service.client(owner.token, { 'x-project-id': String(id) })
  const { board } = await theirs.call(`${area}/boards/create`, { title: 'Kitchen' })
  await theirs.call(`${area}/groups/create`, { board_id: board.id, title: 'Doing' })
  const path = `/p/${id}/boards/${board.id}`
  const page = await openAs(t, user, path, { isUnannounced: true })
  const open = page.getByRole('button', { name: 'Open project' })
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 7')
  await assertAccessible(page, 'open as support')
  await open.click()
  const banner = page.getByRole('region', { name: 'Support' })
  await banner.getByText("You can't change anything.").waitFor()
  await page.getByRole('heading', { name: 'Kitchen' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add card' }).count(), 0)
  await assertAccessible(page, 'board as support')
  await page.reload()
  await banner.getByText("You can't change anything.").waitFor()
  await banner.getByRole('button', { name: 'Allow changes…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow changes' }).click()
  await banner.getByText(/^You can change/).waitFor()
  await page
    .getByRole('button', { name: /Add card/ })
    .first()
    .waitFor()
  await superadmin.call(`${area}/boards/update`, { id: board.id, title: 'Clean kitchen' })
  const { activity } = await theirs.call(`${area}/activity/list`, { board_id: board.id })
  assert.equal(activity[0]?.actor_name, 'Cardinal support')
  const { entries } = await theirs.call('/services/identity/v1/audit/list')
  assert.deepEqual(
    entries
      .filter(({ kind }) => kind.startsWith('support.'))
      .map(({ kind, details }) => [kind, details['reason']]),
    [
      ['support.changes_allowed', 'Ticket 7'],
      ['support.opened', 'Ticket 7'],
    ],
  )
  await banner.getByRole('button', { name: 'Leave project' }).click()
  await page.waitForURL(`**/operator/projects/${id}`)
  await page.goto(path)
  await open.waitFor()
})

test('support that may only read is told how to manage members, and a project without members offers to invite', async (t) => {
  const { user, projectIds } = await createTemplateScene({ projects: 1 })
  await count(projectIds)
  const page = await openAs(t, user, `/operator/projects/${projectIds[0]}`)
  await page.getByRole('link', { name: 'Manage members' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 8')
  await page.getByRole('button', { name: 'Open project' }).click()
  await page.getByText('Allow changes to manage its members.').waitFor()
  await assertAccessible(page, 'members as support')
  await page.getByRole('button', { name: 'Allow changes…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow changes' }).click()
  await page.getByRole('heading', { name: 'No members yet' }).waitFor()
  await page.getByText('Invite the first person, usually the owner.').waitFor()
  await assertAccessible(page, 'no members')
})

test('the page of a project says which rollouts failed there, why, and where to try again', async (t) => {
  const { user, superadmin, boardId, projectIds } = await createTemplateScene({ projects: 1 })
  const [id] = projectIds as [number]
  await service.db
    .sql`insert into boards (project_id, title) select ${id}, 'Own' from generate_series(1, 200)`
  await superadmin.attempt(`${admin}/master-boards/sync`, { board_id: boardId })
  await count([id])
  const page = await openAs(t, user, `/operator/projects/${id}`)
  const rollouts = page.getByRole('region', { name: 'Rollouts' })
  await rollouts.getByText('Version 1 failed').waitFor()
  await rollouts
    .getByText(/^This project has 200 boards, as many as a project can have\..* then retry\.$/)
    .waitFor()
  assert.equal(await rollouts.getByText('None.').count(), 0)
  await assertAccessible(page, 'a project in which a rollout failed')
  await rollouts.getByRole('link', { name: 'Launch' }).click()
  const retry = page.getByRole('button', { name: 'Retry 1 project' })
  await retry.waitFor()
  await service.db.sql`delete from boards where project_id = ${id}`
  await retry.click()
  await page.getByText('Rolled out “Launch” to 1 project').waitFor()
  await page.goto(`/operator/projects/${id}`)
  await rollouts.getByText('3 cards added').waitFor()
  assert.equal(await rollouts.getByText('failed').count(), 0)
})

test('a project is deleted after typing its name, and restored from the list of deleted ones', async (t) => {
  const id = await service.addProject('Closing down')
  await count([id])
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, `/operator/projects/${id}`, { expected: /403/ })
  await page.getByRole('button', { name: 'Delete project…' }).click()
  await page.getByRole('textbox', { name: 'Type “Closing down” to confirm' }).fill('Closing down')
  await service.db.sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`
  await page.getByRole('button', { name: 'Delete project', exact: true }).click()
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Deleted the project Closing down').waitFor()
  await page.goto('/operator/projects?q=closing&deleted=yes')
  await page.getByRole('button', { name: 'Restore project Closing down' }).click()
  await page.getByText('Restored the project Closing down').waitFor()
  await page.goto('/operator/projects?q=closing')
  await page.getByRole('link', { name: 'Closing down' }).waitFor()
})

test('an archived project says so to its members, who can only read it, and is changed again once it is back', async (t) => {
  const { user, projectIds } = await createTemplateScene({ projects: 1 })
  const id = projectIds[0] as number
  const owner = await service.addUser({ roles: { [id]: 'owner' } })
  const theirs = service.client(owner.token, { 'x-project-id': String(id) })
  const { board } = await theirs.call(`${area}/boards/create`, { title: 'Kitchen' })
  await theirs.call(`${area}/groups/create`, { board_id: board.id, title: 'Doing' })
  await service.db.sql`update projects set name = 'Paused' where id = ${id}`
  await count([id])
  const customer = await openAs(t, owner, `/p/${id}/boards/${board.id}`)
  const add = customer.getByRole('button', { name: /Add card/ }).first()
  await add.waitFor()

  const page = await openAs(t, user, '/operator/projects?q=paused')
  await page.getByRole('link', { name: 'Paused' }).click()
  await page.getByRole('button', { name: 'Archive project…' }).click()
  await assertAccessible(page, 'archive a project')
  await page.getByRole('dialog').getByRole('button', { name: 'Archive project' }).click()
  await page.getByText('Archived the project Paused').waitFor()
  const back = page.getByRole('button', { name: 'Bring back' })
  await back.waitFor()
  await assertAccessible(page, 'an archived project')

  const bar = customer.getByRole('region', { name: 'Archived' })
  await bar.getByText(/^This project is archived and can only be read\./).waitFor()
  await add.waitFor({ state: 'detached' })
  await assertAccessible(customer, 'the board of an archived project')
  await customer.goto(`/p/${id}/settings`)
  await customer.getByRole('button', { name: 'Delete project…' }).waitFor()
  await customer.getByText("Cardinal doesn't check this website while the project is archived.").waitFor()
  await customer.getByRole('button', { name: 'Paused', exact: true }).click()
  await customer.getByRole('option', { name: 'Paused (archived)' }).waitFor()
  await customer.goto(`/p/${id}/boards/${board.id}`)

  await page.goto('/operator/projects?q=paused')
  await page.getByText('Archived and deleted projects are left out.').waitFor()
  await assertAccessible(page, 'no projects match')
  await page.getByRole('link', { name: 'archived ones' }).click()
  await page.getByRole('row').filter({ hasText: 'Paused' }).waitFor()
  assert.equal(new URL(page.url()).search, '?q=paused&archived=yes')
  await page.goto('/operator/projects?q=paused')
  await page.getByRole('heading', { name: 'No projects match' }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const fields = page.getByRole('dialog', { name: 'Filter projects' })
  await fields.getByRole('combobox', { name: 'Archived or deleted' }).selectOption('Archived projects')
  await page.keyboard.press('Escape')
  assert.equal(new URL(page.url()).searchParams.get('archived'), 'yes')
  const row = page.getByRole('row').filter({ hasText: 'Paused' })
  await row.getByText('Archived', { exact: true }).waitFor()
  await assertAccessible(page, 'archived projects')
  await page.getByRole('link', { name: 'Paused' }).click()
  await back.click()
  await page.getByText('Brought back the project Paused').waitFor()
  await page.getByRole('button', { name: 'Archive project…' }).waitFor()
  await add.waitFor()
  assert.equal(await bar.count(), 0)
})

test('the page of a project names its platform where there are several', async (t) => {
  const platformId = (await addPlatform(service.db, 'Elsewhere')) as number
  const id = await service.addProject('Far away', [], platformId)
  await count([id])
  const user = await service.addUser({ superadmin: true })
  const page = await openAs(t, user, `/operator/projects/${id}`)
  await page.getByRole('heading', { name: 'Far away', level: 1 }).waitFor()
  await page.getByText('Platform: Elsewhere').waitFor()
})
