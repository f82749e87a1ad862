import type { Identity } from '#contract/admission.ts'
import { type Fail, failOf, usual } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import { byKeyAlone } from '#database/by-keys.ts'
import type { Database } from '#database/connect.ts'
import { gather } from '#database/gather.ts'
import { cookieToken } from './cookie.ts'
import { type Audience, inPlatform, isOf, type Role, type SuperadminOf } from './roles.ts'
import {
  type Carrier,
  type EndReason,
  endReasons,
  extendSession,
  type Lifetimes,
  reasonOfExpiry,
} from './sessions.ts'
import { tokenHash } from './tokens.ts'

export interface Caller extends SuperadminOf {
  id: number
  sessionId: number
  carrier: Carrier
  language: string | null
  /** For superadmins who lack two-factor authentication: what they will be with it. Until then they are ordinary users. */
  pendingRights: SuperadminOf | null
  /** True for superadmins who need no two-factor authentication here: accounts of the demo that only this machine reaches. */
  isExempt: boolean
  /** `X-Project-Id` as sent. */
  requestedProject: string | undefined
  /** The project that the request names, else the default one; null if there is none or it is deleted. */
  projectId: number | null
  projectPlatformId: number | null
  projectRole: Role | null
  isProjectArchived: boolean
}

interface CallerRow {
  place: number
  id: number
  superadmin: boolean
  superadmin_billing: boolean
  language: string | null
  superadmin_platform_id: number | null
  is_protected: boolean
  is_demo: boolean
  session_id: number
  carrier: Carrier
  is_stale: boolean
  project_id: number | null
  project_platform_id: number | null
  project_role: Role | null
  is_project_archived: boolean
  /** What the operation reads alongside. */
  [column: string]: unknown
}

