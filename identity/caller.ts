import type { Identity } from '#contract/admission.ts'
import { type Fail, failOf, usual } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import type { Database } from '#database/connect.ts'
import { gather } from '#database/gather.ts'
import { cookieToken } from './cookie.ts'
import { type Audience, inPlatform, isOf, type Role, type SuperadminOf } from './roles.ts'
import { type Carrier, sessionDays } from './sessions.ts'
import { tokenHash } from './tokens.ts'

export interface Caller extends SuperadminOf {
  id: number
  sessionId: number
  carrier: Carrier
  language: string | null
  /** `X-Project-Id` as sent. */
  requestedProject: string | undefined
  /** The project that the request names, else the default one; null if there is none or it is deleted. */
  projectId: number | null
  projectPlatformId: number | null
  projectRole: Role | null
}

interface CallerRow {
  place: number
  id: number
  superadmin: boolean
  superadmin_billing: boolean
  language: string | null
  superadmin_platform_id: number | null
  session_id: number
  carrier: Carrier
  is_stale: boolean
  project_id: number | null
  project_platform_id: number | null
  project_role: Role | null
  /** What the operation reads alongside. */
  [column: string]: unknown
}

/** What an operation reads together with the caller. */
export interface Alongside<Services> {
  /** Columns: u is the user, p the project, m the membership, `asked` the values by name. */
  columns: string
  /** The names and PostgreSQL types of the values. */
  types?: Readonly<Record<string, string>>
  /** Made from the body, which is not validated yet and may hold anything, and from the parts of the service. */
  values?(body: Record<string, unknown>, services: Services): Record<string, unknown>
}

interface Lookup extends Record<string, unknown> {
  token_hash: string
  project_id: number | null
}

/** One statement reads all about many calls: their sessions, users, projects and roles, and what the operation reads alongside. */
const callerStatement = ({ columns, types = {} }: Alongside<never>) => `
  select asked.place, u.id, u.superadmin, u.superadmin_billing, u.superadmin_platform_id, u.language, s.id as session_id, s.carrier,
    s.last_used_at < now() - interval '1 hour' as is_stale,
    p.id as project_id, p.platform_id as project_platform_id, m.role as project_role${columns === '' ? '' : `, ${columns}`}
  from json_to_recordset($1::text::json) as asked (place integer, token_hash text, project_id bigint${Object.entries(
    types,
  )
    .map(([name, type]) => `, ${name} ${type}`)
    .join('')})
  join sessions s on s.token_hash = decode(asked.token_hash, 'hex')
  join users u on u.id = s.user_id
  left join projects p on p.id = coalesce(asked.project_id, u.default_project_id)
    and p.deleted_at is null and p.kind = 'customer'
  left join memberships m on m.project_id = p.id and m.user_id = u.id
  where s.expires_at > now() and u.disabled_at is null`

const nothingAlongside: Alongside<never> = { columns: '' }

/** Looks up the callers of many calls in one statement; each operation that reads something alongside has its own. */
function finder(db: Database) {
  const ways = new Map<Alongside<never>, (lookup: Lookup) => Promise<CallerRow | undefined>>()
  return (lookup: Lookup, alongside: Alongside<never> = nothingAlongside) => {
    const way =
      ways.get(alongside) ?? gather((lookups: Lookup[]) => ask(db, callerStatement(alongside), lookups))
    ways.set(alongside, way)
    return way(lookup)
  }
}

async function ask(db: Database, statement: string, lookups: Lookup[]) {
  const asked = JSON.stringify(lookups.map((lookup, place) => ({ ...lookup, place })))
  const answers = Array<CallerRow | undefined>(lookups.length)
  for (const row of await db.run<CallerRow>(statement, [asked])) answers[row.place] = row
  return answers
}

export const credentialFailures = {
  400: { two_credentials: 'Send either a Bearer token or the session cookie, not both.' },
} as const

