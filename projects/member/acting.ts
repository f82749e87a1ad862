// Who changes memberships, and the locks under which that happens.
import type { Origin } from '#audit/record.ts'
import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { mayGive, type Role } from '#identity/roles.ts'

/** `isSuperadmin` is also true for the command line. */
export interface Acting {
  projectId: number
  isSuperadmin: boolean
  origin: Origin
}

interface Members {
  /** The role of somebody; undefined if they are no member. */
  of(userId: number): Role | undefined
  owners: number
  /** Whether the acting person may give this role, or take it from somebody. */
  mayGive(role: Role): boolean
}

/** Locks the members that a change is about, all owners and the acting person, in one order, so that two owners cannot remove each other. */
export async function lockMembers(
  { sql }: Queries,
  { projectId, isSuperadmin, origin }: Acting,
  userId: number,
): Promise<Members> {
  const rows = await sql<{ user_id: number; role: Role }[]>`
    select user_id, role from memberships
    where project_id = ${projectId} and (user_id in (${userId}, ${origin.actorId ?? 0}) or role = 'owner')
    order by user_id for update`
  const of = (id: number) => rows.find((row) => row.user_id === id)?.role
  const own = origin.actorId === null ? null : (of(origin.actorId) ?? null)
  return {
    of,
    owners: rows.filter(({ role }) => role === 'owner').length,
    mayGive: (role) => mayGive({ superadmin: isSuperadmin, superadminBilling: false }, own, role),
  }
}

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
