// Where an operation acts: the project of what it declares to act on, and the caller's role there. The router calls `within` for every call of such an operation.
import type { CardinalApi } from '#api/operation.ts'
import { type Failure, usualMessages } from '#contract/operation.ts'
import type { ScopedCall } from '#contract/router.ts'
import type { Queries } from '#database/connect.ts'
import { type Caller, currentProject } from '#identity/caller.ts'
import { isOf, type Role } from '#identity/roles.ts'
import { refuseDuplicates, refuseGroups } from './listed-groups.ts'

/** What is never deleted has no `isDeleted`. */
const things = {
  board: { noun: 'board', table: 'boards', isDeleted: false },
  'deleted board': { noun: 'board', table: 'boards', isDeleted: true },
  group: { noun: 'group', table: 'groups', isDeleted: false },
  'deleted group': { noun: 'group', table: 'groups', isDeleted: true },
  card: { noun: 'card', table: 'cards', isDeleted: false },
  'deleted card': { noun: 'card', table: 'cards', isDeleted: true },
  comment: { noun: 'comment', table: 'comments', isDeleted: false },
  'deleted comment': { noun: 'comment', table: 'comments', isDeleted: true },
  tag: { noun: 'tag', table: 'tags', isDeleted: false },
  subscription: { noun: 'subscription', table: 'subscriptions' },
  theme: { noun: 'theme', table: 'themes' },
  'theme version': { noun: 'theme version', table: 'theme_versions' },
} as const

type Named = keyof typeof things
interface Kind {
  noun: string
  table: string
  isDeleted?: boolean
}

/** What a field can name: a thing, or a deleted board, group or card as the field `kind` says. */
export type Thing = Named | 'deleted thing'

/** The project that an operation acts in, and what the caller is there. */
export interface Scope {
  projectId: number
  role: Role | null
}

export interface ScopeOfThing extends Scope {
  /** Whether an id beside the thing, of which the project has none, names one of a project that the caller may not act in. */
  isForeign(thing: Named, id: number): Promise<boolean>
}

/** What operations without a thing act on: the request's project; or, for superadmins who do not send `is_of_project`, all projects. */
export interface Scopes {
  thing: ScopeOfThing
  project: Scope
  'project or all': { projectId: number | null; role: Role | null }
}

type Call = ScopedCall<CardinalApi>

/** Does the work in the project that the call acts in; 403 where the caller is not of the operation's audience there. */
export async function within(call: Call, work: (scope: Scopes[keyof Scopes]) => Promise<unknown>) {
  const { on, input, caller, services, fail } = call
  if (on === 'project') return work(ownScope(call))
  if (on === 'project or all') {
    const isOfAll = caller.superadmin && !input['is_of_project']
    return work(isOfAll ? { projectId: null, role: caller.projectRole } : ownScope(call))
  }
  const { or, ...named } = on
  const [thing, field] = Object.entries(named)[0] as [Thing, string]
  const isForeign = async (other: Named, otherId: number) => {
    const scope = (await scopesOf(services.db, caller, things[other], [otherId])).get(otherId)
    return scope !== undefined && !isAllowed(call, scope.role)
  }
  const workThere = (scope: Scope) => work({ ...scope, isForeign })
  if (field === 'groups.id') return workThere(await scopeOfGroups(call, input['groups'] as { id: number }[]))
  const id = (input[field] ?? null) as number | null
  const kind = things[thing === 'deleted thing' ? kindOfDeleted(call) : thing]
  const missing = () =>
    or === undefined
      ? fail(404, `There is no ${kind.noun} with this id.`)
      : fail(422, { [field]: [`The selected ${field.replaceAll('_', ' ')} is invalid.`] })
  if (id !== null) return whereItIs(call, { kind, id }, missing, workThere)
  const result = await workThere(ownScope(call))
  if (result === undefined) throw missing()
  return result
}

const kindOfDeleted = ({ input }: Call) => `deleted ${input['kind'] as 'board' | 'group' | 'card'}` as const

const ownScope = ({ caller, audience, fail }: Call): Scope => ({
  projectId: currentProject(caller, audience, fail),
  role: caller.projectRole,
})

/**
 * Tried in the request's project first, which costs nothing in the common case, and only then looked for elsewhere. The work answers
 * undefined where the project has no such thing.
 */
async function whereItIs(
  call: Call,
  { kind, id }: { kind: Kind; id: number },
  missing: () => Failure,
  work: (scope: Scope) => Promise<unknown>,
): Promise<unknown> {
  const { caller, services, fail } = call
  const { projectId, projectRole } = caller
  if (projectId !== null && isAllowed(call, projectRole)) {
    const result = await work({ projectId, role: projectRole })
    if (result !== undefined) return result
  }
  const scope = (await scopesOf(services.db, caller, kind, [id])).get(id)
  if (!scope) throw missing()
  if (!isAllowed(call, scope.role)) throw fail(403, usualMessages[403])
  const result = scope.projectId === projectId ? undefined : await work(scope)
  if (result === undefined) throw missing()
  return result
}

const isAllowed = ({ caller, audience }: Call, role: Role | null) =>
  (role !== null || caller.superadmin) && isOf(audience, caller, role)

/** The scope of the first one: first all ids that name nothing are refused, and only then one that the caller may not touch. */
async function scopeOfGroups(call: Call, groups: readonly { id: number }[]): Promise<Scope> {
  const { caller, services, fail } = call
  refuseDuplicates(groups, fail)
  const ids = groups.map(({ id }) => id)
  const scopes = await scopesOf(services.db, caller, things.group, ids)
  refuseGroups(groups, ({ id }) => !scopes.has(id), fail)
  if ([...scopes.values()].some(({ role }) => !isAllowed(call, role))) throw fail(403, usualMessages[403])
  return scopes.get(ids[0] as number) as Scope
}

/** Where things are, whoever they belong to, and the caller's role there. */
async function scopesOf(
  { sql }: Queries,
  { id: userId }: Caller,
  { table, isDeleted }: Kind,
  ids: number[],
): Promise<Map<number, Scope>> {
  const rows = await sql<{ id: number; project_id: number; role: Role | null }[]>`
    select thing.id, thing.project_id, membership.role from ${sql(table)} thing
    join projects project on project.id = thing.project_id and project.deleted_at is null
    left join memberships membership on membership.project_id = thing.project_id and membership.user_id = ${userId}
    where thing.id = any(${ids}::bigint[])
      ${isDeleted === undefined ? sql`` : sql`and (thing.deleted_at is not null) = ${isDeleted}`}`
  return new Map(rows.map((row) => [row.id, { projectId: row.project_id, role: row.role }]))
}
