// Finds where an operation acts: the project of the thing that it declares, and the caller's role there. The router calls `within` for every call of such an operation.
import type { CardinalApi } from '#api/operation.ts'
import { type Fail, Failure, usual } from '#contract/failure.ts'
import type { ScopedCall } from '#contract/router.ts'
import type { Queries } from '#database/connect.ts'
import {
  archivedFailures,
  type Caller,
  callerIn,
  credentialFailures,
  currentProject,
  inProject,
  projectFailures,
  refusalOf,
  unprotectedFailures,
  visitorFailures,
} from '#identity/caller.ts'
import { isOf, type Permission, permissions, type Role, roleMay, staysWhenArchived } from '#identity/roles.ts'
import { openForReading } from '#identity/support-visits.ts'
import { notFound } from './failures.ts'
import {
  badCards,
  badGroups,
  badIds,
  badLists,
  idsIn,
  isListField,
  type ListField,
  refuseMissing,
  refuseRepeated,
} from './listed.ts'
import { choosePlatform, platformFailures } from './platform.ts'
import type { Target } from './target.ts'

/** Things that are never deleted have no `isDeleted`. */
const things = {
  board: { missing: 'board_not_found', table: 'boards', isDeleted: false },
  'deleted board': { missing: 'board_not_found', table: 'boards', isDeleted: true },
  group: { missing: 'group_not_found', table: 'groups', isDeleted: false },
  'deleted group': { missing: 'group_not_found', table: 'groups', isDeleted: true },
  card: { missing: 'card_not_found', table: 'cards', isDeleted: false },
  'deleted card': { missing: 'card_not_found', table: 'cards', isDeleted: true },
  comment: { missing: 'comment_not_found', table: 'comments', isDeleted: false },
  'deleted comment': { missing: 'comment_not_found', table: 'comments', isDeleted: true },
  tag: { missing: 'tag_not_found', table: 'tags', isDeleted: false },
  view: { missing: 'view_not_found', table: 'saved_views' },
  'deleted tag': { missing: 'tag_not_found', table: 'tags', isDeleted: true },
  subscription: { missing: 'subscription_not_found', table: 'subscriptions' },
  project: { missing: 'project_not_found', table: 'projects', isDeleted: false },
  theme: { missing: 'theme_not_found', table: 'themes' },
  'theme version': { missing: 'theme_version_not_found', table: 'theme_versions' },
} as const

/** Things that are in a platform and in no project: the table of each, and its column with the template if the template tells the platform. */
const platformThings = {
  template: { table: 'master_boards', template: 'id' },
  'template group': { table: 'master_groups', template: 'board_id' },
  'template card': { table: 'master_cards', template: 'board_id' },
  rollout: { table: 'rollouts', template: 'board_id' },
  audience: { table: 'audiences', template: null },
} as const

export type PlatformThing = keyof typeof platformThings

const isOfPlatform = (thing: string): thing is PlatformThing => thing in platformThings

/** Whether the project of the request is a part of what it asks for. */
export const isInProject = (on: Call['on'] | undefined): boolean =>
  on !== undefined && on !== 'platform' && (typeof on === 'string' || !Object.keys(on).some(isOfPlatform))

/** Refusals that operations need not declare. */
export const beforehand = {
  ...credentialFailures,
  ...projectFailures,
  403: { ...projectFailures[403], ...visitorFailures[403], ...archivedFailures[403] },
  404: {
    board_not_found: 'There is no board with this id.',
    group_not_found: 'There is no group with this id.',
    card_not_found: 'There is no card with this id.',
    comment_not_found: 'There is no comment with this id.',
    tag_not_found: 'There is no tag with this id.',
    view_not_found: 'There is no saved view with this id.',
    subscription_not_found: 'There is no subscription with this id.',
    project_not_found: 'There is no project with this id.',
    theme_not_found: 'There is no theme with this id.',
    theme_version_not_found: 'There is no theme version with this id.',
  },
  422: {
    ...platformFailures[422],
    ...badGroups,
    ...badCards,
    ...badIds,
    group_id: notFound,
    board_id: notFound,
  },
} as const

/** The refusals among them that an operation can give. */
export interface Beforehand {
  400?: (typeof beforehand)[400]
  401?: (typeof beforehand)[401]
  403?: Partial<(typeof beforehand)[403]>
  404?: Partial<(typeof beforehand)[404]>
  422?: Partial<(typeof beforehand)[422]>
}

