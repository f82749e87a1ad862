// A theme version that ends: the projects that use it have known for two weeks, and some of them have changed.
import type { Queries } from '#database/connect.ts'
import { seedVersion } from './themes.ts'

interface Seeded {
  /** The project that published the theme. */
  publisherId: number
  userIds: readonly number[]
  actorId: number
}

const startedDaysAgo = 14

export async function seedCampaign(
  queries: Queries,
  { publisherId, userIds, actorId }: Seeded,
): Promise<void> {
  const { sql } = queries
  const [theme] = await sql<{ id: number }[]>`
    insert into themes (project_id, platform_id, name, created_by, created_at)
    select m.project_id, p.platform_id, 'Daybreak', m.user_id, now() - interval '170 days'
    from memberships m join projects p on p.id = m.project_id where m.project_id = ${publisherId} and m.role = 'owner' returning id`
  const of = { projectId: publisherId, themeId: theme?.id as number, name: 'Daybreak' }
  const first = await seedVersion(
    queries,
    { version: '1.0', approval: 'approved', submittedDaysAgo: 160 },
    of,
  )
  const second = await seedVersion(
    queries,
    { version: '2.0', approval: 'approved', submittedDaysAgo: 40 },
    of,
  )
  await sql`
    update theme_versions set theme_status = 'deprecated', deprecated_at = now() - ${startedDaysAgo} * interval '1 day'
    where project_id = ${publisherId} and id = ${first}`
  await sql`
    insert into theme_campaigns (version_id, platform_id, reason, replacement_id, deadline, started_by, started_at)
    select v.id, v.platform_id, 'Daybreak 1.0 loads slowly on phones, and its menus cannot be used with a keyboard.', ${second}::bigint,
      date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '17 days' - interval '1 millisecond', ${actorId}::bigint,
      now() - ${startedDaysAgo} * interval '1 day'
    from theme_versions v where v.project_id = ${publisherId} and v.id = ${first}`
  // Two of five have changed, one after the other.
  const users = userIds.map((id, index) => ({
    project_id: id,
    left_ago: index % 5 < 2 ? (index * 3) % startedDaysAgo : null,
  }))
  await sql`
    insert into theme_choices (project_id, version_id, chosen_by, chosen_at)
    select given.project_id, case when left_ago is null then ${first}::bigint else ${second}::bigint end, m.user_id,
      now() - coalesce(left_ago, 40) * interval '1 day'
    from jsonb_to_recordset(${sql.json(users)}) as given (project_id bigint, left_ago float8)
    join memberships m on m.project_id = given.project_id and m.role = 'owner'
    on conflict (project_id) do update set version_id = excluded.version_id, chosen_at = excluded.chosen_at`
  await sql`
    insert into theme_campaign_projects (project_id, version_id, told_at, left_at)
    select given.project_id, ${first}, now() - left_ago * interval '1 day', now() - left_ago * interval '1 day'
    from jsonb_to_recordset(${sql.json(users)}) as given (project_id bigint, left_ago float8)`
}
