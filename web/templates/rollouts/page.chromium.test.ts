import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { eventually } from '#tests/process.ts'
import { addRunningRollout, createTemplateScene, holdProject } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'

test('rollouts are listed with their counts; one of them has results by project, and is retried where it failed', async (t) => {
  const { user, superadmin, boardId, projectIds, here, tool } = await createTemplateScene()
  const { sql } = service.db
  const page = await openAs(t, user, `${here}/rollouts`)
  await page.getByRole('heading', { name: 'No rollouts yet' }).waitFor()
  await assertAccessible(page, 'no rollouts')
  await service.addProject('Elsewhere')
  await sql.unsafe(`
    create function refuse_board() returns trigger language plpgsql as $$ begin raise exception 'no room here'; end $$;
    create trigger refuse_board before insert on boards for each row when (new.project_id = ${projectIds[1]})
      execute function refuse_board()`)
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const row = page.getByRole('row', { name: /Launch Template · version 1 · Done/ })
  await row.getByText('2 changed').waitFor()
  await row.getByText('1 failed').waitFor()
  await row.getByText('1 no access').waitFor()
  await row.getByText(/^User \d+$/).waitFor()
  await assertAccessible(page, 'rollouts')

  await row.getByRole('link', { name: 'Launch' }).click()
  await page.getByText('it failed in 1 project').waitFor()
  const results = page.getByRole('table', { name: 'Projects' })
  await results.getByRole('row', { name: `Project ${tool} 1 Changed` }).waitFor()
  assert.equal(await results.getByRole('row').count(), 5)
  await assertAccessible(page, 'rollout')
  await page.getByRole('button', { name: 'Failed 1' }).click()
  await results.getByText(/^The database rejected the change in this project. .*, then retry.$/).waitFor()
  await results.getByText('no room here').waitFor({ state: 'hidden' })
  await results.getByText('Technical details', { exact: true }).click()
  await results.getByText('no room here').waitFor()
  await assertAccessible(page, 'failed project of a rollout')
  assert.equal(await results.getByRole('row').count(), 2)
  assert.equal(new URL(page.url()).search, '?outcome=failed')
  await page.getByRole('button', { name: 'Retry 1 project' }).click()
  await page.getByText('“Launch” still fails in 1 project').waitFor()
  await sql.unsafe('drop trigger refuse_board on boards')
  await page.getByRole('button', { name: 'Retry 1 project' }).click()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor()
  await page.getByText('“Launch” still fails').waitFor({ state: 'detached' })
  await page.getByText('No projects.').waitFor()
  await page.getByRole('button', { name: 'Changed 3' }).click()
  await results.getByRole('row', { name: `Project ${tool} 2 Changed` }).waitFor()
})

test('a running rollout is followed and canceled on its page; more results are loaded on demand', async (t) => {
  const scene = await createTemplateScene({ projects: 60 })
  const id = await addRunningRollout(t, scene)
  const page = await openAs(t, scene.user, `${scene.here}/rollouts/${id}`, { expected: /status of 400/ })
  await page.getByRole('progressbar', { name: 'Rolling out “Launch”: 1 of 60 projects' }).waitFor()
  const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row')
  await rows.nth(50).waitFor()
  assert.equal(await rows.count(), 51)
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows.nth(60).waitFor()
  await page.getByRole('button', { name: 'Cancel rollout' }).click()
  await page.getByText('Canceled “Launch” after 1 of 60 projects').waitFor()
  const setActive = (is_active: boolean) =>
    scene.superadmin.call(`${admin}/master-boards/update`, { id: scene.boardId, is_active })
  await setActive(false)
  await page.getByRole('button', { name: 'Resume 59 projects' }).click()
  await page.getByText('The rollout was not resumed. This template is inactive').waitFor()
  await setActive(true)
  await page.getByRole('button', { name: 'Resume 59 projects' }).click()
  await page.getByText('Rolled out “Launch” to 60 projects').waitFor()
})

test('canceling shows at once and until the work has stopped, then the final numbers', async (t) => {
  const { user, superadmin, boardId, projectIds, here } = await createTemplateScene()
  const held = await Promise.all(projectIds.map((id) => holdProject(t, id)))
  const release = () => Promise.all(held.map((letGo) => letGo()))
  const answer = superadmin.attempt(`${admin}/master-boards/sync`, { board_id: boardId })
  await waitingForLocks(service.db, 1)
  const { rollouts } = await superadmin.call(`${admin}/rollouts/list`, { board_id: boardId })
  const page = await openAs(t, user, `${here}/rollouts/${rollouts[0]?.id}`)
  const canceling = page.getByRole('progressbar', { name: 'Canceling “Launch” after 0 of 3 projects…' })
  // A batch that is just ending holds the rollout, so that the answer is late.
  await service.db.transaction(async ({ sql }) => {
    await sql`select from rollouts where id = ${rollouts[0]?.id as number} for update`
    await page.getByRole('button', { name: 'Cancel rollout' }).click()
    await canceling.waitFor({ timeout: 5_000 })
  })
  await canceling.waitFor()
  const button = page.getByRole('button', { name: 'Canceling…' })
  assert.equal(await button.getAttribute('aria-disabled'), 'true')
  await assertAccessible(page, 'canceling')
  await release()
  assert.equal((await answer).status, 400)
  await page.getByText('Canceled “Launch” after 0 of 3 projects').waitFor()
  await page.getByRole('button', { name: 'Not reached 3' }).waitFor()
  await page.getByRole('button', { name: 'Resume 3 projects' }).click()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor()
})

