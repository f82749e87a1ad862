import assert from 'node:assert/strict'
import test from 'node:test'
import { usualQuotas } from '#quotas/quotas.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'
import { followCampaigns } from '#themes/campaign/following.ts'
import { demoPassword } from './accounts.ts'
import { seedOutbox } from './outbox.ts'
import { seedDemo } from './seed.ts'

const service = await startTestService({ figures: false })
const { sql } = service.db
const seedingBegan = performance.now()
await seedDemo(service.db)
const seedingTook = performance.now() - seedingBegan

test('the fleet has 240 projects with names of their own, owners, labels, subscriptions and themes', async () => {
  const [found] = await sql<Record<string, number>[]>`
    select count(*) as projects, count(distinct name) as names, count(*) filter (where f.members > 0) as owned,
      count(*) filter (where cardinality(f.labels) > 1) as labeled, count(distinct f.plans) as plans,
      count(distinct f.subscription_statuses) as statuses, count(distinct f.theme_version_id) as themes
    from projects p join project_figures f on f.project_id = p.id where p.kind = 'customer' and p.platform_id = 1`
  assert.deepEqual(found, {
    ...{ projects: 240, names: 240, owned: 240, labeled: 237, plans: 4, statuses: 5, themes: 4 },
  })
})

test('the sizes of its boards are right', () => assertSizesTrue(service.db))

test('the ids and accounts of the first projects are as they are without a fleet', async () => {
  const projects = await sql<{ id: number; name: string }[]>`
    select id, name from projects where name in ('Acme', 'Blue', 'Cedar') order by id`
  assert.deepEqual(
    projects.map(({ id, name }) => [id, name]),
    [
      [1, 'Acme'],
      [2, 'Blue'],
      [3, 'Cedar'],
    ],
  )
  const { token } = await service
    .client()
    .call('/v1/authenticate', { email: 'owner@alder-bakery.test', password: demoPassword })
  const { boards } = await service.client(token).call('/services/operations/v1/operations/boards/list')
  assert.deepEqual(
    boards.map(({ title }) => title),
    ['Website launch', 'Shop opening'],
  )
})

test('its history reaches back half a year, in order, by members only, and nobody is told of it', async () => {
  const [found] = await sql<Record<string, number | boolean>[]>`
    select min(created_at) < now() - interval '170 days' as is_old, max(created_at) <= now() as is_past,
      count(*) filter (where actor_id is not null) > 1000 as has_much,
      bool_and(actor_id is null or data ? 'rollout_id' or exists (
        select from memberships m where m.project_id = e.project_id and m.user_id = e.actor_id)) as is_by_members
    from events e where project_id > 3 and kind in ('card.updated', 'template.rolled_out')`
  assert.deepEqual(found, { is_old: true, is_past: true, has_much: true, is_by_members: true })
  const unordered = await sql`
    select from (
      select created_at < lag(created_at) over (partition by project_id order by id) as is_wrong from events where project_id > 10
    ) e where is_wrong`
  assert.equal(unordered.length, 0)
  const early = await sql`
    select from events e join projects p on p.id = e.project_id where e.created_at < p.created_at - interval '1 second'`
  assert.equal(early.length, 0)
  const unpublished = await sql`
    select from rollouts p join template_versions v on v.board_id = p.board_id and v.revision = p.revision where p.created_at < v.created_at`
  assert.equal(unpublished.length, 0)
  // The list has the newest first, by id.
  const disordered = await sql`
    select from (select created_at < lag(created_at) over (order by id) or finished_at < started_at as is_wrong from rollouts) r where is_wrong`
  assert.equal(disordered.length, 0)
  const told = await sql`select from inbox_items where project_id > 10`
  assert.equal(told.length, 0)
})

test('its owners get no daily mails, which would bury those of the people whom the demo is about', async () => {
  await seedOutbox(service.db)
  const mails = await sql<{ project_id: number }[]>`
    select u.default_project_id as project_id from mails m join users u on u.email = m.to_address where m.kind = 'digest'`
  assert.ok(mails.length > 0)
  assert.deepEqual(
    mails.filter(({ project_id }) => project_id > 10),
    [],
  )
})

