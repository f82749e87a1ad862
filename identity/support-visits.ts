// Superadmins who help a project that they do not belong to. A visit is of one session; until it allows changes, the session can do no
// more in the project than a viewer (api/scope.ts).
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'

const visitHours = 8

export interface Visit {
  reason: string
  /** For reading otherwise. */
  may_change: boolean
  ends_at: string
}

/** `p` is the project, `s` the session. */
export const visitColumn = `(
  select json_build_object('reason', v.reason, 'may_change', v.may_change, 'ends_at', wire_time(v.ends_at)) from support_visits v
  where v.project_id = p.id and v.session_id = s.id and v.ends_at > now()) as support_visit`

/** Begins a visit, or changes what it allows. The audit log of the project says who came, and why. */
export const openVisit = (
  db: Database,
  origin: Origin,
  { projectId, sessionId, reason, mayChange }: Opened,
): Promise<void> =>
  db.transaction(async (queries) => {
    await queries.sql`
      insert into support_visits (project_id, session_id, reason, may_change, ends_at)
      values (${projectId}, ${sessionId}, ${reason}, ${mayChange}, now() + ${`${visitHours} hours`}::interval)
      on conflict (project_id, session_id) do update
        set reason = excluded.reason, may_change = excluded.may_change, ends_at = excluded.ends_at`
    const kind = mayChange ? 'support.changes_allowed' : 'support.opened'
    await recordEntry(queries, origin, { kind, projectId, details: { reason } })
  })

interface Opened {
  projectId: number
  sessionId: number
  reason: string
  mayChange: boolean
}

export async function endVisit({ sql }: Queries, projectId: number, sessionId: number): Promise<void> {
  await sql`delete from support_visits where project_id = ${projectId} and session_id = ${sessionId}`
}

/** Which of the projects the session has open for reading only. */
export async function openForReading(
  { sql }: Queries,
  projectIds: number[],
  sessionId: number,
): Promise<ReadonlySet<number>> {
  const visits = await sql<{ project_id: number }[]>`
    select project_id from support_visits
    where project_id = any(${projectIds}::bigint[]) and session_id = ${sessionId} and not may_change and ends_at > now()`
  return new Set(visits.map(({ project_id }) => project_id))
}