export function beforehandOf(
  audience: 'public' | Call['audience'],
  on: Call['on'] | undefined,
  writes: boolean,
): Beforehand {
  const always = beforehandOfAll(audience, on)
  if (!writes || on === undefined || !isBeyondViewers(audience)) return always
  const archived = staysWhenArchived(audience) ? {} : archivedFailures[403]
  return { ...always, 403: { ...always[403], ...visitorFailures[403], ...archived } }
}

/** Whether members need more than the role of a viewer. What only superadmins do is not done in the project. */
const isBeyondViewers = (audience: string): audience is Permission =>
  isPermission(audience) && !roleMay('viewer', audience)

const isPermission = (audience: string): audience is Permission => audience in permissions

function beforehandOfAll(audience: string, on: Call['on'] | undefined): Beforehand {
  if (audience === 'public') return {}
  const forbidden = { ...usual[403], ...unprotectedFailures[403] }
  if (on === undefined)
    return audience === 'signed in' ? credentialFailures : { ...credentialFailures, ...unprotectedFailures }
  if (on === 'platform') return { ...credentialFailures, ...platformFailures, 403: forbidden }
  if (typeof on === 'string') return { ...credentialFailures, ...projectFailures }
  const { or, ...named } = on
  const [thing, field] = Object.entries(named)[0] as [Thing, string]
  if (isOfPlatform(thing)) return { ...credentialFailures, 403: forbidden }
  if (isListField(field)) return { ...credentialFailures, 403: forbidden, 422: badLists[field] }
  if (or !== undefined) {
    const named = { [field.replace('.', '.*.')]: notFound }
    return { ...credentialFailures, ...projectFailures, 422: { ...projectFailures[422], ...named } }
  }
  const kinds = thing === 'deleted thing' ? (['board', 'group', 'card'] as const) : [thing]
  const codes = kinds.map((kind) => things[kind].missing)
  return {
    ...credentialFailures,
    403: forbidden,
    404: Object.fromEntries(codes.map((code) => [code, beforehand[404][code]])),
  }
}

type Named = keyof typeof things
interface Kind {
  table: string
  isDeleted?: boolean
}

/** What a field can name: a thing, or a deleted board, group or card as the field `kind` says. */
export type Thing = Named | PlatformThing | 'deleted thing'

/** The project that an operation acts in, and the caller with their role there. */
export interface Scope {
  projectId: number
  role: Role | null
  /** A superadmin of another platform is an ordinary user here. */
  caller: Caller
  /** Why the caller is only a viewer here: as a superadmin who has opened the project as support for reading, or as anybody in an archived one. */
  viewerBecause?: 'support_read_only' | 'project_archived'
}

interface ScopeOfThing extends Scope {
  /** True if the id names a thing of a project where the caller may not act. Handlers ask for ids that this project does not have. */
  isForeign(thing: Named, id: number): Promise<boolean>
}

/**
 * What operations act on without a thing of a project: the request's project; for superadmins who do not send `is_of_project`, all
 * projects of their platform, or of all if it is null; or the platform in which something is created.
 */
export interface Scopes {
  thing: ScopeOfThing
  project: Scope
  'project or all': Omit<Scope, 'projectId'> & { projectId: number | null; platformId: number | null }
  platform: { platformId: number }
}

interface Call extends ScopedCall<CardinalApi> {
  fail: Fail<typeof beforehand>
}

/** Does the work in the project that the call acts in; 403 if the caller is not in the operation's audience there. */
export async function within(scoped: ScopedCall<CardinalApi>, work: (scope: object) => Promise<unknown>) {
  const call: Call = { ...scoped, fail: scoped.failOf(beforehand) }
  const { on, input, caller, fail } = call
  if (on === 'project') return work(await ownScope(call))
  if (on === 'project or all') {
    const isOfAll = caller.superadmin && !input['is_of_project']
    const platformId = caller.superadminPlatformId
    return work(
      isOfAll
        ? { projectId: null, platformId, role: caller.projectRole, caller }
        : { ...(await ownScope(call)), platformId: null },
    )
  }
  if (on === 'platform') return work({ platformId: await choosePlatform(call) })
  const { or, ...named } = on
  const [thing, field] = Object.entries(named)[0] as [Thing, string]
  if (isOfPlatform(thing)) return inOwnPlatform(call, thing, field, work)
  const workThere = async (scope: Scope) => {
    let target: Partial<Target> = { projectId: shownProject(scope) }
    const isForeign = async (other: Named, otherId: number) => {
      const there = (await scopesOf(call, things[other], [otherId])).get(otherId)
      if (!there || isAllowed(call, there)) return false
      target = { kind: other, id: otherId, projectId: shownProject(there) }
      return true
    }
    try {
      return await work({ ...scope, isForeign })
    } catch (error) {
      if (error instanceof Failure) error.target ??= target
      throw error
    }
  }
  if (isListField(field)) return workThere(await scopeOfListed(call, things[thing as Named], field))
  if (field.includes('.')) return workThere(await scopeOfProjects(call, field))
  const id = (input[field] ?? null) as number | null
  const kind = things[thing === 'deleted thing' ? kindOfDeleted(call) : thing]
  const missing = () =>
    or === undefined
      ? fail(404, kind.missing)
      : call.failOf({ 422: { [field]: notFound } })(422, { [field]: 'not_found' })
  if (id !== null) return whereItIs(call, { kind, id }, missing, workThere)
  const result = await workThere(await ownScope(call))
  if (result === undefined) throw missing()
  return result
}

