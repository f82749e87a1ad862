import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { auditKinds } from '#audit/kinds.ts'
import { listAudit } from '#audit/listing.ts'
import {
  details,
  email,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  record,
  text,
  timestamp,
} from '#contract/schema.ts'

const entry = record({
  id: integer(),
  at: timestamp(),
  kind: oneOf(auditKinds),
  source: oneOf(['api', 'command line']),
  actor_id: nullable(integer()),
  actor_name: nullable(text()),
  actor_email: nullable(text()),
  account_id: nullable(integer()),
  account_name: nullable(text()),
  account_email: nullable(text()),
  project_id: nullable(integer()),
  project_name: nullable(text()),
  address: nullable(text()),
  request_id: nullable(text()),
  details: details(),
})

export default operation({
  path: '/services/identity/v1/audit/list',
  summary:
    'List sign-ins, changes of access, refused access and what operators did to the fleet, newest first, in pages',
  about:
    'Owners see the entries of their project; superadmins see those of their platform, or all. The entries of an account belong to its default project, except those of superadmins. `actor_id` is who did it, and null for a failed sign-in, where it is not known who tried. `account_id` is the account that it is about. `details` depends on the kind: `factor` and `reason` of sign-ins, `role` and `role_before` of members, `operation` and `code` of refused access, `command` and `system_user` of the command line, `rollout`, `template`, `version` and `projects` of rollouts, `project_ids` of what was done to many projects. An entry with `details.count` stands for that many more of the same kind, actor and account in a minute, or of several if it names no actor and no address. A `cursor` continues a list that has its entry.',
  audience: 'see the audit log',
  on: 'project or all',
  input: {
    is_of_project: optional(flag()),
    kind: optional({ ...oneOf(auditKinds), description: 'Only entries of this kind.' }),
    actor: optional(email()),
    person: optional(email()),
    address: optional(text({ max: 100 })),
    from: optional(timestamp()),
    until: optional(timestamp()),
    ...pageInput,
  },
  success: 200,
  message: 'The audit log.',
  output: record({ entries: list(entry), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, platformId, db, fail }) {
    const { kind = null, actor = null, person = null, address = null, from = null, until = null } = input
    const { after, limit } = readPage(input, fail)
    const wanted = { projectId, platformId, kind, actor, person, address, from, until }
    const rows = await listAudit(db, wanted, { after, limit: limit + 1 })
    if (!rows) throw fail(422, { cursor: 'not_valid' })
    const page = pageOf(rows, limit)
    return { entries: page.rows, next_cursor: page.next_cursor }
  },
})