/** What an operation reads together with the caller. */
export interface Alongside<Services> {
  /** Columns: u is the user, s the session, p the project, m the membership, `asked` the values by name. */
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
const callerStatement = ({ columns, types = {} }: Alongside<never>, { lifetimes }: Rules) => `
  select asked.place, u.id, u.superadmin, u.superadmin_billing, u.superadmin_platform_id, u.language, s.id as session_id, s.carrier,
    u.totp_secret is not null or s.passkey_id is not null as is_protected, u.is_demo,
    s.last_used_at < now() - interval '${extendedEverySeconds(lifetimes)} seconds' as is_stale,
    p.id as project_id, p.platform_id as project_platform_id, m.role as project_role,
    p.archived_at is not null as is_project_archived${columns === '' ? '' : `, ${columns}`}
  from json_to_recordset($1::text::json) as asked (place integer, token_hash text, project_id bigint${Object.entries(
    types,
  )
    .map(([name, type]) => `, ${name} ${type}`)
    .join('')})
  join sessions s on s.token_hash = decode(asked.token_hash, 'hex')
  join users u on u.id = s.user_id
  left join lateral (select * from projects where id = coalesce(asked.project_id, u.default_project_id) ${byKeyAlone}) p
    on p.deleted_at is null and p.kind = 'customer'
  left join memberships m on m.project_id = p.id and m.user_id = u.id
  where s.expires_at > now() and u.disabled_at is null`

const nothingAlongside: Alongside<never> = { columns: '' }

/** In steps, so that most calls write nothing, and short ones, because people see when a session was last used. A session may end by one step too early, and never too late. */
const extendedEverySeconds = ({ idleHours }: Lifetimes) => Math.min(300, (idleHours * 3600) / 24)

/** What the operator has decided about callers. */
interface Rules {
  lifetimes: Lifetimes
  /** True if other machines can reach the service. */
  isPublic: boolean
}

/** Looks up the callers of many calls in one statement; each operation that reads something alongside has its own. */
function finder(db: Database, rules: Rules) {
  const ways = new Map<Alongside<never>, (lookup: Lookup) => Promise<CallerRow | undefined>>()
  return (lookup: Lookup, alongside: Alongside<never> = nothingAlongside) => {
    const way =
      ways.get(alongside) ??
      gather((lookups: Lookup[]) => ask<CallerRow>(db, callerStatement(alongside, rules), lookups))
    ways.set(alongside, way)
    return way(lookup)
  }
}

async function ask<Row extends { place: number }>(db: Database, statement: string, lookups: object[]) {
  const asked = JSON.stringify(lookups.map((lookup, place) => ({ ...lookup, place })))
  const answers = Array<Row | undefined>(lookups.length)
  for (const row of await db.run<Row>(statement, [asked])) answers[row.place] = row
  return answers
}

/** Why the tokens of ended sessions are refused. */
const endedStatement = `
  select asked.place, coalesce(e.reason, ${reasonOfExpiry}) as reason
  from json_to_recordset($1::text::json) as asked (place integer, token_hash text)
  left join ended_sessions e on e.token_hash = decode(asked.token_hash, 'hex')
  left join sessions s on s.token_hash = decode(asked.token_hash, 'hex')
  where e.reason is not null or s.expires_at <= now()`

type EndedCodes = { [Reason in EndReason as `session_${Reason}`]: string }

export const credentialFailures = {
  400: { two_credentials: 'Send either a Bearer token or the session cookie, not both.' },
  401: Object.fromEntries(
    Object.entries(endReasons).map(([reason, sentence]) => [`session_${reason}`, sentence]),
  ) as EndedCodes,
} as const

/** The refusal of superadmins who would be admitted with two-factor authentication. */
export const unprotectedFailures = {
  403: {
    second_factor_setup_required:
      'Superadmins need two-factor authentication. Set it up in your account, then try again.',
  },
} as const

/** The refusal of superadmins who have opened a project as support, for reading only. */
export const visitorFailures = {
  403: {
    support_read_only:
      'You opened this project as support, for reading only. Allow changes or leave the project, then try again.',
  },
} as const

/** The refusal of those who would be admitted if the project were not archived. */
export const archivedFailures = {
  403: {
    project_archived:
      'This project is archived and can only be read. The operator of Cardinal can bring it back.',
  },
} as const

/** The contract fixes the message of a 401, so only the code says why. */
const endedFailure = (reason: EndReason) =>
  failOf(credentialFailures)(401, `session_${reason}`, { text: usual[401].unauthenticated })

/** Reads the credentials and looks up the caller. Nothing is cached, so a revoked or expired session or a disabled user is refused at once. */
export function callerIdentifier<Services>(db: Database, services: Services, rules: Rules) {
  const find = finder(db, rules)
  const findEnded = gather((lookups: { token_hash: string }[]) =>
    ask<{ place: number; reason: EndReason }>(db, endedStatement, lookups),
  )
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
    if (!row) {
      const ended = await findEnded({ token_hash: hash })
      return { caller: undefined, ...(ended && { problem: endedFailure(ended.reason) }) }
    }
    if (row.carrier !== (bearer === undefined ? 'cookie' : 'bearer')) return { caller: undefined }
    // A database that cannot be written can still be read; the next call tries again.
    if (row.is_stale)
      await extendSession(db, { id: row.session_id, userId: row.id }, rules.lifetimes).catch(() => {})
    const rights = {
      superadmin: row.superadmin,
      superadminBilling: row.superadmin_billing,
      superadminPlatformId: row.superadmin_platform_id,
    }
    // A proxy that nobody declared makes a service public without its knowledge.
    const isExempt =
      row.superadmin && !row.is_protected && row.is_demo && !rules.isPublic && !http.isForwarded
    const isPending = row.superadmin && !row.is_protected && !isExempt
    const caller = {
      id: row.id,
      ...(isPending ? noRights : rights),
      pendingRights: isPending ? rights : null,
      isExempt,
      sessionId: row.session_id,
      carrier: row.carrier,
      language: row.language,
      requestedProject,
      projectId: row.project_id,
      projectPlatformId: row.project_platform_id,
      projectRole: row.project_role,
      isProjectArchived: row.is_project_archived,
    }
    if (!operation || (await admits(db, operation.audience, caller)))
      return { alongside: row, caller, isAdmitted: operation !== undefined }
    const refusal = failOf(projectFailures)(403, refusalOf(operation.audience, caller))
    return { alongside: row, caller, isAdmitted: false, refusal }
  }
}

const noRights: SuperadminOf = { superadmin: false, superadminBilling: false, superadminPlatformId: null }

/** The code with which a caller is refused who is not in the audience. */
export const refusalOf = (audience: 'public' | Audience, { pendingRights }: Caller) =>
  pendingRights !== null && audience !== 'public' && isOf(audience, pendingRights, null)
    ? 'second_factor_setup_required'
    : 'forbidden'

const readable = (body: Record<string, unknown> | string) => (typeof body === 'string' ? {} : body)

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
export const inProject = (caller: Caller): Caller => callerIn(caller, caller.projectPlatformId)

/** The caller as they are in a platform. */
export const callerIn = (caller: Caller, platformId: number | null): Caller =>
  caller.pendingRights === null
    ? inPlatform(caller, platformId)
    : { ...caller, pendingRights: inPlatform(caller.pendingRights, platformId) }

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
  403: { ...usual[403], no_project: 'You are a member of no project.', ...unprotectedFailures[403] },
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
  if (projectId === null) throw fail(403, requestedProject === undefined ? 'no_project' : 'forbidden')
  const code = refusalOf(audience, there)
  if (!isInside(caller))
    throw fail(403, code === 'forbidden' && requestedProject === undefined ? 'no_project' : code)
  if (!isOf(audience, there, projectRole)) throw fail(403, code)
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
