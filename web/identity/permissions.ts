import type { Permission, Role } from '#identity/roles.ts'
import { type Me, useLostConnection, useProject } from '../data/project.tsx'

export const isSuperadmin = (me: Me): boolean => me.user.superadmin

const ladder: readonly string[] = ['viewer', 'member', 'admin', 'owner']

const least: Partial<Record<Permission, Role>> = {
  read: 'viewer',
  work: 'member',
  'delete any card': 'admin',
  manage: 'admin',
  'manage themes': 'admin',
  upgrade: 'owner',
}

const needed: Partial<Record<Permission, string>> = {
  work: 'You have read-only access to this project.',
  manage: 'Only admins and owners can do this.',
  'manage themes': 'Only admins and owners can change themes.',
  upgrade: 'Only the project owner can do this.',
  'delete any card': 'Members can delete only cards they created.',
}

/** Why the person cannot do it now, or undefined if they can. */
export function useRefusal(permission: Permission): string | undefined {
  const { me } = useProject()
  const lost = useLostConnection()
  const isAbove = isSuperadmin(me) && (permission !== 'upgrade' || me.user.superadmin_billing)
  const step = ladder.indexOf(me.current_project?.role ?? '')
  if (!isAbove && step < ladder.indexOf(least[permission] ?? 'owner'))
    return needed[permission] ?? 'Your role does not allow this.'
  return lost
}
