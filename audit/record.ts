// Writes the audit log. Its rows are never changed; only forgetting.ts deletes them.
import type { Fragment } from '#database/assignments.ts'
import type { Queries } from '#database/connect.ts'
import type { AuditKind } from './kinds.ts'

/** Where an action came from. */
export interface Origin {
  source: 'api' | 'command line'
  /** Null if nobody is signed in. */
  actorId: number | null
  address: string | null
  requestId: string | null
  /** What all its entries say in addition. */
  details?: Details
  /** Writes the entry's line of the log. */
  log(line: object): void
}

type Details = Readonly<Record<string, string | number | boolean | null | readonly number[]>>

export interface Entry {
  kind: AuditKind
  /** The account that it is about. */
  accountId?: number | null
  /** By default the default project of the account if it is a member, so that its owner sees what happens to the accounts of their people. */
  projectId?: number | null
  /** Of what is in no project; superadmins of that platform see it. */
  platformId?: number
  details?: Details
  /** When it happened, if that was earlier, as in the demo. */
  at?: string
}

/** Adds an entry, in the transaction of the change if there is one; its line of the log is written after the commit. */
export async function recordEntry(queries: Queries, origin: Origin, entry: Entry): Promise<void> {
  const { sql } = queries
  const [written] = await insertEntry(sql, origin, entry, sql``)
  queries.afterCommit(() => logEntry(origin, entry, written as Written))
}

/** What the table gave an entry. */
export interface Written {
  id: number
  in_project_id: number | null
}

/** The statement that adds an entry, as a part of the one that does the change; the entry is added if `condition` holds. */
export function insertEntry(
  sql: Queries['sql'],
  { source, actorId, address, requestId, details }: Origin,
  { kind, accountId = null, projectId, platformId, details: ofEntry, at }: Entry,
  condition: Fragment,
) {
  // The accounts of superadmins are nobody else's business.
  return sql<Written[]>`
    insert into audit_entries (at, kind, source, actor_id, account_id, in_project_id, in_platform_id, address, request_id, details)
    select coalesce(${at ?? null}::text::timestamptz, clock_timestamp()), ${kind}, ${source}, ${actorId}::bigint, ${accountId}::bigint, p.id,
      coalesce(p.platform_id, ${platformId ?? null}::bigint, u.superadmin_platform_id), ${address}, ${requestId}::text::uuid,
      ${JSON.stringify({ ...ofEntry, ...details })}::text::jsonb
    from (values (1)) one
    left join users u on u.id = ${accountId}::bigint
    left join memberships m on m.project_id = u.default_project_id and m.user_id = u.id
    left join projects p on p.id = coalesce(${projectId ?? null}::bigint, case when ${projectId === undefined} and not u.superadmin then m.project_id end)
    ${condition}
    returning id, in_project_id`
}

/** Writes the line of the log of an entry that was added. */
export function logEntry(
  { source, actorId, address, requestId, details, log }: Origin,
  { kind, accountId = null, details: ofEntry }: Entry,
  { id, in_project_id: projectId }: Written,
): void {
  // Addresses of people stay out of the log.
  const { email: _email, ...shown }: Details = { ...ofEntry, ...details }
  log({ id, kind, source, actorId, accountId, projectId, address, requestId, ...shown })
}

/** Adds one entry about many projects: one in each platform, or in the project itself if it is the only one there. */
export async function recordForProjects(
  queries: Queries,
  origin: Origin,
  projectIds: readonly number[],
  { kind, details }: Pick<Entry, 'kind' | 'details'>,
): Promise<void> {
  const platforms = await queries.sql<{ platform_id: number; ids: number[] }[]>`
    select platform_id, array_agg(id order by id) as ids from projects where id = any(${projectIds as number[]}::bigint[]) group by platform_id`
  for (const { platform_id: platformId, ids } of platforms) {
    const [only] = ids as [number, ...number[]]
    const about = ids.length === 1 ? { projectId: only } : { projectId: null, platformId }
    await recordEntry(queries, origin, {
      ...about,
      kind,
      details: { ...details, projects: ids.length, ...(ids.length > 1 && { project_ids: ids }) },
    })
  }
}
