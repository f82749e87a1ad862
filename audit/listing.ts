import type { Queries, Value } from '#database/connect.ts'
import type { AuditKind } from './kinds.ts'
import type { Origin } from './record.ts'

interface Listed {
  id: number
  at: string
  kind: AuditKind
  source: Origin['source']
  actor_id: number | null
  actor_name: string | null
  actor_email: string | null
  account_id: number | null
  account_name: string | null
  account_email: string | null
  project_id: number | null
  project_name: string | null
  address: string | null
  request_id: string | null
  details: Record<string, unknown>
}

export interface Wanted {
  /** Null for entries of all projects and of no project. */
  projectId: number | null
  /** Null for entries of all platforms and of no platform. */
  platformId: number | null
  kind: AuditKind | null
  /** The email address of who did it. */
  actor: string | null
  /** The email address of who did it, of whom it is about, or that was tried at sign-in. */
  person: string | null
  /** The IP address. */
  address: string | null
  from: string | null
  until: string | null
}

/** One page, newest first; `after` is the last id of the page before. Undefined if `after` is not the id of a wanted entry. */
export async function listAudit(
  queries: Queries,
  wanted: Wanted,
  { after, limit }: { after: number | null; limit: number },
): Promise<Listed[] | undefined> {
  if (after !== null && !(await isListed(queries, wanted, after))) return undefined
  const values: Value[] = []
  const given = (value: Value) => `$${values.push(value)}`
  const conditions = [
    ...conditionsOf(wanted, given),
    ...(after === null
      ? []
      : [`(e.at, e.id) < (select at, id from audit_entries where id = ${given(after)})`]),
  ]
  const most = given(limit)
  const page = (more: string[]) => {
    const all = [...conditions, ...more]
    return `(select * from audit_entries e ${all.length > 0 ? `where ${all.join(' and ')}` : ''}
       order by e.at desc, e.id desc limit ${most})`
  }
  // A page for each way to find a person, each read from its own index.
  const pages =
    wanted.person === null ? [page([])] : waysToFind(given(wanted.person)).map((way) => page([way]))
  // A project's owner does not see where superadmins work.
  const address =
    wanted.projectId === null
      ? 'e.address'
      : 'case when actor.superadmin or actor.was_superadmin then null else e.address end'
  return queries.run<Listed>(
    `select e.id, e.at, e.kind, e.source, e.actor_id, actor.name as actor_name, actor.email as actor_email,
       e.account_id, account.name as account_name, account.email as account_email,
       e.in_project_id as project_id, p.name as project_name, ${address} as address, e.request_id, e.details
     from (${pages.join(' union ')}) e
     left join users actor on actor.id = e.actor_id
     left join users account on account.id = e.account_id
     left join projects p on p.id = e.in_project_id
     order by e.at desc, e.id desc limit ${most}`,
    values,
  )
}

/** Only the conditions that are asked for, so that each combination has its own plan. */
function conditionsOf(wanted: Wanted, given: (value: Value) => string): string[] {
  const { projectId, platformId, kind, actor, address, from, until } = wanted
  return [
    projectId !== null && `e.in_project_id = ${given(projectId)}`,
    platformId !== null && `e.in_platform_id = ${given(platformId)}`,
    kind !== null && `e.kind = ${given(kind)}`,
    actor !== null && `e.actor_id = ${userWith(given(actor))}`,
    address !== null && `e.address = ${given(address)}`,
    // An owner, to whom the addresses of superadmins are not shown, cannot find them by trying.
    address !== null && projectId !== null && notOfSuperadmins,
    from !== null && `e.at >= ${given(from)}::text::timestamptz`,
    until !== null && `e.at < ${given(until)}::text::timestamptz`,
  ].filter((condition) => condition !== false)
}

async function isListed(queries: Queries, wanted: Wanted, id: number): Promise<boolean> {
  const values: Value[] = []
  const given = (value: Value) => `$${values.push(value)}`
  const { person } = wanted
  const conditions = [
    `e.id = ${given(id)}`,
    ...conditionsOf(wanted, given),
    ...(person === null ? [] : [`(${waysToFind(given(person)).join(' or ')})`]),
  ]
  const found = await queries.run(`select from audit_entries e where ${conditions.join(' and ')}`, values)
  return found.length > 0
}

const userWith = (email: string) => `(select id from users where lower(email) = lower(${email}))`

const notOfSuperadmins =
  'not exists (select from users where id = e.actor_id and (superadmin or was_superadmin))'

/** The entries of a person: by whom, about whom, or the email address that was tried at sign-in without such an account. */
const waysToFind = (email: string) => [
  `e.actor_id = ${userWith(email)}`,
  `e.account_id = ${userWith(email)}`,
  `lower(e.details ->> 'email') = lower(${email})`,
]
