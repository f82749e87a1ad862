import {
  inPlatform,
  may,
  mayGive,
  type Permission,
  type Role,
  roles,
  staysWhenArchived,
} from '#identity/roles.ts'
import { type Me, useLostConnection, useProject } from '../data/project.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { t } from '../words/words.ts'

export const isSuperadmin = (me: Me): boolean => me.user.superadmin
/** Without two-factor authentication, superadmins can do no more than other users. */
export const actsAsSuperadmin = ({ user }: Me): boolean => user.superadmin && !user.second_factor_needed
export const isBillingSuperadmin = ({ user }: Me): boolean => user.superadmin && user.superadmin_billing

/**
 * What the person may do as a superadmin in the open project: nothing if they are superadmin of another platform. The operator's area shows
 * their own platform.
 */
const inProject = (me: Me) => {
  const { user, current_project: project } = me
  const superadmin = actsAsSuperadmin(me)
  return inPlatform(
    {
      superadmin,
      superadminBilling: superadmin && user.superadmin_billing,
      superadminPlatformId: user.superadmin_platform_id,
    },
    project === null ? user.superadmin_platform_id : project.platform_id,
  )
}

export const isSuperadminHere = (me: Me): boolean => inProject(me).superadmin
export const isBillingSuperadminHere = (me: Me): boolean => {
  const { superadmin, superadminBilling } = inProject(me)
  return superadmin && superadminBilling
}

export const maySeeAuditLog = (me: Me): boolean =>
  actsAsSuperadmin(me) || me.current_project?.role === 'owner'

/** Whether the open project can only be read, until a superadmin brings it back. */
export const isArchived = ({ current_project: project }: Me): boolean => project?.archived_at != null

const mayHere = (me: Me, permission: Permission): boolean => {
  const { role = null } = me.current_project ?? {}
  return (
    may(inProject(me), role === 'superadmin' ? null : role, permission) &&
    (!isArchived(me) || staysWhenArchived(permission))
  )
}

/** Who removes members in an archived project manages them in others. */
export const seesMembers = (me: Me): boolean => mayHere(me, 'remove members')

/** The roles that the person may give to others in the open project, and take from them. */
export function givableRoles(me: Me): readonly Role[] {
  const { role = null } = me.current_project ?? {}
  return roles.filter((one) => mayGive(inProject(me), role === 'superadmin' ? null : role, one))
}

const needed: Partial<Record<Permission, string>> = {
  manage: t('Only admins and owners can do this.'),
  'manage themes': t('Only admins and owners can change themes.'),
  'manage members': t('Only admins and owners can do this.'),
  'remove members': t('Only admins and owners can do this.'),
  'transfer ownership': t('Only the project owner can do this.'),
  'delete the project': t('Only the project owner can do this.'),
  upgrade: t('Only the project owner can do this.'),
  'delete any card': t('Members can delete only cards they created.'),
}

/** Whether the person's role allows it. */
export function useMay(permission: Permission): boolean {
  return mayHere(useProject().me, permission)
}

/** Why the person cannot do it now, or undefined if they can. */
export function useRefusal(permission: Permission): string | undefined {
  const isAllowed = useMay(permission)
  const mayWork = useMay('work')
  const lost = useLostConnection()
  if (isAllowed) return lost
  return mayWork ? (needed[permission] ?? t('Your role does not allow this.')) : viewOnly
}
