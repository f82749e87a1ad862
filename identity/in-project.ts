import type { Fail, Failure } from '#contract/operation.ts'
import { usualMessages } from '#contract/operation.ts'
import type { Queries } from '#database/connect.ts'
import type { Caller } from './caller.ts'
import { may, type Permission, type Role } from './roles.ts'

/** The tables whose rows an id in a request can name. */
const nouns = {
  boards: 'board',
  groups: 'group',
  cards: 'card',
  comments: 'comment',
  subscriptions: 'subscription',
  tags: 'tag',
  themes: 'theme',
  theme_versions: 'theme version',
}

type Kind = keyof typeof nouns

/** What is never deleted has no column that says so. */
const lasting: readonly Kind[] = ['subscriptions', 'themes', 'theme_versions']

/** The project that an operation acts in, and what the caller is there. */
interface Place {
  projectId: number
  role: Role | null
}

interface Question {
  db: Queries
  caller: Caller
  permission: Permission
  kind: Kind
  id: number
  /** Asks for one that was deleted. */
  isDeleted?: true
}

/**
 * Does something with a thing in the thing's own project: tried in the request's project first, which is one keyed read
 * in the common case, and only then looked for elsewhere. The attempt answers undefined where the project has no such thing.
 */
export async function inProjectOf<Result>(
  question: Question,
  fail: Fail<403 | 404>,
  attempt: (place: Place) => Promise<Result | undefined>,
): Promise<Result> {
  return inProjectOfOrElse(question, fail, attempt, () =>
    fail(404, `There is no ${nouns[question.kind]} with this id.`),
  )
}

/** As inProjectOf, for an id that is not what the operation acts on: what is missing then is a failing field. */
export async function inProjectOfOrElse<Result>(
  { db, caller, permission, kind, id, isDeleted }: Question,
  fail: Fail<403>,
  attempt: (place: Place) => Promise<Result | undefined>,
  missing: () => Failure,
): Promise<Result> {
  const { projectId, projectRole } = caller
  if (projectId !== null && isMember(caller) && may(caller, projectRole, permission)) {
    const result = await attempt({ projectId, role: projectRole })
    if (result !== undefined) return result
  }
  const place = await placeOf(db, caller.id, kind, id, isDeleted === true)
  if (!place) throw missing()
  if (!may(caller, place.role, permission)) throw fail(403, usualMessages[403])
  const result = place.projectId === projectId ? undefined : await attempt(place)
  if (result === undefined) throw missing()
  return result
}

const isMember = (caller: Caller) => caller.projectRole !== null || caller.superadmin

/** Where a thing is, whoever it belongs to, and the caller's role there. */
async function placeOf(
  { sql }: Queries,
  userId: number,
  kind: Kind,
  id: number,
  isDeleted: boolean,
): Promise<Place | undefined> {
  const [found] = await sql<{ project_id: number; role: Role | null }[]>`
    select thing.project_id, membership.role from ${sql(kind)} thing
    join projects project on project.id = thing.project_id and project.deleted_at is null
    left join memberships membership on membership.project_id = thing.project_id and membership.user_id = ${userId}
    where thing.id = ${id} ${lasting.includes(kind) ? sql`` : sql`and (thing.deleted_at is not null) = ${isDeleted}`}`
  return found && { projectId: found.project_id, role: found.role }
}
