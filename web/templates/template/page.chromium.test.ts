import assert from 'node:assert/strict'
import test from 'node:test'
import { recountCoverage } from '#coverage/counts.ts'
import { countProjects } from '#fleet/counting.ts'
import { announced, assertAccessible, cardsIn, drag, middleOf, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { addRunningRollout, createTemplateScene, holdProject } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'

test('groups and cards are added, renamed, moved by keyboard, pointer and menu, and deleted', async (t) => {
  const { user, path, stored } = await createTemplateScene()
  const page = await openAs(t, user, path)
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('textbox', { name: 'Title of the new group' }).fill('Later')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add card to Later' }).click()
  await page.getByRole('textbox', { name: 'Title of the new card in Later' }).fill('Card 4')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'After', exact: true }).click()
  await page.getByRole('textbox', { name: 'Rename the group After' }).fill('Afterwards')
  await page.keyboard.press('Enter')
  await eventually(async () =>
    assert.deepEqual(await stored(), {
      Before: ['Card 1', 'Card 2', 'Card 3'],
      Afterwards: [],
      Later: ['Card 4'],
    }),
  )

  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press(' ')
  await announced(page).filter({ hasText: 'Lifted Card 1' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press(' ')
  await eventually(async () => assert.deepEqual((await stored())['Afterwards'], ['Card 1']))
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => assert.deepEqual((await stored())['Before'], ['Card 1', 'Card 2', 'Card 3']))

  const [from, to] = [await middleOf(page, 'Card 3'), await middleOf(page, 'Card 1')]
  await drag(page, from, { x: to.x, y: to.top + 4 })
  await eventually(async () => assert.deepEqual((await stored())['Before'], ['Card 3', 'Card 1', 'Card 2']))
  await page.getByRole('button', { name: 'Move the group Later' }).focus()
  for (const key of [' ', 'ArrowLeft', ' ']) await page.keyboard.press(key)
  await eventually(async () =>
    assert.deepEqual(Object.keys(await stored()), ['Before', 'Later', 'Afterwards']),
  )

  await page.getByRole('link', { name: 'Card 1' }).focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Delete', exact: false }).last().click()
  await eventually(async () => assert.deepEqual((await stored())['Before'], ['Card 3', 'Card 2']))
  await page
    .getByRole('status')
    .getByText(/deleted/i)
    .waitFor()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await eventually(async () => assert.deepEqual((await stored())['Before'], ['Card 3', 'Card 1', 'Card 2']))
  await page.getByRole('button', { name: 'Actions for the group Later' }).click()
  await page.getByRole('menuitem', { name: 'Delete group and 1 card' }).click()
  await page.getByRole('button', { name: 'Delete group' }).click()
  await eventually(async () => assert.deepEqual(Object.keys(await stored()), ['Before', 'Afterwards']))
})

test('a card dropped on the empty space below a short column of a template lands there', async (t) => {
  const { user, path, stored } = await createTemplateScene()
  const page = await openAs(t, user, path)
  const from = await middleOf(page, 'Card 1')
  const after = await page.getByRole('region', { name: 'After' }).boundingBox()
  assert.ok(after)
  await drag(page, from, { x: from.x, y: 740 })
  await drag(page, await middleOf(page, 'Card 2'), { x: after.x + 100, y: 740 })
  await eventually(async () =>
    assert.deepEqual(await stored(), { Before: ['Card 3', 'Card 1'], After: ['Card 2'] }),
  )
})

test('changes of another superadmin appear on the open template and card', async (t) => {
  const { user, path } = await createTemplateScene()
  const page = await openAs(t, user, path)
  await page.getByRole('link', { name: 'Card 2' }).click()
  await page.getByRole('complementary', { name: 'Card: Card 2' }).waitFor()
  const other = await openAs(t, await service.addUser({ superadmin: true }), path)
  await other.getByRole('link', { name: 'Card 2' }).click()
  const title = other.getByRole('complementary').getByRole('textbox', { name: 'Title' })
  await title.fill('Changed by another')
  await title.press('Enter')
  await page.getByRole('link', { name: 'Changed by another' }).waitFor()
  await page.getByRole('complementary', { name: 'Card: Changed by another' }).waitFor()
})

