// The log of a template: who changed what, published it and rolled it out, made from its revisions, versions and rollouts.
import { integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { boardFields, cardFields, groupFields } from './rules.ts'

const fieldNames = [
  ...new Set([...boardFields, ...groupFields, ...cardFields, 'status' as const, 'is_active' as const]),
]

const loggedChange = record({
  thing: oneOf(['template', 'group', 'card']),
  thing_id: integer(),
  title: text(),
  action: oneOf(['created', 'updated', 'moved', 'deleted', 'restored']),
  fields: list(oneOf(fieldNames)),
})

export const logEntry = record({
  /** The time of the entry in microseconds, by which the log is ordered. */
  id: integer(),
  kind: oneOf(['change', 'version', 'rollout']),
  /** Of a change: what was changed at once, 20 things at most. */
  changes: list(loggedChange),
  changes_count: integer(),
  /** The number of the version that was published or rolled out. */
  version: nullable(integer()),
  note: nullable(text()),
  rollout_id: nullable(integer()),
  rollout_kind: nullable(oneOf(['board', 'card', 'removal', 'revert', 'reset'])),
  /** The title of what was rolled out. */
  title: nullable(text()),
  projects_count: nullable(integer({ about: 'How many projects a rollout has changed so far.' })),
  created_by: integer(),
  created_by_name: nullable(text()),
  created_at: timestamp(),
})

type LogEntry = (typeof logEntry)['static']

const mostChanges = 20
const micros = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`

type Kind = 'board' | 'group' | 'card'

const contents = {
  board: [...boardFields, 'is_active'],
  group: groupFields,
  card: [...cardFields, 'status', 'is_active'],
} as const

/** Each revision of the wanted ones with the state before it. */
const changesOf = (kind: Kind, thing: string) => `
  select r.revision, '${thing}' as thing, r.${kind}_id as thing_id, r.title,
    case when was.revision is null then 'created' when r.is_deleted and not was.is_deleted then 'deleted'
      when was.is_deleted and not r.is_deleted then 'restored'
      ${kind === 'board' ? '' : `when ${contents[kind].map((name) => `r.${name} is not distinct from was.${name}`).join(' and ')} then 'moved'`}
      else 'updated' end as action,
    case when was.revision is null then '{}' else array_remove(array[${contents[kind]
      .map((name) => `case when r.${name} is distinct from was.${name} then '${name}' end`)
      .join(', ')}], null) end as fields
  from wanted join master_${kind}_revisions r on r.board_id = $1 and r.revision = wanted.revision
  left join lateral (
    select * from master_${kind}_revisions before where before.${kind}_id = r.${kind}_id and before.revision < r.revision
    order by before.revision desc limit 1
  ) was on true`

const isBefore = (time: string) => `($2::bigint is null or ${micros(time)} < $2)`

/** A rollout may have been planned long before. */
const beganAt = 'coalesce(p.started_at, p.created_at)'

/** Of a rollout in `page`; one that has ended has kept it. */
const projectsCount = `case when page.kind = 'rollout' then coalesce((page.totals -> 'counts' -> 'changed')::bigint, (
  select coalesce(sum(changed), 0)::bigint from rollout_batches where rollout_id = page.rollout_id)) end`

/** The newest entries of each kind first, so that only the changes of one page are compared. */
const statement = `
  with changed as (
    select distinct revision, created_by, created_at from (
      select revision, created_by, created_at from master_board_revisions where board_id = $1 and ${isBefore('created_at')}
      union all select revision, created_by, created_at from master_group_revisions where board_id = $1 and ${isBefore('created_at')}
      union all select revision, created_by, created_at from master_card_revisions where board_id = $1 and ${isBefore('created_at')}
    ) states
  ), entries as (
    select 'change' as kind, 0 as place, revision, null::integer as version, null as note, null::bigint as rollout_id,
      null::rollout_kind as rollout_kind, null as title, null::jsonb as totals, created_by, created_at from changed
    union all
    select 'version', 1, revision, number, note, null, null, null, null, created_by, created_at from template_versions
    where board_id = $1 and ${isBefore('created_at')}
    union all
    select 'rollout', 2, p.revision, v.number, null, p.id, p.kind, p.title, p.totals, p.created_by, ${beganAt}
    from rollouts p left join template_versions v on v.board_id = p.board_id and v.revision = p.revision
    where p.board_id = $1 and p.status not in ('planning', 'planned') and ${isBefore(beganAt)}
  ), page as materialized (
    select * from entries order by created_at desc fetch first $3 rows with ties
  ), wanted as (select revision from page where kind = 'change'),
  changes as (
    ${changesOf('board', 'template')} union all ${changesOf('group', 'group')} union all ${changesOf('card', 'card')}
  ), numbered as (
    select *, row_number() over (partition by revision order by thing = 'card', thing = 'group', thing_id) as number,
      count(*) over (partition by revision) as count from changes
  )
  select ${micros('page.created_at')} as id, page.kind, page.version, page.note, page.rollout_id, page.rollout_kind, page.title, ${projectsCount} as projects_count, page.created_by,
    u.name as created_by_name, wire_time(page.created_at) as created_at, coalesce(of_page.count, 0) as changes_count,
    coalesce(of_page.changes, '[]') as changes
  from page left join users u on u.id = page.created_by
  left join lateral (
    select max(count) as count, json_agg(json_build_object('thing', thing, 'thing_id', thing_id, 'title', title, 'action', action,
      'fields', fields) order by number) filter (where number <= ${mostChanges}) as changes
    from numbered where page.kind = 'change' and numbered.revision = page.revision
  ) of_page on true
  order by page.created_at desc, page.place desc, page.revision desc`

/** The newest entries before a time, at least `limit` if there are as many: entries of the same moment are never apart. */
export async function listLog(
  queries: Queries,
  boardId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<LogEntry[]> {
  return queries.run<LogEntry>(statement, [boardId, before, limit])
}
