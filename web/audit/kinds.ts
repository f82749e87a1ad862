import type { Output } from '../data/client.ts'
import { identity } from '../data/client.ts'
import { t } from '../words/words.ts'

export const auditList = `${identity}/audit/list` as const

export type AuditEntry = Output<typeof auditList>['entries'][number]
export type AuditKind = AuditEntry['kind']

export const kindNames: Readonly<Record<AuditKind, string>> = {
  'sign_in.succeeded': t('Signed in'),
  'sign_in.code_requested': t('Right password, code requested'),
  'sign_in.failed': t('Sign-in failed'),
  'reauthentication.failed': t('Wrong password or code'),
  'session.ended': t('Session ended'),
  'sessions.ended': t('Sessions ended'),
  'password.changed': t('Password changed'),
  'password.reset_requested': t('Password reset requested'),
  'password.reset': t('Password reset'),
  'email.change_requested': t('Change of email requested'),
  'email.changed': t('Email changed'),
  'second_factor.enabled': t('Two-factor authentication turned on'),
  'second_factor.disabled': t('Two-factor authentication turned off'),
  'second_factor.reset': t('Two-factor authentication reset'),
  'second_factor.codes_regenerated': t('New recovery codes'),
  'passkey.added': t('Passkey added'),
  'passkey.removed': t('Passkey removed'),
  'single_sign_on.linked': t('Linked with single sign-on'),
  'single_sign_on.unlinked': t('Unlinked from single sign-on'),
  'user.added': t('Account added'),
  'user.changed': t('Account changed'),
  'user.promoted': t('Made a superadmin'),
  'user.demoted': t('No longer a superadmin'),
  'user.disabled': t('Account disabled'),
  'user.enabled': t('Account enabled'),
  'user.closed': t('Account closed'),
  'member.added': t('Member added'),
  'member.role_changed': t('Role changed'),
  'member.removed': t('Member removed'),
  'member.left': t('Member left'),
  'member.restored': t('Removal of a member undone'),
  'invitation.sent': t('Invitation sent'),
  'invitation.revoked': t('Invitation revoked'),
  'project.created': t('Project created'),
  'project.deleted': t('Project deleted'),
  'project.restored': t('Project restored'),
  'project.archived': t('Project archived'),
  'project.unarchived': t('Project brought back'),
  'project.labeled': t('Labels changed'),
  'project.product_added': t('Product added'),
  'template.published': t('Version published'),
  'template.deleted': t('Template deleted'),
  'template.restored': t('Template restored'),
  'rollout.planned': t('Rollout planned'),
  'rollout.discarded': t('Plan of a rollout discarded'),
  'rollout.started': t('Rollout started'),
  'rollout.reverted': t('Rollout reverted'),
  'rollout.stage_started': t('Next stage started'),
  'rollout.paused': t('Rollout paused'),
  'rollout.resumed': t('Rollout resumed'),
  'rollout.canceled': t('Rollout canceled'),
  'trial.extended': t('Trial extended'),
  'trial.extension_undone': t('Extension of a trial undone'),
  'theme.deprecated': t('Theme version deprecated'),
  'theme.restored': t('Theme version restored'),
  'theme.move_started': t('Move to another theme version started'),
  'theme.move_stopped': t('Move to another theme version stopped'),
  'theme.campaign_changed': t('Theme campaign changed'),
  'theme.campaign_ended': t('Theme campaign ended'),
  'support.opened': t('Opened as support'),
  'support.changes_allowed': t('Changes allowed as support'),
  'access.refused': t('Access refused'),
  'command.run': t('Command run'),
}

/** What may be an attack. */
const worrying: readonly AuditKind[] = ['sign_in.failed', 'reauthentication.failed', 'access.refused']

export const isWorrying = (kind: AuditKind): boolean => worrying.includes(kind)

export const isKind = (name: string): name is AuditKind => Object.hasOwn(kindNames, name)