test('its figures show customers at every stage, customized cards and some who are stuck', async () => {
  const admin = '/services/operations/v1/admin'
  const { token } = await service.addUser({ superadmin: true, platformId: 1 })
  const client = service.client(token)
  const { overview } = await client.call(`${admin}/overview/get`)
  assert.equal(overview.projects_count, 239)
  for (const name of ['active_count', 'stuck_count', 'trials_count', 'done_count', 'overdue_count'] as const)
    assert.ok(overview[name] > 0 && overview[name] < overview.cards_count, name)
  assert.ok(overview.weeks.filter(({ done_count: count }) => count > 0).length > 20)
  // A rollout changes cards that were done before, and does not do them anew.
  for (const [index, { week, done_count: count }] of overview.weeks.entries()) {
    const [before, after] = [overview.weeks[index - 1], overview.weeks[index + 1]]
    const beside = Math.max(before?.done_count ?? 0, after?.done_count ?? 0)
    assert.ok(count <= 1.5 * beside + 10, `${week}: ${count}`)
  }
  const website = overview.templates[0]
  const { roll_up } = await client.call(`${admin}/roll-ups/get`, { board_id: website?.id as number })
  const [first] = roll_up.cards
  assert.ok(first && first.counts.done > first.counts.open && first.counts.customized > 0)
  assert.ok(first.median_days !== null && first.median_days > 0)
})

test('the batches of its rollouts took no longer than they did, so that plans expect a true time', async () => {
  const [measured] = await sql<{ milliseconds: number }[]>`
    select sum(milliseconds)::float8 as milliseconds from rollout_batches`
  assert.ok(measured && measured.milliseconds > 0 && measured.milliseconds < seedingTook, String(measured))
})

test('one customer who has left is archived, and the others are listed without it', async () => {
  const admin = '/services/operations/v1/admin'
  const { token } = await service.addUser({ superadmin: true, platformId: 1 })
  const client = service.client(token)
  const { projects, count } = await client.call(`${admin}/projects/list`, { is_archived: true })
  assert.equal(count, 1)
  const [{ id, archived_at, active_at, subscriptions }] = projects as [(typeof projects)[number]]
  assert.ok(id > 3)
  assert.ok((active_at as string) < (archived_at as string))
  assert.deepEqual(
    subscriptions.map(({ status }) => status),
    ['canceled'],
  )
  const { entries } = await client.call('/services/identity/v1/audit/list', { kind: 'project.archived' })
  assert.deepEqual(
    entries.map(({ project_id, at }) => [project_id, at]),
    [[id, archived_at]],
  )
})

test('each number of the overview is that of the list behind it', async () => {
  const admin = '/services/operations/v1/admin'
  const { token } = await service.addUser({ superadmin: true, platformId: 1 })
  const client = service.client(token)
  const { overview } = await client.call(`${admin}/overview/get`)
  const listed = async (filter: object) =>
    (await client.call(`${admin}/projects/list`, { ...filter, limit: 1 })).count
  assert.equal(await listed({}), overview.projects_count)
  assert.equal(await listed({ active_within_days: 7 }), overview.active_count)
  assert.equal(await listed({ inactive_for_days: 14, has_open_cards: true }), overview.stuck_count)
  assert.equal(await listed({ trial_ends_within_days: 7 }), overview.trials_count)
  const { boards } = await client.call(`${admin}/master-boards/list`)
  assert.deepEqual(
    overview.templates.map(({ id, projects_count, access_count }) => [id, projects_count, access_count]),
    boards.map(({ id, covered_count, access_count }) => [id, covered_count, access_count]),
  )
  const { rollouts } = await client.call(`${admin}/rollouts/list`, { is_active: true })
  assert.deepEqual(
    rollouts.map(({ status }) => status),
    ['paused'],
  )
})