/** Reads the credentials and looks up the caller. Nothing is cached, so a revoked or expired session or a disabled user is refused at once. */
export function callerIdentifier<Services>(db: Database, services: Services) {
  const find = finder(db)
  return async (
    http: Exchange,
    operation: { audience: 'public' | Audience; alongside?: Alongside<Services> } | undefined,
    body: () => Record<string, unknown> | string,
  ): Promise<Identity<Caller>> => {
    const alongside = operation?.alongside
    const bearer = /^Bearer +(.+)$/i.exec(http.header('authorization') ?? '')?.[1]
    const cookie = cookieToken(http)
    if (bearer !== undefined && cookie !== undefined)
      return { caller: undefined, problem: failOf(credentialFailures)(400, 'two_credentials') }
    const hash = tokenHash(bearer ?? cookie ?? '')
    if (!hash) return { caller: undefined }

    const requestedProject = http.header('x-project-id')
    const values = alongside?.values?.(readable(body()), services)
    const row = await find(
      { token_hash: hash, project_id: wholeNumber(requestedProject), ...values },
      alongside,
    )
    if (!row || row.carrier !== (bearer === undefined ? 'cookie' : 'bearer')) return { caller: undefined }
    // A database that cannot be written can still be read; the next call tries again.
    if (row.is_stale) await extendSession(db, row.session_id).catch(() => {})
    const caller = {
      id: row.id,
      superadmin: row.superadmin,
      superadminBilling: row.superadmin_billing,
      superadminPlatformId: row.superadmin_platform_id,
      sessionId: row.session_id,
      carrier: row.carrier,
      language: row.language,
      requestedProject,
      projectId: row.project_id,
      projectPlatformId: row.project_platform_id,
      projectRole: row.project_role,
    }
    const isAdmitted = operation && (await admits(db, operation.audience, caller))
    return { alongside: row, caller, isAdmitted: isAdmitted === true }
  }
}

const readable = (body: Record<string, unknown> | string) => (typeof body === 'string' ? {} : body)

/** The lifetime is extended in steps of an hour, so most calls write nothing. */
async function extendSession({ sql }: Database, sessionId: number) {
  await sql`
    update sessions set last_used_at = now(), expires_at = now() + ${`${sessionDays} days`}::interval
    where id = ${sessionId}`
}

/** The tenant that a call counts for: the project, or the caller if they are not a member of it. */
export const tenantOf = (caller: Caller): string =>
  isInside(caller) ? `project ${caller.projectId}` : `user ${caller.id}`

/** The platform whose catalogue the caller sees: the one of the request's project if they may open it, else their own. */
export const ownPlatform = (caller: Caller): number | null =>
  isInside(caller) ? caller.projectPlatformId : caller.superadminPlatformId

/** Whether the caller may open the request's project. */
export const isInside = (caller: Caller): boolean =>
  caller.projectId !== null && (caller.projectRole !== null || inProject(caller).superadmin)

/** The caller as they are in the platform of the request's project. */
export const inProject = (caller: Caller): Caller => inPlatform(caller, caller.projectPlatformId)

/** Whether the caller may do it in any project; for most calls the project of the request answers that without reading the others. */
async function admits(db: Database, audience: 'public' | Audience, caller: Caller): Promise<boolean> {
  if (audience === 'public' || isOf(audience, caller, caller.projectRole)) return true
  if (audience === 'superadmin' || audience === 'superadmin with billing') return false
  const [row] = await db.sql<{ role: Role | null }[]>`
    select max(m.role) as role from memberships m
    join projects p on p.id = m.project_id and p.deleted_at is null where m.user_id = ${caller.id}`
  return isOf(audience, caller, row?.role ?? null)
}

export const projectFailures = {
  403: { ...usual[403], no_project: 'You are a member of no project.' },
  422: { 'x-project-id': { not_an_integer: 'The :attribute field must be an integer.' } },
} as const

/** The id of the request's project; refuses callers who are outside the audience there or, except superadmins, not a member. */
export function currentProject(
  caller: Caller,
  audience: Audience,
  fail: Fail<typeof projectFailures>,
): number {
  const { requestedProject, projectId, projectRole } = caller
  refuseMalformedProject(caller, fail)
  const there = inProject(caller)
  if (projectId === null || !isInside(caller))
    throw fail(403, requestedProject === undefined ? 'no_project' : 'forbidden')
  if (!isOf(audience, there, projectRole)) throw fail(403, 'forbidden')
  return projectId
}

export function refuseMalformedProject(
  { requestedProject }: Caller,
  fail: Fail<Pick<typeof projectFailures, 422>>,
): void {
  if (requestedProject !== undefined && wholeNumber(requestedProject) === null)
    throw fail(422, { 'x-project-id': 'not_an_integer' })
}

function wholeNumber(value: string | undefined): number | null {
  const number = value !== undefined && /^\d{1,16}$/.test(value) ? Number(value) : null
  return number !== null && Number.isSafeInteger(number) ? number : null
}
