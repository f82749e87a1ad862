/** Every kind of entry in the audit log. */
export const auditKinds = [
  'sign_in.succeeded',
  'sign_in.code_requested',
  'sign_in.failed',
  'reauthentication.failed',
  'password.changed',
  'second_factor.enabled',
  'second_factor.disabled',
  'second_factor.reset',
  'second_factor.codes_regenerated',
  'session.ended',
  'sessions.ended',
  'user.added',
  'user.changed',
  'user.promoted',
  'user.demoted',
  'user.disabled',
  'user.enabled',
  'member.added',
  'member.role_changed',
  'member.removed',
  'access.refused',
  'command.run',
] as const

export type AuditKind = (typeof auditKinds)[number]
