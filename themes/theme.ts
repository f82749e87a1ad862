import { integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import { shownAuthor } from '#events/shown-name.ts'

export const theme = record({
  id: integer(),
  project_id: integer(),
  name: text(),
  versions_count: integer(),
  created_by: nullable(integer()),
  created_at: timestamp(),
})

export type Theme = (typeof theme)['static']

/** `t` is the theme. */
export const themeColumns = `
  t.id, t.project_id, t.name,
  (select count(*) from theme_versions v where v.project_id = t.project_id and v.theme_id = t.id) as versions_count,
  ${shownAuthor('t.project_id', 't.created_by')} as created_by, wire_time(t.created_at) as created_at`