/** The project that a record of a refusal may name. */
const shownProject = ({ projectId, role }: Scope) => (role === null ? null : projectId)

const kindOfDeleted = ({ input }: Call) => `deleted ${input['kind'] as 'board' | 'group' | 'card'}` as const

async function ownScope(call: Call): Promise<Scope> {
  const { caller, audience, fail } = call
  const projectId = currentProject(caller, audience, fail)
  const scope = await currentScope(call, projectId)
  refuseUnlessAllowed(call, new Map([[projectId, scope]]))
  return scope
}

async function currentScope(call: Call, projectId: number): Promise<Scope> {
  const { projectRole: role, isProjectArchived: isArchived } = call.caller
  const there = whereArchived(call, { projectId, role, caller: inProject(call.caller) }, isArchived)
  const [scope] = await asVisitor(call, [there])
  return scope as Scope
}

/** Makes people viewers where they write in an archived project. Others than those who may write do not learn that it is archived. */
const whereArchived = (call: Call, scope: Scope, isArchived: boolean): Scope =>
  call.writes &&
  isArchived &&
  isPermission(call.audience) &&
  (call.audience === 'read' || !staysWhenArchived(call.audience)) &&
  isAllowed(call, scope)
    ? asViewer(scope, 'project_archived')
    : scope

const asViewer = (scope: Scope, viewerBecause: NonNullable<Scope['viewerBecause']>): Scope => ({
  ...scope,
  ...{ role: 'viewer', viewerBecause },
  caller: { ...scope.caller, superadmin: false, superadminBilling: false },
})

/** Makes a superadmin a viewer where their session has a visit for reading. Only writes of superadmins who are no members cost a read. */
async function asVisitor(
  { audience, writes, caller: { sessionId }, services: { db } }: Call,
  scopes: Scope[],
): Promise<Scope[]> {
  const isAsked = ({ role, caller }: Scope) =>
    writes && isPermission(audience) && role === null && caller.superadmin
  const asked = scopes.filter(isAsked).map(({ projectId }) => projectId)
  if (asked.length === 0) return scopes
  const reading = await openForReading(db, asked, sessionId)
  return scopes.map((scope) =>
    isAsked(scope) && reading.has(scope.projectId) ? asViewer(scope, 'support_read_only') : scope,
  )
}

/** Refuses things of another platform. The handler says what follows from an id that names nothing. */
async function inOwnPlatform(
  { caller, input, services: { db }, fail }: Call,
  thing: PlatformThing,
  field: string,
  work: (scope: object) => Promise<unknown>,
): Promise<unknown> {
  if (caller.superadminPlatformId !== null) {
    const { sql } = db
    const { table, template } = platformThings[thing]
    const id = input[field] as number
    const [found] =
      template === null
        ? await sql<{ platform_id: number }[]>`select platform_id from ${sql(table)} where id = ${id}`
        : await sql<{ platform_id: number }[]>`
            select m.platform_id from ${sql(table)} thing join master_boards m on m.id = thing.${sql(template)}
            where thing.id = ${id}`
    if (found && found.platform_id !== caller.superadminPlatformId) throw fail(403, 'forbidden')
  }
  return work({})
}

/**
 * Tries the request's project first, so the common case costs no extra read, and only then looks elsewhere. The work returns
 * undefined if the project has no such thing. In a transaction the failed try would leave that project locked, and two requests
 * that each name a thing of the other's project would deadlock; so there the project is tried only if it has the thing.
 */
