import type { Output } from '../../data/client.ts'
import { identity } from '../../data/client.ts'
import { t } from '../../words/words.ts'

export const auditList = `${identity}/audit/list` as const

export type AuditEntry = Output<typeof auditList>['entries'][number]
export type AuditKind = AuditEntry['kind']

export const kindNames: Readonly<Record<AuditKind, string>> = {
  'sign_in.succeeded': t('Signed in'),
  'sign_in.code_requested': t('Right password, code requested'),
  'sign_in.failed': t('Sign-in failed'),
  'reauthentication.failed': t('Password or code not confirmed'),
  'password.changed': t('Password changed'),
  'second_factor.enabled': t('Two-factor authentication turned on'),
  'second_factor.disabled': t('Two-factor authentication turned off'),
  'second_factor.reset': t('Two-factor authentication reset'),
  'second_factor.codes_regenerated': t('New recovery codes'),
  'session.ended': t('Session ended'),
  'sessions.ended': t('Sessions ended'),
  'user.added': t('Account added'),
  'user.changed': t('Account changed'),
  'user.promoted': t('Made a superadmin'),
  'user.demoted': t('No longer a superadmin'),
  'user.disabled': t('Account disabled'),
  'user.enabled': t('Account enabled'),
  'member.added': t('Member added'),
  'member.role_changed': t('Role changed'),
  'member.removed': t('Member removed'),
  'access.refused': t('Access refused'),
  'command.run': t('Command run'),
}
