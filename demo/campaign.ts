// A theme version that ends: the projects that use it have known for two weeks and have a card that says so, and some of them have changed.
import type { Queries } from '#database/connect.ts'
import type { Payload } from '#events/catalogue.ts'
import { type Said, said, wordsOf } from '#themes/campaign/following.ts'
import { checkOf } from '#themes/campaign/leaving.ts'
import { seedVersion } from './themes.ts'

interface Seeded {
  /** The project that published the theme. */
  publisherId: number
  /** Projects that used the version when the campaign began, and for how many days they exist. */
  users: readonly { id: number; ageDays: number }[]
  actorId: number
}

export const startedDaysAgo = 14

export async function seedCampaign(queries: Queries, { publisherId, users, actorId }: Seeded): Promise<void> {
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
  const rows = users.map(({ id, ageDays }, index) => ({
    project_id: id,
    chosen_ago: Math.min(ageDays, 40),
    left_ago: index % 5 < 2 ? (index * 3) % startedDaysAgo : null,
  }))
  await sql`
    insert into theme_choices (project_id, version_id, chosen_by, chosen_at)
    select given.project_id, case when left_ago is null then ${first}::bigint else ${second}::bigint end, m.user_id,
      now() - coalesce(left_ago, chosen_ago) * interval '1 day'
    from jsonb_to_recordset(${sql.json(rows)}) as given (project_id bigint, chosen_ago float8, left_ago float8)
    join memberships m on m.project_id = given.project_id and m.role = 'owner'
    on conflict (project_id) do update set version_id = excluded.version_id, chosen_at = excluded.chosen_at`
  await sql`
    insert into theme_campaign_projects (project_id, version_id, left_at)
    select given.project_id, ${first}, now() - left_ago * interval '1 day'
    from jsonb_to_recordset(${sql.json(rows)}) as given (project_id bigint, left_ago float8)`
}

interface Told extends Said {
  project_id: number
  version_id: number
}

/**
 * Gives each of these projects the card of the campaign in its first group, as the job of campaigns does, and closes it where the project has changed since.
 * Called when they have boards; returns what happened.
 */
export async function seedCampaignCards({ sql }: Queries, projectIds: readonly number[]) {
  const ids = projectIds as number[]
  const told = await sql<Told[]>`
    select k.project_id, k.version_id, ${sql.unsafe(said)}
    from theme_campaign_projects k join theme_campaigns c on c.version_id = k.version_id join projects p on p.id = k.project_id
    where k.project_id = any(${ids}::bigint[]) order by k.project_id`
  const cards = told.map((one) => ({
    ...{ project_id: one.project_id, version_id: one.version_id, check: checkOf(one.version_id) },
    ...wordsOf(one),
  }))
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.json(cards)}) as given (project_id bigint, version_id bigint, "check" text, title text, description text)
    ), added as (
      insert into cards (project_id, board_id, group_id, title, description, due_date, due_is_date, priority, evaluation_check, rank, sort_order,
        created_at, updated_at)
      select given.project_id, place.board_id, place.group_id, given.title, given.description, c.deadline, true, 'high', given."check", list_end(),
        place.last_order + 1, c.started_at, c.started_at
      from given join theme_campaigns c on c.version_id = given.version_id cross join lateral (
        select g.board_id, g.id as group_id, (
          select coalesce(max(sort_order), 0) from cards where project_id = any(${ids}::bigint[]) and project_id = g.project_id and group_id = g.id) as last_order
        from boards b join groups g on g.project_id = any(${ids}::bigint[]) and g.project_id = b.project_id and g.board_id = b.id
        where b.project_id = any(${ids}::bigint[]) and b.project_id = given.project_id order by b.rank, g.rank limit 1
      ) place order by given.project_id returning project_id, id, evaluation_check
    )
    update theme_campaign_projects k set told_at = c.started_at, card_id = added.id, told_of = c.changed_at, told_deadline = c.deadline,
      told_title = given.title, told_description = given.description
    from added join given on given.project_id = added.project_id and given."check" = added.evaluation_check join theme_campaigns c on c.version_id = given.version_id
    where k.project_id = added.project_id and k.version_id = given.version_id`
  const made = await sql<Made[]>`
    select c.project_id, c.id, c.board_id, k.version_id, card_payload(c, (
        select count(*) from cards beside where beside.project_id = any(${ids}::bigint[]) and beside.project_id = c.project_id
          and beside.group_id = c.group_id and beside.deleted_at is null and beside.rank <= c.rank)) as data,
      wire_time(k.told_at) as told_at, wire_time(k.left_at) as left_at
    from theme_campaign_projects k join cards c on c.project_id = any(${ids}::bigint[]) and c.project_id = k.project_id and c.id = k.card_id
    where k.project_id = any(${ids}::bigint[]) order by c.project_id`
  await sql`
    update cards c set status = 'closed', status_before_evaluation = 'open', evaluated_check = c.evaluation_check, evaluation_passed = true,
      evaluated_at = k.left_at, updated_at = k.left_at
    from theme_campaign_projects k
    where c.project_id = any(${ids}::bigint[]) and k.project_id = c.project_id and k.card_id = c.id and k.left_at is not null`
  return made.flatMap(
    ({ project_id: projectId, id: cardId, board_id: boardId, version_id, data, told_at, left_at }) => {
      const of = { projectId, boardId, cardId, actorId: null }
      return [
        { ...of, at: told_at, kind: 'card.created' as const, data },
        ...(left_at === null
          ? []
          : [
              {
                ...of,
                at: left_at,
                kind: 'card.evaluated' as const,
                data: {
                  evaluation_check: checkOf(version_id),
                  passed: true,
                  changes: { status: { from: 'open', to: 'closed' } },
                },
              },
            ]),
      ]
    },
  )
}

interface Made {
  project_id: number
  id: number
  board_id: number
  version_id: number
  data: Payload<'card.created'>
  told_at: string
  left_at: string | null
}
