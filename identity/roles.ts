// The only place that says who may do what. docs/roles.md and the derived tests are made from this file.

/** From the least to the most powerful; each may do everything that the roles before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

interface Rule {
  least: Role
  /** Superadmins may do everything everywhere, unless it takes this flag as well. */
  superadminNeeds?: 'superadmin_billing'
}

const rules = {
  read: { least: 'viewer' },
  work: { least: 'member' },
  'delete any card': { least: 'admin' },
  manage: { least: 'admin' },
  'manage members': { least: 'admin' },
  'remove members': { least: 'admin' },
  'transfer ownership': { least: 'owner' },
  'delete the project': { least: 'owner' },
  'manage themes': { least: 'admin' },
  upgrade: { least: 'owner', superadminNeeds: 'superadmin_billing' },
  'see the audit log': { least: 'owner' },
} as const satisfies Record<string, Rule>

export type Permission = keyof typeof rules

export const permissions: Readonly<Record<Permission, Rule>> = rules

/** What each permission is for, in docs/roles.md. Beside the rules, because the web app has those too. */
export const permitted: Readonly<Record<Permission, string>> = {
  read: 'read boards, cards, comments, tags and themes; save views for oneself',
  work: 'create, update and move cards; comment; tags; save views for the project; update and reorder groups; delete and restore own cards and comments; report the results of checks; dismiss the tour and bring it back',
  'delete any card': "delete and restore anyone's cards and comments",
  manage: 'create, change, delete and restore boards; create, delete and restore groups; change the project',
  'manage members':
    'invite members, change their roles, bring removed ones back, see their addresses; only owners do this with owners',
  'remove members': 'remove members and revoke invitations; only owners remove owners',
  'transfer ownership': 'transfer the ownership of the project to another member',
  'delete the project': 'delete the project, and restore it within 30 days',
  'manage themes':
    "create, submit, publish, deprecate and restore versions of the project's themes; choose the theme that the project uses",
  upgrade: 'upgrade the trial, see its orders and payments; cancel and resume the subscription',
  'see the audit log': 'see who signed in, changed access or was refused',
}

/** Besides `public`: any signed-in user, a permission in some project, all superadmins, or only superadmins with `superadmin_billing`. */
export type Audience = 'signed in' | 'superadmin' | 'superadmin with billing' | Permission

/** What a user may do in every project of a platform. */
export interface Superadmin {
  superadmin: boolean
  superadminBilling: boolean
}

/** A user whose rights differ between platforms. */
export interface SuperadminOf extends Superadmin {
  /** The platform whose superadmin they are; null for superadmins of all platforms. */
  superadminPlatformId: number | null
}

/** The user as they are in a platform: a superadmin of another one is an ordinary user there. */
export const inPlatform = <User extends SuperadminOf>(user: User, platformId: number | null): User =>
  user.superadminPlatformId === null || user.superadminPlatformId === platformId
    ? user
    : { ...user, superadmin: false, superadminBilling: false }

export function roleMay(role: Role | null, permission: Permission): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(permissions[permission].least)
}

/** What people keep in an archived project, where they can otherwise change no more than a viewer. Access can always be taken away. */
export const keptWhenArchived: readonly Permission[] = [
  'read',
  'remove members',
  'delete the project',
  'upgrade',
  'see the audit log',
]

export const staysWhenArchived = (permission: Permission): boolean => keptWhenArchived.includes(permission)

/** Whether somebody may give a role to others, or take it from them: nobody can give more than they have. */
export const mayGive = (user: Superadmin, own: Role | null, role: Role): boolean =>
  user.superadmin || (roleMay(own, 'manage members') && roles.indexOf(own as Role) >= roles.indexOf(role))

/** Whether a user with this role in a project may do it there. */
export function may(user: Superadmin, role: Role | null, permission: Permission): boolean {
  if (user.superadmin)
    return (
      permissions[permission].superadminNeeds === undefined ||
      user.superadminBilling ||
      roleMay(role, permission)
    )
  return roleMay(role, permission)
}

/** Whether a user with this role in a project is in the audience there. */
export function isOf(audience: Audience, user: Superadmin, role: Role | null): boolean {
  if (audience === 'signed in') return true
  if (audience === 'superadmin') return user.superadmin
  if (audience === 'superadmin with billing') return user.superadmin && user.superadminBilling
  return may(user, role, audience)
}