test('a card has fields and a history, a template settings; an identifier that is taken stays as a draft', async (t) => {
  const { user, superadmin, boardId, cardIds, path } = await createTemplateScene()
  const [id, other] = cardIds as [number, number]
  await superadmin.call(`${admin}/master-cards/update`, { id: other, unique_identifier: 'taken' })
  const page = await openAs(t, user, `${path}/cards/${id}`, { expected: /422/ })
  const panel = page.getByRole('complementary')
  const choose = async (field: string, option: string) => {
    await panel.getByRole('button', { name: new RegExp(`^${field}:`) }).click()
    await page.getByRole('combobox', { name: field }).fill(option)
    await page.keyboard.press('Enter')
  }
  await panel.getByRole('textbox', { name: 'Title' }).fill('Check the forms')
  await page.keyboard.press('Enter')
  await choose('Priority', 'Urgent')
  await choose('Status', 'To check')
  await panel.getByRole('textbox', { name: 'Tour key' }).fill('forms')
  await page.keyboard.press('Enter')
  await panel.getByRole('textbox', { name: 'Identifier' }).fill('taken')
  await page.keyboard.press('Enter')
  await page.getByText('The unique identifier has already been taken.').waitFor()
  assert.equal(await panel.getByRole('textbox', { name: 'Identifier' }).inputValue(), 'taken')
  await panel.getByRole('button', { name: 'Discard Identifier' }).click()
  assert.equal(await panel.getByRole('textbox', { name: 'Identifier' }).inputValue(), '')
  await panel.getByText('History').click()
  await panel.getByText('changed the title to “Check the forms”').waitFor()
  await panel.getByText('set the priority to Urgent').waitFor()
  await panel.getByText('created it').waitFor()
  await assertAccessible(page, 'master card')
  const { card } = await superadmin.call(`${admin}/master-cards/get`, { id })
  assert.deepEqual([card.priority, card.status, card.tour_key], ['urgent', 'to_check', 'forms'])

  await choose('State', 'Inactive')
  await eventually(async () =>
    assert.equal(
      await panel.getByRole('button', { name: 'Roll out card to 3 projects' }).getAttribute('aria-disabled'),
      'true',
    ),
  )
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await choose('Color', 'Teal')
  await choose('State', 'Inactive')
  await assertAccessible(page, 'settings of a template')
  await eventually(async () => {
    const { board } = await superadmin.call(`${admin}/master-boards/get`, { id: boardId })
    assert.deepEqual([board.color, board.is_active], ['teal', false])
  })
  assert.equal(
    await page.getByRole('button', { name: 'Roll out to 3 projects' }).getAttribute('aria-disabled'),
    'true',
  )
})

test('a rollout shows its progress, also after a reload, and its result; what a project changed stays', async (t) => {
  const { user, superadmin, boardId, cardIds, projectIds, path } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const [copy] = await service.db.sql<{ id: number }[]>`
    select id from cards where project_id = ${projectIds[1] as number} and master_card_id = ${cardIds[0] as number}`
  await superadmin.call(`${area}/cards/update`, { id: copy?.id as number, title: 'Our own words' })
  await superadmin.call(`${admin}/master-cards/update`, { id: cardIds[0] as number, title: 'New words' })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })

  const page = await openAs(t, user, path)
  await page.getByText('3 behind').waitFor()
  const release = await holdProject(t, projectIds[2] as number)
  await page.getByRole('button', { name: 'Roll out to 3 projects' }).click()
  const progress = page.getByRole('progressbar', { name: 'Rolling out “Launch”: 2 of 3 projects' })
  await progress.waitFor()
  await page.reload()
  await progress.waitFor()
  await release()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor()
  await page.getByText('All up to date').waitFor()
  await page.getByText('2 changed', { exact: true }).waitFor()
  const titles = await service.db.sql<{ title: string }[]>`
    select title from cards where master_card_id = ${cardIds[0] as number} order by project_id`
  assert.deepEqual(
    titles.map(({ title }) => title),
    ['New words', 'Our own words', 'New words'],
  )
  // A newer rollout takes the place of the result.
  await superadmin.call(`${admin}/master-cards/update`, { id: cardIds[1] as number, title: 'Other words' })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await page.getByText('3 changed', { exact: true }).waitFor()
  // It was done before the page read of it.
  await announced(page).filter({ hasText: 'Launch: Done (3 changed' }).waitFor()
  assert.equal(await page.getByRole('region', { name: 'Rollout of Launch' }).count(), 1)
  await page.getByRole('button', { name: 'Hide this result' }).click()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor({ state: 'detached' })
})

