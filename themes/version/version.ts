import { integer, nullable, oneOf, onlyInV2, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { shownAuthor } from '#events/shown-name.ts'
import { deprecation, deprecationOf } from '../campaign/campaign.ts'
import { approvalStatuses, themeStatuses } from './lifecycle.ts'

/** The fields that everyone sees. */
const fields = {
  version_id: integer(),
  project_id: integer(),
  theme_id: integer(),
  theme_name: text(),
  version: text(),
  theme_status: oneOf(themeStatuses),
}

/** A version as the project that owns it sees it. */
export const version = record({
  ...fields,
  project_name: text(),
  approval_status: nullable(oneOf(approvalStatuses)),
  rejection_reason: nullable(text()),
  submitted_at: nullable(timestamp()),
  reviewed_by: nullable(integer()),
  reviewed_at: nullable(timestamp()),
  published_at: nullable(timestamp()),
  deprecated_at: nullable(timestamp()),
  deprecation: onlyInV2(deprecation),
  created_by: nullable(integer()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export type Version = (typeof version)['static']

/** `v` is the version, `t` its theme. */
export const versionColumns = `
  v.id as version_id, v.project_id, (select name from projects where id = v.project_id) as project_name, v.theme_id,
  t.name as theme_name, v.version, v.theme_status, v.approval_status,
  v.rejection_reason, wire_time(v.submitted_at) as submitted_at, ${shownAuthor('v.project_id', 'v.reviewed_by')} as reviewed_by, wire_time(v.reviewed_at) as reviewed_at,
  wire_time(v.published_at) as published_at, wire_time(v.deprecated_at) as deprecated_at, ${deprecationOf('v.id')} as deprecation, ${shownAuthor('v.project_id', 'v.created_by')} as created_by,
  wire_time(v.created_at) as created_at, wire_time(v.updated_at) as updated_at`

export const versionsWithThemes =
  'theme_versions v join themes t on t.project_id = v.project_id and t.id = v.theme_id'

export async function readVersion(
  queries: Queries,
  projectId: number,
  id: number,
): Promise<Version | undefined> {
  const [found] = await queries.run<Version>(
    `select ${versionColumns} from ${versionsWithThemes} where v.project_id = $1 and v.id = $2`,
    [projectId, id],
  )
  return found
}

/** A version as every project sees it, without its people and review, and without the name of the customer who made it. */
export const offeredVersion = record({ ...fields, published_at: timestamp() })

export type OfferedVersion = (typeof offeredVersion)['static']

export const offeredColumns = `
  v.id as version_id, v.project_id, v.theme_id, t.name as theme_name, v.version,
  v.theme_status, wire_time(v.published_at) as published_at`
