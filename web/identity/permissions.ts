import { may, type Permission } from '#identity/roles.ts'
import { type Me, useLostConnection, useProject } from '../data/project.tsx'

export const isSuperadmin = (me: Me): boolean => me.user.superadmin

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
  const { superadmin, superadmin_billing: superadminBilling } = me.user
  const { role = null } = me.current_project ?? {}
  const isAllowed = may({ superadmin, superadminBilling }, role === 'superadmin' ? null : role, permission)
  return isAllowed ? lost : (needed[permission] ?? 'Your role does not allow this.')
}
