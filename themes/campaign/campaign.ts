// A campaign that brings projects away from a deprecated theme version, as the operator sees it.
import { integer, list, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

const shownDays = 30
const day = 86_400_000

const named = { version_id: integer(), theme_name: text(), version: text() }

export const campaign = record({
  ...named,
  reason: text(),
  replacement: nullable(record(named)),
  deadline: timestamp({ about: 'The end of a day in UTC.' }),
  started_at: timestamp(),
  projects_count: integer({ about: 'Projects that used the version when the campaign started.' }),
  using_count: integer({ about: 'How many of these still use it.' }),
  moving_since: nullable(
    timestamp({ about: 'Since when they are moved to the replacement; null while they are not.' }),
  ),
  moved_count: integer({ about: 'How many were moved by the operator.' }),
  days: list(record({ day: text(), using_count: integer() }), {
    about: 'How many projects used the version at the end of each day, up to 30.',
  }),
})

export type Campaign = (typeof campaign)['static']

interface Row extends Omit<Campaign, 'days'> {
  id: number
  left_on: { day: string; count: number }[]
}

/** The replacement, unless it was deprecated itself since. */
const nameOf = (id: string) => `(
  select jsonb_build_object('version_id', v.id, 'theme_name', t.name, 'version', v.version)
  from theme_versions v join themes t on t.project_id = v.project_id and t.id = v.theme_id
  where v.id = ${id} and v.theme_status = 'published')`
const projects = `theme_campaign_projects k join projects p on p.id = k.project_id and p.deleted_at is null and p.archived_at is null
  where k.version_id = c.version_id`

/** `c` is the campaign. */
const columns = `
  c.version_id as id, v.id as version_id, t.name as theme_name, v.version, c.reason, ${nameOf('c.replacement_id')} as replacement,
  c.deadline, c.started_at, (select count(*) from ${projects}) as projects_count,
  (select count(*) from ${projects} and k.left_at is null) as using_count, c.moving_since, c.moved as moved_count, (
    select coalesce(jsonb_agg(jsonb_build_object('day', day, 'count', count)), '[]') from (
      select to_char(k.left_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) from ${projects} and k.left_at is not null group by 1
    ) days) as left_on`
const from = `theme_campaigns c join theme_versions v on v.id = c.version_id
  join themes t on t.project_id = v.project_id and t.id = v.theme_id where c.ended_at is null`

/** The campaigns of a platform, or of all, newest version first; `after` is the last id of the page before. */
export async function listCampaigns(
  queries: Queries,
  platformId: number | null,
  { after, limit }: { after: number | null; limit: number },
): Promise<(Campaign & { id: number })[]> {
  const rows = await queries.run<Row>(
    `select ${columns} from ${from} and ($1::bigint is null or c.platform_id = $1) and ($2::bigint is null or c.version_id < $2)
     order by c.version_id desc limit $3`,
    [platformId, after, limit],
  )
  return rows.map((row) => ({ id: row.id, ...shown(row) }))
}

export async function readCampaign(queries: Queries, versionId: number): Promise<Campaign | undefined> {
  const [row] = await queries.run<Row>(`select ${columns} from ${from} and c.version_id = $1`, [versionId])
  return row && shown(row)
}

function shown({ id: _id, left_on: left, ...rest }: Row, now = Date.now()): Campaign {
  const begin = Date.parse(rest.started_at)
  const count = Math.min(Math.floor(now / day) - Math.floor(begin / day) + 1, shownDays)
  const days = Array.from({ length: count }, (_, index) =>
    new Date(now - (count - 1 - index) * day).toISOString().slice(0, 10),
  )
  const leftBy = (last: string) =>
    left.filter((one) => one.day <= last).reduce((sum, one) => sum + one.count, 0)
  return {
    ...rest,
    days: days.map((name) => ({ day: name, using_count: rest.projects_count - leftBy(name) })),
  }
}

/** What the projects that own or use a version are told. */
export const deprecation = {
  ...nullable(record({ reason: text(), deadline: timestamp(), replacement: nullable(record(named)) })),
  description: 'Why the version ends, when, and what to choose instead; null unless there is a campaign.',
}
type Deprecation = NonNullable<(typeof deprecation)['static']>

/** The same in SQL, of the version with this id; null if it has no campaign. */
export const deprecationOf = (versionId: string) => `(
  select jsonb_build_object('reason', c.reason, 'deadline', wire_time(c.deadline), 'replacement', ${nameOf('c.replacement_id')})
  from theme_campaigns c where c.version_id = ${versionId} and c.ended_at is null)`

export async function readDeprecation(queries: Queries, versionId: number): Promise<Deprecation | undefined> {
  const [found] = await queries.run<Deprecation>(
    `select c.reason, c.deadline, ${nameOf('c.replacement_id')} as replacement
     from theme_campaigns c where c.version_id = $1 and c.ended_at is null`,
    [versionId],
  )
  return found
}