test('more than 200 rollouts that have not ended are all counted, and reached a page at a time', async (t) => {
  const scene = await createTemplateScene()
  const { user, superadmin, boardId, projectIds } = scene
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  await service.db.sql`
    with added as (
      insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by, status)
      select 'board', platform_id, id, newest_revision, title, title, ${user.id}, 'paused' from master_boards, generate_series(1, 203)
      where id = ${boardId} returning id
    )
    insert into rollout_batches (rollout_id, number, project_ids) select id, 1, ${projectIds}::bigint[] from added`
  const page = await openAs(t, user, '/operator')
  const tile = page.getByRole('region', { name: 'Running rollouts' })
  await tile.getByText('203', { exact: true }).waitFor()
  assert.equal(await tile.getByRole('listitem').count(), 5)
  await tile.getByRole('link', { name: 'Running rollouts' }).click()
  await page.getByRole('radio', { name: 'Running 203', checked: true }).waitFor()
  const rows = page.getByRole('table', { name: /^Rollouts/ }).getByRole('row')
  for (const shown of [50, 100, 150, 200]) {
    await rows.nth(shown).waitFor()
    assert.equal(await rows.count(), shown + 1)
    await page.getByRole('button', { name: 'Show older' }).click()
  }
  await rows.nth(203).waitFor()
  await page.getByRole('button', { name: 'Show older' }).waitFor({ state: 'detached' })
  // While one is at work the list is asked for twice a second, which is less than its pages take here.
  await page.route('**/rollouts/list', async (route) => {
    await sleep(200)
    await route.continue()
  })
  const id = await addRunningRollout(t, scene)
  await page.getByRole('radio', { name: 'Running 204' }).waitFor()
  await service.db.sql`update rollouts set title = 'Renamed' where id = ${id}`
  await rows.getByRole('link', { name: 'Renamed' }).waitFor()
})

test('the results of a rollout in stages say in which stage a project is', async (t) => {
  const { user, superadmin, boardId, projectIds, tool } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const { rollout } = await superadmin.call(`${admin}/rollouts/plan`, {
    board_id: boardId,
    stages: [{ projects: projectIds.slice(0, 1) }, {}],
  })
  await eventually(() => superadmin.call(`${admin}/rollouts/apply`, { id: rollout.id }))
  const page = await openAs(t, user, `/operator/rollouts/${rollout.id}?q=${tool}`)
  await page.getByRole('row', { name: new RegExp(`^Project ${tool} 1 .*Stage 1`) }).waitFor()
  await page.getByRole('row', { name: new RegExp(`^Project ${tool} 2 .*Stage 2`) }).waitFor()
})

test('the actions of a rollout that waits for its next stage fit on a phone', async (t) => {
  const { user, superadmin, boardId, projectIds } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
  const { rollout } = await superadmin.call(`${admin}/rollouts/plan`, {
    board_id: boardId,
    stages: [{ projects: projectIds.slice(0, 1) }, {}],
  })
  await eventually(() => superadmin.call(`${admin}/rollouts/apply`, { id: rollout.id }))
  const page = await openAs(t, user, `/operator/rollouts/${rollout.id}`, {
    viewport: { width: 390, height: 844 },
  })
  const next = page.getByRole('button', { name: 'Start next stage' })
  await next.waitFor()
  const right = await next.evaluate((button) => button.getBoundingClientRect().right)
  assert.ok(right <= 390, String(right))
})

test('the former address of rollouts leads to the new one', async (t) => {
  const scene = await createTemplateScene({ projects: 1 })
  const id = await addRunningRollout(t, scene)
  const page = await openAs(t, scene.user, `${scene.here}/pushes/${id}`)
  await page.waitForURL((url) => url.pathname === `/operator/rollouts/${id}`)
  await page.goto(`${scene.here}/pushes`)
  await page.waitForURL((url) => url.pathname === '/operator/rollouts')
  await page.getByRole('link', { name: 'Rollouts' }).and(page.locator('[aria-current=page]')).waitFor()
})

test('a rollout that does not exist says so, and is not requested again', async (t) => {
  const { user, here } = await createTemplateScene({ projects: 1 })
  const page = await openAs(t, user, `${here}/rollouts/999999`, { expected: /404/ })
  await page.getByRole('heading', { name: 'The rollout could not be opened' }).waitFor()
  await page.getByText("It doesn't exist, or you don't have access to it.").waitFor()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/rollouts/get')) asked++
  })
  // The area asks who is signed in from time to time, more rarely than its pages read again.
  await page.waitForResponse(/users\/me/)
  assert.equal(asked, 0)
})
