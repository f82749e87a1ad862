// Who changes memberships, and the locks under which that happens.
import type { Origin } from '#audit/record.ts'
import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { mayGive, type Role } from '#identity/roles.ts'
import { hasRecentPassword } from '#identity/sessions.ts'

/** `isSuperadmin` is also true for the command line. */
export interface Acting {
  projectId: number
  isSuperadmin: boolean
  origin: Origin
}

interface Members {
  /** The role of somebody; undefined if they are no member. */
  of(userId: number): Role | undefined
  /** Whether the project would be left without an owner who can sign in. Of owners whose accounts are all disabled, the last one stays. */
  isLastOwner(userId: number): boolean
  isDisabled(userId: number): boolean
  /** Whether the acting person may give this role, or take it from somebody. */
  mayGive(role: Role): boolean
}

/** Locks the members that a change is about, all owners and the acting person, in one order, so that two owners cannot remove each other. */
export async function lockMembers(
  { sql }: Queries,
  { projectId, isSuperadmin, origin }: Acting,
  userId: number,
): Promise<Members> {
  const rows = await sql<{ user_id: number; role: Role; is_disabled: boolean }[]>`
    select m.user_id, m.role, u.disabled_at is not null as is_disabled from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and (m.user_id in (${userId}, ${origin.actorId ?? 0}) or m.role = 'owner')
    order by m.user_id for update of m`
  const of = (id: number) => rows.find((row) => row.user_id === id)?.role
  const isDisabled = (id: number) => rows.some((row) => row.user_id === id && row.is_disabled)
  const own = origin.actorId === null ? null : (of(origin.actorId) ?? null)
  return {
    of,
    isDisabled,
    isLastOwner: (id) =>
      of(id) === 'owner' &&
      !rows.some((row) => row.role === 'owner' && row.user_id !== id && (!row.is_disabled || isDisabled(id))),
    mayGive: (role) => mayGive({ superadmin: isSuperadmin, superadminBilling: false }, own, role),
  }
}

/** Somebody who acts on members, some of whom may be owners. */
export interface ActingOnOwners extends Acting {
  /** Of the acting person; null for the command line, which nobody has to confirm. */
  sessionId: number | null
}

/** Whether the acting person has to enter their password again first: a session of days ago must not decide who owns a project. */
export const isUnconfirmed = async (queries: Queries, { sessionId }: ActingOnOwners): Promise<boolean> =>
  sessionId !== null && !(await hasRecentPassword(queries, sessionId))

type MemberEvent =
  | { kind: 'member.joined'; data: { user_id: number; role: Role; invited_by?: number } }
  | { kind: 'member.updated'; data: { user_id: number; changes: { role: { from: Role; to: Role } } } }
  | { kind: 'member.left'; data: { user_id: number } }

/** Tells the project's listeners. */
export async function recordMember(
  queries: Queries,
  { projectId, actorId }: { projectId: number; actorId: number | null },
  event: MemberEvent,
): Promise<void> {
  const changes = await changesOfMany(queries, [projectId])
  await recordEvents(changes, [{ projectId, boardId: null, actorId, ...event }])
}
