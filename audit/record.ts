// Writes the audit log. Its rows are never changed; only forgetting.ts deletes them.
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
export async function recordEntry(
  queries: Queries,
  { source, actorId, address, requestId, details: ofOrigin, log }: Origin,
  { kind, accountId = null, projectId, platformId, details: ofEntry, at }: Entry,
): Promise<void> {
  const details: Details = { ...ofEntry, ...ofOrigin }
  // The accounts of superadmins are nobody else's business.
  const [written] = await queries.run<{ id: number; in_project_id: number | null }>(
    `insert into audit_entries (at, kind, source, actor_id, account_id, in_project_id, in_platform_id, address, request_id, details)
     select coalesce($11::text::timestamptz, clock_timestamp()), $1, $2, $3::bigint, $4::bigint, p.id, coalesce(p.platform_id, $10::bigint, u.superadmin_platform_id), $7, $8::text::uuid, $9::text::jsonb
     from (values (1)) one
     left join users u on u.id = $4::bigint
     left join memberships m on m.project_id = u.default_project_id and m.user_id = u.id
     left join projects p on p.id = coalesce($5::bigint, case when $6 and not u.superadmin then m.project_id end)
     returning id, in_project_id`,
    [
      kind,
      source,
      actorId,
      accountId,
      projectId ?? null,
      projectId === undefined,
      address,
      requestId,
      JSON.stringify(details),
      platformId ?? null,
      at ?? null,
    ],
  )
  // Addresses of people stay out of the log.
  const { email: _email, ...shown } = details
  const { id, in_project_id: inProjectId } = written as { id: number; in_project_id: number | null }
  queries.afterCommit(() =>
    log({ id, kind, source, actorId, accountId, projectId: inProjectId, address, requestId, ...shown }),
  )
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