async function whereItIs(
  call: Call,
  { kind, id }: { kind: Kind; id: number },
  missing: () => Failure,
  work: (scope: Scope) => Promise<unknown>,
): Promise<unknown> {
  const { caller, services } = call
  const { projectId } = caller
  const own = projectId === null ? undefined : await currentScope(call, projectId)
  const isTried =
    own !== undefined &&
    isAllowed(call, own) &&
    (!services.isInTransaction || (await isIn(services.db, kind, own.projectId, id)))
  if (isTried) {
    const result = await work(own)
    if (result !== undefined) return result
  }
  const scope = (await scopesOf(call, kind, [id])).get(id)
  if (!scope) throw missing()
  refuseUnlessAllowed(call, new Map([[id, scope]]))
  const result = scope.projectId === projectId ? undefined : await work(scope)
  if (result === undefined) throw missing()
  return result
}

/** Judges the scopes of things by their ids. */
function refuseUnlessAllowed(call: Call, scopes: ReadonlyMap<number, Scope>): void {
  for (const [id, scope] of scopes) {
    if (isAllowed(call, scope)) continue
    const code = scope.viewerBecause ?? refusalOf(call.audience, scope.caller)
    const failure = call.fail(403, code)
    failure.target = { id, projectId: shownProject(scope) } satisfies Partial<Target>
    throw failure
  }
}

const isAllowed = ({ audience }: Call, { role, caller }: Scope) =>
  (role !== null || caller.superadmin) && isOf(audience, caller, role)

/** The scope of the first thing. All ids that name nothing are refused first, and only then a thing that the caller may not change. */
async function scopeOfListed(call: Call, kind: Kind, field: ListField): Promise<Scope> {
  const { fail } = call
  const ids = idsIn(field, call.input)
  refuseRepeated(field, ids, fail)
  const scopes = await scopesOf(call, kind, ids)
  refuseMissing(field, ids, (id) => !scopes.has(id), fail)
  refuseUnlessAllowed(call, scopes)
  return scopes.get(ids[0] as number) as Scope
}

/**
 * The request's project, for entries of a list that name none; all ids are judged like those of groups. Archived projects are refused only if there is no
 * other: one customer who pauses should not keep a program from working on all others.
 */
async function scopeOfProjects(call: Call, field: string): Promise<Scope> {
  const { input, caller, audience, fail } = call
  const [list, name] = field.split('.') as [string, string]
  const ids = (input[list] as Record<string, number | null>[]).map((entry) => entry[name] ?? null)
  const named = [...new Set(ids.filter((id) => id !== null))]
  const scopes = await scopesOf(call, things.project, named)
  const missing = ids.flatMap((id, index) =>
    id === null || scopes.has(id) ? [] : [[`${list}.${index}.${name}`, 'not_found']],
  )
  if (missing.length > 0)
    throw call.failOf({ 422: { [`${list}.*.${name}`]: notFound } })(422, Object.fromEntries(missing))
  const ownId = ids.includes(null) ? currentProject(caller, audience, fail) : undefined
  if (ownId !== undefined) scopes.set(ownId, await currentScope(call, ownId))
  const open = new Map([...scopes].filter(([, scope]) => scope.viewerBecause !== 'project_archived'))
  refuseUnlessAllowed(call, open.size > 0 ? open : scopes)
  return scopes.get(ownId ?? (named[0] as number)) as Scope
}

async function isIn({ sql }: Queries, { table }: Kind, projectId: number, id: number): Promise<boolean> {
  if (table === 'projects') return id === projectId
  const found = await sql`select from ${sql(table)} where project_id = ${projectId} and id = ${id}`
  return found.length > 0
}

interface ScopeRow {
  id: number
  project_id: number
  platform_id: number
  is_archived: boolean
  role: Role | null
}

/** The projects of things, in any project, and the caller with their role there. */
async function scopesOf(call: Call, { table, isDeleted }: Kind, ids: number[]): Promise<Map<number, Scope>> {
  const { caller, services } = call
  const { sql } = services.db
  const rows = await sql<ScopeRow[]>`
    select thing.id, project.id as project_id, project.platform_id, project.archived_at is not null as is_archived, membership.role from ${sql(table)} thing
    join projects project on project.id = thing.${sql(table === 'projects' ? 'id' : 'project_id')}
      and project.deleted_at is null and project.kind = 'customer'
    left join memberships membership on membership.project_id = project.id and membership.user_id = ${caller.id}
    where thing.id = any(${ids}::bigint[])
      ${isDeleted === undefined ? sql`` : sql`and (thing.deleted_at is not null) = ${isDeleted}`}`
  const scopes = rows.map(
    ({ project_id: projectId, platform_id: platformId, is_archived: isArchived, role }) =>
      whereArchived(call, { projectId, role, caller: callerIn(caller, platformId) }, isArchived),
  )
  const found = await asVisitor(call, scopes)
  return new Map(rows.map(({ id }, index) => [id, found[index] as Scope]))
}