test('a rollout in stages is paused: the pilots and more have it, the others wait, and it can be resumed', async () => {
  const { token } = await service.addUser({ superadmin: true, platformId: 1 })
  const client = service.client(token)
  const admin = '/services/operations/v1/admin'
  const { rollouts } = await client.call(`${admin}/rollouts/list`)
  const paused = rollouts.find(({ status }) => status === 'paused')
  assert.ok(paused)
  assert.deepEqual(
    [paused.title, paused.stage, paused.pause_reason, paused.counts.failed],
    ['Shop opening', 2, 'by_hand', 0],
  )
  assert.deepEqual(
    paused.stages.map(({ audience_name, percent, pending }) => [audience_name, percent, pending > 0]),
    [
      ['Pilots', null, false],
      [null, 40, false],
      [null, null, true],
    ],
  )
  assert.ok(paused.counts.changed > 5 && paused.counts.pending > paused.counts.changed)
  // What the stages have adds up to the results beside them.
  const reachedIn = paused.stages.reduce((sum, { projects, pending }) => sum + projects - pending, 0)
  assert.deepEqual(
    [reachedIn, paused.stages.reduce((sum, { projects }) => sum + projects, 0)],
    [paused.counts.projects - paused.counts.pending, paused.counts.projects],
  )
  const days = (Date.now() - Date.parse(paused.started_at ?? '')) / 86_400_000
  assert.equal(Math.round(days), 5)
  const reached = await sql`
    select from rollout_batches where rollout_id = ${paused.id} and changed_ids && array[1, 2, 3]::bigint[]`
  assert.equal(reached.length, 0)
  await client.call(`${admin}/rollouts/resume`, { id: paused.id })
  await eventually(async () => {
    const { rollout } = await client.call(`${admin}/rollouts/get`, { id: paused.id })
    assert.equal(rollout.status, 'waiting')
  })
})

test('one project has failed, for want of room; a campaign is halfway; subscriptions bring more from month to month', async () => {
  const { token } = await service.addUser({ superadmin: true, platformId: 1 })
  const client = service.client(token)
  const { rollouts } = await client.call('/services/operations/v1/admin/rollouts/list')
  const failed = rollouts.find(({ counts }) => counts.failed > 0)
  assert.deepEqual([failed?.status, failed?.counts.failed], ['done', 1])
  const { results } = await client.call('/services/operations/v1/admin/rollouts/get', {
    id: failed?.id as number,
    outcome: 'failed',
  })
  assert.equal(
    results[0]?.error,
    'This project has 200 boards, as many as a project can have. Ask its members to delete one, or raise the limit, then retry.',
  )
  const { campaigns } = await client.call('/services/websites/v1/themes/campaigns/list')
  const [campaign] = campaigns
  assert.ok(campaign && campaign.using_count > 20 && campaign.using_count < campaign.projects_count)
  assert.ok(new Set(campaign.days.map(({ using_count: count }) => count)).size > 5)
  const { summary } = await client.call('/services/platforms/v1/subscriptions/summarize')
  const amounts = (summary.revenue[0]?.months ?? []).map(({ amount }) => amount)
  assert.ok((amounts.at(-1) as number) > (amounts.at(-3) as number) && (amounts.at(-5) as number) > 0)
  assert.ok(summary.ending_count > 0 && summary.past_due_count > 0 && summary.canceled_count > 0)
})

test('the projects of the campaign have its card, dated when they were told, and closed where they have changed since', async () => {
  const told = await sql<{ status: string; is_closed: boolean; count: number }[]>`
    select c.status, k.left_at is not null as is_closed, count(*) from theme_campaigns t
    join theme_campaign_projects k on k.version_id = t.version_id
    join projects p on p.id = k.project_id and p.created_at < t.started_at
    join cards c on c.project_id = k.project_id and c.id = k.card_id and c.due_date = t.deadline and c.created_at = t.started_at
      and c.title = 'Switch the theme from Daybreak 1.0 to Daybreak 2.0'
    join events e on e.project_id = k.project_id and e.card_id = c.id and e.kind = 'card.created' and e.created_at = date_trunc('milliseconds', k.told_at)
    where k.left_at is null or exists (
      select from events done where done.project_id = k.project_id and done.card_id = c.id and done.kind = 'card.evaluated'
        and done.created_at = date_trunc('milliseconds', k.left_at))
    group by 1, 2 order by 1`
  assert.deepEqual(
    told.map(({ status, is_closed }) => [status, is_closed]),
    [
      ['closed', true],
      ['open', false],
    ],
  )
  const projects = await sql`select from theme_campaign_projects`
  assert.equal(
    told.reduce((sum, { count }) => sum + count, 0),
    projects.length,
  )
  // Whoever has left is closed by the check itself, and the job of campaigns finds nothing to do.
  const before = await sql`select project_id, id, updated_at from cards order by 1, 2`
  await followCampaigns(service.db, { quotas: usualQuotas, signal: new AbortController().signal })
  assert.deepEqual(await sql`select project_id, id, updated_at from cards order by 1, 2`, before)
})
