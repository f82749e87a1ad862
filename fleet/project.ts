// A project as superadmins see it in the list of all projects.
import { integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { newestTitle } from '#templates/version/version.ts'

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'canceled', 'expired'] as const

export const projectInFleet = record({
  id: integer(),
  platform_id: integer(),
  name: text(),
  tool_keys: list(text(), { about: 'The keys of its products.' }),
  labels: list(text()),
  subscriptions: list(
    record({
      product: text(),
      plan: nullable(text()),
      status: oneOf(subscriptionStatuses),
      ends_at: nullable(timestamp({ about: 'The end of the trial, or of the period that is paid.' })),
    }),
    { about: 'The newest subscription to each product.' },
  ),
  theme: nullable(record({ version_id: integer(), name: text(), version: text() })),
  members_count: integer(),
  created_at: timestamp(),
  active_at: nullable(timestamp({ about: 'When a member last did something; null before that.' })),
  deleted_at: nullable(timestamp()),
  archived_at: nullable(timestamp()),
  cards_count: integer({ about: 'Cards that came from templates.' }),
  done_count: integer(),
  overdue_count: integer(),
  customized_count: integer({ about: 'Cards that the project has changed or moved since it received them.' }),
  templates: list(
    record({
      id: integer(),
      title: text(),
      version: nullable(
        integer({ about: 'The version that it has; null if it has only received some of its cards.' }),
      ),
      cards_count: integer(),
      done_count: integer(),
    }),
  ),
})

export type ProjectInFleet = (typeof projectInFleet)['static']

/** Not in a project that was created for its members and in which none of them has done anything yet. */
export const wasActive = 'f.active_at > f.created_at'
export const lastActivity = `case when ${wasActive} then f.active_at end`

/** Of the figures `f` of a project `p`. */
export const projectColumns = `
  p.id, p.platform_id, p.name, to_jsonb(f.tool_keys) as tool_keys, to_jsonb(f.labels) as labels, f.subscriptions, (
    select jsonb_build_object('version_id', v.id, 'name', t.name, 'version', v.version)
    from theme_versions v join themes t on t.project_id = v.project_id and t.id = v.theme_id where v.id = f.theme_version_id) as theme,
  f.members as members_count, f.created_at, ${lastActivity} as active_at, f.deleted_at, f.archived_at, f.cards as cards_count, f.done as done_count,
  f.overdue as overdue_count, f.customized as customized_count, (
    select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'title', ${newestTitle('b')}, 'version', (
        select max(v.number) from template_versions v where v.board_id = b.id and v.revision <= s.received_revision),
      'cards_count', coalesce(counted.cards, 0), 'done_count', coalesce(counted.done, 0)) order by b.rank), '[]')
    from project_template_states s join master_boards b on b.id = s.master_board_id and b.deleted_at is null
    left join jsonb_to_recordset(f.templates) as counted (id bigint, cards integer, done integer) on counted.id = b.id
    where s.project_id = f.project_id and (s.received_revision is not null or counted.id is not null)) as templates`