test('a rollout of someone else is shown, canceled and resumed', async (t) => {
  const scene = await createTemplateScene()
  const page = await openAs(t, scene.user, scene.path)
  await page.getByText('In 0 of 3 projects').waitFor()
  await page.getByText('3 not received yet').waitFor()
  const rolloutId = await addRunningRollout(t, scene)
  const progress = (done: number) =>
    page.getByRole('progressbar', { name: `Rolling out “Launch”: ${done} of 3 projects` })
  await progress(1).waitFor()
  // Before anything else, because it is gone after a while.
  await announced(page).filter({ hasText: 'Launch: Running (1 unchanged, 2 waiting)' }).waitFor()
  await assertAccessible(page, 'template with a running rollout')
  // Else each step would be read out, two a second.
  assert.equal(await page.getByRole('status').filter({ hasText: 'of 3 projects' }).count(), 0)
  const said = await announced(page).evaluateHandle((region) => {
    const texts: (string | null)[] = []
    new MutationObserver(() => texts.push(region.textContent)).observe(region, { childList: true })
    return texts
  })
  for (const done of [2, 1, 2, 1]) {
    await service.db.sql`
      update rollout_batches set done_at = case when ${done === 2} then now() end where rollout_id = ${rolloutId} and number = 2`
    await progress(done).waitFor()
  }
  assert.deepEqual(await said.jsonValue(), [])
  await page.getByRole('button', { name: 'Cancel rollout' }).click()
  await page.getByText('Canceled “Launch” after 1 of 3 projects').waitFor()
  const canceled = 'Launch: Canceled (1 unchanged, 2 not reached)'
  await announced(page).filter({ hasText: canceled }).waitFor()
  assert.equal((await said.jsonValue()).filter((text) => text === canceled).length, 1)
  await page.reload()
  await page.getByRole('button', { name: 'Resume 2 projects' }).click()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor()
  await page.getByText('2 changed', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Results' }).click()
  await page.getByRole('row', { name: `Project ${scene.tool} 3 Changed` }).waitFor()
})

test('the list and the page show how many projects are covered, up to date, behind, failed and opted out', async (t) => {
  const { user, superadmin, boardId, cardIds, projectIds, path, here, tool } = await createTemplateScene({
    projects: 5,
  })
  const { sql } = service.db
  const [, optedOut, refusing, missing] = projectIds as [number, number, number, number]
  await sql`update projects set tool_keys = '[]' where id = ${missing}`
  await recountCoverage(service.db)
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const [copy] = await sql<{ id: number }[]>`select id from boards where project_id = ${optedOut}`
  await superadmin.call(`${area}/boards/delete`, { id: copy?.id as number })
  const states = ['All up to date', '1 opted out']
  const page = await openAs(t, user, path)
  const list = page.getByRole('list').filter({ hasText: 'For projects with' })
  const counts = list.getByRole('listitem').filter({ hasNot: page.getByRole('link') })
  const shown = async () => (await counts.allTextContents()).slice(1)
  await eventually(async () => assert.deepEqual(await shown(), ['In 3 of 4 projects', ...states]))
  await page.getByRole('button', { name: 'Roll out to 3 projects' }).waitFor()

  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${refusing}) not valid`)
  t.after(() => sql`alter table cards drop constraint refused`)
  await sql`update projects set tool_keys = ${sql.json([tool])} where id = ${missing}`
  await recountCoverage(service.db)
  await superadmin.call(`${admin}/master-cards/update`, { id: cardIds[0] as number, title: 'New' })
  await superadmin.call(`${admin}/master-cards/push`, { card_id: cardIds[0] as number })
  await superadmin.call(`${admin}/master-cards/update`, { id: cardIds[1] as number, title: 'New' })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const apart = ['1 failed', '3 behind', '1 opted out']
  await eventually(async () => assert.deepEqual(await shown(), ['In 4 of 5 projects', ...apart]))
  // Who has deleted the board receives nothing.
  await page.getByRole('button', { name: 'Roll out to 4 projects' }).waitFor()
  await assertAccessible(page, 'template with all states')
  await page.goto(`${here}/templates`)
  const row = page.getByRole('row', { name: new RegExp(`Launch ${tool.replace('-', ' ')}`, 'i') })
  await eventually(async () => assert.deepEqual(await row.getByRole('listitem').allTextContents(), apart))
  await assertAccessible(page, 'templates with all states')
})

test('a rollout to many projects asks first; a card is rolled out from its panel and deleted everywhere', async (t) => {
  const { user, superadmin, path, boardId, cardIds, projectIds } = await createTemplateScene({ projects: 12 })
  const page = await openAs(t, user, `${path}/cards/${cardIds[0]}`)
  await page.getByRole('complementary').getByRole('button', { name: 'Roll out card to 12 projects' }).click()
  const dialog = page.getByRole('dialog', { name: 'Roll out to 12 projects' })
  await dialog.getByText('Anything a project customized or deleted stays as it is.').waitFor()
  await assertAccessible(page, 'rollout to many')
  await dialog.getByRole('textbox', { name: 'Type “12” to confirm' }).fill('12')
  await dialog.getByRole('button', { name: 'Roll out to 12 projects' }).click()
  await page.getByText('Rolled out “Card 1” to 12 projects').waitFor()
  const live = async () => {
    const [row] = await service.db.sql<{ count: number }[]>`
      select count(*) from cards where project_id = any(${projectIds}) and deleted_at is null`
    return Number(row?.count)
  }
  assert.equal(await live(), 12)
  await service.db.sql`
    update cards set status = 'closed' where project_id = ${projectIds[0] as number} and master_card_id = ${cardIds[0] as number}`
  await service.db.transaction((queries) => countProjects(queries, projectIds))
  await page.getByRole('button', { name: 'Actions for this card' }).click()
  await page.getByRole('menuitem', { name: /Delete from all projects/ }).click()
  await page.getByText('It deletes “Card 1” from the template and from every project').waitFor()
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('In stages')
  await assertAccessible(page, 'plan deletion')
  await page.getByRole('button', { name: 'Plan deletion' }).dblclick()
  await page.getByText('Applying the plan also deletes the card from the template.').waitFor()
  await page
    .getByRole('region', { name: 'Summary' })
    .getByText('“Card 1” would be deleted from 12 projects')
    .waitFor()
  await page
    .getByRole('region', { name: 'Summary' })
    .filter({ hasText: 'Deleted12 cardsOf these in use1 card' })
    .waitFor()
  await page.getByRole('region', { name: 'What changes' }).getByText('Done: 1').waitFor()
  await assertAccessible(page, 'plan of a deletion')
  const width = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  for (const table of await page.getByRole('table').all()) {
    const deleted = await table.getByRole('columnheader', { name: 'Deleted' }).boundingBox()
    assert.ok(deleted && deleted.x + deleted.width <= 390, JSON.stringify(deleted))
  }
  if (width) await page.setViewportSize(width)
  const plans = await service.db.sql`select from rollouts where board_id = ${boardId} and status = 'planned'`
  assert.equal(plans.length, 1)
  await service.db.sql`
    update rollouts set planned_at = now() - interval '25 hours' where board_id = ${boardId} and status = 'planned'`
  await page.reload()
  await page.getByRole('button', { name: 'Plan again' }).click()
  const remove = page.getByRole('button', { name: 'Delete from 12 projects' })
  await remove.waitFor()
  assert.equal(await live(), 12)
  await remove.click()
  await page
    .getByText('It deletes “Card 1” with its comments from the template and from 12 projects.')
    .waitFor()
  await page.getByRole('textbox', { name: 'Type “12” to confirm' }).fill('12')
  await remove.last().click()
  await page.getByText('The next stage begins when you start it.').waitFor()
  assert.equal(await live(), 10)
  await page.getByRole('button', { name: 'Start next stage' }).click()
  await page.getByText('Deleted “Card 1” from 12 projects').waitFor()
  assert.equal(await live(), 0)
  await page.getByRole('link', { name: 'Plan revert' }).click()
  await page.getByText('The card stays deleted in the template').waitFor()
  await page.getByRole('button', { name: 'Plan revert' }).click()
  await page.getByText('It reverts an earlier rollout').waitFor()
  await page.getByRole('link', { name: 'Restore it there' }).click()
  await page.getByRole('heading', { name: "This card isn't in the template" }).waitFor()
  await assertAccessible(page, 'a card that is not in the template')
  await page.getByRole('button', { name: 'Restore' }).click()
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  await panel.getByRole('button', { name: 'Roll out card to 12 projects' }).click()
  await dialog.getByRole('textbox', { name: 'Type “12” to confirm' }).fill('12')
  await dialog.getByRole('button', { name: 'Roll out to 12 projects' }).click()
  await page.getByText('Rolled out “Card 1” to 12 projects').waitFor()
  assert.equal(await live(), 12)
  const [copy] = await service.db.sql<{ id: number }[]>`
    select id from boards where project_id = ${projectIds[1] as number} and master_board_id = ${boardId}`
  await superadmin.call(`${area}/boards/delete`, { id: copy?.id as number })
  await page.reload()
  await panel.getByRole('button', { name: 'Roll out card to 11 projects' }).click()
  await page
    .getByRole('dialog', { name: 'Roll out to 11 projects' })
    .getByText('1 more project deleted its copy of the template, and gets none.')
    .waitFor()
})

test('on a phone the rollout button of a template has a label, and the page is accessible', async (t) => {
  const { user, path } = await createTemplateScene()
  const page = await openAs(t, user, path)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  assert.deepEqual(await cardsIn(page, 'Before').allTextContents(), ['Card 1', 'Card 2', 'Card 3'])
  await page.setViewportSize({ width: 360, height: 740 })
  // What would change other people's projects says so before it is pressed.
  const words = await page.getByText('Roll out to 3 projects').boundingBox()
  assert.ok(words && words.width > 120 && words.x > 0 && words.x + words.width < 360, JSON.stringify(words))
  await assertAccessible(page, 'template on a phone')
})

test('a template or a card that a colleague deletes says who deleted it, keeps drafts and is restored there', async (t) => {
  const { user, path, boardId, cardIds } = await createTemplateScene()
  const colleague = service.client((await service.addUser({ superadmin: true })).token)
  const { name } = (await colleague.call('/services/identity/v1/users/me')).user
  const page = await openAs(t, user, `${path}/cards/${cardIds[0]}`, { expected: /404/ })
  const panel = page.getByRole('complementary')
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()
  await colleague.call(`${admin}/master-cards/delete`, { id: cardIds[0] as number })
  await panel.getByText(`Deleted by ${name} · just now`).waitFor()
  await panel.getByRole('button', { name: 'Restore' }).click()
  await panel.getByRole('textbox', { name: 'Title' }).waitFor()

  await page.getByRole('button', { name: 'Add card to After' }).click()
  await page.getByRole('textbox', { name: 'Title of the new card in After' }).fill('Half a card')
  await colleague.call(`${admin}/master-boards/delete`, { id: boardId })
  await page.getByRole('heading', { name: 'This template was deleted' }).waitFor()
  await page.getByText(`Deleted by ${name} · just now`).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Card 2' }).count(), 0)
  await page.getByRole('article', { name: 'Draft: New card' }).getByText('Half a card').waitFor()
  await assertAccessible(page, 'a deleted template')
  await page.reload()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Restored “Launch”').waitFor()
  await page.getByRole('link', { name: 'Card 2' }).waitFor()
  const draft = page.getByRole('textbox', { name: 'Title of the new card in After' })
  assert.equal(await draft.inputValue(), 'Half a card')
})
