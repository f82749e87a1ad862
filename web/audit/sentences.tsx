import type { ReactNode } from 'react'
import type { Role } from '#identity/roles.ts'
import { roleNames } from '../identity/role-names.ts'
import { toolName } from '../projects/tools.ts'
import { rich } from '../words/rich.tsx'
import { counted, t } from '../words/words.ts'
import type { AuditEntry, AuditKind } from './kinds.ts'

interface Named {
  actor: ReactNode
  account: ReactNode
}

type Sentence = (named: Named, entry: AuditEntry) => ReactNode

/** The entry as a sentence, with the names of people in bold. */
export function sentenceOf(entry: AuditEntry): ReactNode {
  const named = {
    actor: <strong dir="auto">{actorOf(entry)}</strong>,
    account: <strong dir="auto">{accountOf(entry)}</strong>,
  }
  return sentences[entry.kind](named, entry)
}

/** Who did it. */
export function actorOf({ actor_name, source, details }: AuditEntry): string {
  if (actor_name !== null) return actor_name
  if (source === 'api') return String(details['email'] ?? t('Someone'))
  const user = details['system_user']
  return typeof user === 'string' ? t('{user} on the command line', { user }) : t('The command line')
}

const accountOf = ({ account_name, details }: AuditEntry): string =>
  account_name ?? String(details['email'] ?? t('an unknown account'))

const isOwn = ({ actor_id, account_id }: AuditEntry) => actor_id !== null && actor_id === account_id

const roleOf = (role: unknown) => roleNames[role as Role] ?? String(role)

const sentences: Readonly<Record<AuditKind, Sentence>> = {
  'sign_in.succeeded': ({ actor }) => rich('{actor} signed in', { actor }),
  'sign_in.code_requested': ({ account }) =>
    rich('Someone entered the right password of {account} and was asked for a code', { account }),
  'sign_in.failed': ({ account }, { account_id, details }) =>
    account_id === null && details['email'] === undefined
      ? t('Sign-ins to several accounts failed')
      : rich('Sign-in as {account} failed', { account }),
  'reauthentication.failed': ({ actor }) => rich('{actor} entered a wrong password or code', { actor }),
  'session.ended': ({ actor, account }, entry) =>
    entry.details['reason'] === 'limit_reached'
      ? rich('The least recently used session of {account} ended', { account })
      : rich('{actor} ended a session', { actor }),
  'sessions.ended': ({ actor }) => rich('{actor} ended their sessions', { actor }),
  'password.changed': ({ actor, account }, entry) =>
    isOwn(entry)
      ? rich('{actor} changed their password', { actor })
      : rich('{actor} changed the password of {account}', { actor, account }),
  'password.reset_requested': ({ account }) =>
    rich('Someone asked for a link to reset the password of {account}', { account }),
  'password.reset': ({ account }) =>
    rich('The password of {account} was reset with the link of an email', { account }),
  'email.change_requested': ({ actor }) => rich('{actor} asked to change their email address', { actor }),
  'email.changed': ({ actor }) => rich('{actor} changed their email address', { actor }),
  'second_factor.enabled': ({ actor }) => rich('{actor} turned on two-factor authentication', { actor }),
  'second_factor.disabled': ({ actor }) => rich('{actor} turned off two-factor authentication', { actor }),
  'second_factor.reset': ({ actor, account }) =>
    rich('{actor} reset the two-factor authentication of {account}', { actor, account }),
  'second_factor.codes_regenerated': ({ actor }) => rich('{actor} created new recovery codes', { actor }),
  'passkey.added': ({ actor }, { details }) =>
    rich('{actor} added the passkey {name}', { actor, name: passkeyOf(details) }),
  'passkey.removed': ({ actor }, { details }) =>
    rich('{actor} removed the passkey {name}', { actor, name: passkeyOf(details) }),
  'single_sign_on.linked': ({ actor }) => rich('{actor} linked their account with single sign-on', { actor }),
  'single_sign_on.unlinked': ({ actor }) =>
    rich('{actor} unlinked their account from single sign-on', { actor }),
  'user.added': ({ actor, account }, entry) =>
    entry.details['single_sign_on'] === true
      ? rich('{actor} got an account by single sign-on', { actor })
      : entry.details['invited'] === true
        ? rich('{actor} created an account with an invitation', { actor })
        : entry.details['signed_up'] === true
          ? rich('{actor} signed up', { actor })
          : isOwn(entry)
            ? rich('{actor} set up Cardinal and created the first account', { actor })
            : rich('{actor} added the account {account}', { actor, account }),
  'user.changed': ({ actor, account }, { details }) => {
    if (details['enable_ai'] === true)
      return rich('{actor} allowed {account} to use AI features', { actor, account })
    if (details['enable_ai'] === false)
      return rich('{actor} no longer allows {account} to use AI features', { actor, account })
    return rich('{actor} changed the account {account}', { actor, account })
  },
  'user.promoted': ({ actor, account }) => rich('{actor} made {account} a superadmin', { actor, account }),
  'user.demoted': ({ actor, account }) =>
    rich('{actor} took the superadmin rights from {account}', { actor, account }),
  'user.disabled': ({ actor, account }) => rich('{actor} disabled the account {account}', { actor, account }),
  'user.enabled': ({ actor, account }) => rich('{actor} enabled the account {account}', { actor, account }),
  'user.closed': ({ account }) => rich('{account} closed their account', { account }),
  'member.added': ({ actor, account }, entry) =>
    isOwn(entry) && entry.details['invited_by'] !== undefined
      ? rich('{actor} accepted an invitation as {role}', { actor, role: roleOf(entry.details['role']) })
      : rich('{actor} added {account} as {role}', { actor, account, role: roleOf(entry.details['role']) }),
  'member.role_changed': ({ actor, account }, { details }) =>
    rich('{actor} changed the role of {account} from {before} to {role}', {
      actor,
      account,
      before: roleOf(details['role_before']),
      role: roleOf(details['role']),
    }),
  'member.removed': ({ actor, account }) =>
    rich('{actor} removed {account} from the project', { actor, account }),
  'member.left': ({ actor }) => rich('{actor} left the project', { actor }),
  'member.restored': ({ actor, account }, { details }) =>
    rich('{actor} undid the removal of {account}, who is {role} again', {
      actor,
      account,
      role: roleOf(details['role']),
    }),
  'invitation.sent': ({ actor }, { details }) =>
    rich('{actor} invited {email} as {role}', {
      actor,
      email: <strong dir="auto">{String(details['email'])}</strong>,
      role: roleOf(details['role']),
    }),
  'invitation.revoked': ({ actor }, { details }) =>
    rich('{actor} revoked the invitation of {email}', {
      actor,
      email: <strong dir="auto">{String(details['email'])}</strong>,
    }),
  'project.created': ({ actor }) => rich('{actor} created the project', { actor }),
  'project.deleted': ({ actor }) => rich('{actor} deleted the project', { actor }),
  'project.restored': ({ actor }) => rich('{actor} restored the project', { actor }),
  'project.archived': ({ actor }) => rich('{actor} archived the project', { actor }),
  'project.unarchived': ({ actor }) => rich('{actor} brought the archived project back', { actor }),
  'project.labeled': ({ actor }) => rich('{actor} changed labels', { actor }),
  'project.product_added': ({ actor }, { details }) =>
    rich('{actor} added the product {product}', { actor, product: String(details['product']) }),
  'template.published': ({ actor }, { details }) =>
    rich('{actor} published version {version} of {template}', {
      actor,
      version: String(details['version']),
      template: quoted(details['template']),
    }),
  'template.deleted': ({ actor }, { details }) =>
    rich('{actor} deleted the template {template}', { actor, template: quoted(details['template']) }),
  'template.restored': ({ actor }, { details }) =>
    rich('{actor} restored the template {template}', { actor, template: quoted(details['template']) }),
  'rollout.planned': ({ actor }, { details }) => {
    const named = { actor, title: quoted(details['title']) }
    if (details['rollout_kind'] === 'revert')
      return rich('{actor} planned to revert the rollout of {title}', named)
    if (details['rollout_kind'] === 'removal')
      return rich('{actor} planned to delete {title} from projects', named)
    if (details['rollout_kind'] === 'reset')
      return rich('{actor} planned to reset {title} in projects', named)
    return rich('{actor} planned a rollout of {title}', named)
  },
  'rollout.discarded': ({ actor }, { details }) =>
    rich('{actor} discarded the plan of a rollout of {title}', { actor, title: quoted(details['title']) }),
  'rollout.started': ({ actor }, { details }) => {
    const named = { actor, title: quoted(details['title']) }
    if (details['rollout_kind'] === 'removal')
      return rich('{actor} started to delete {title} from projects', named)
    if (details['rollout_kind'] === 'reset')
      return rich('{actor} started to reset {title} in projects', named)
    return rich('{actor} started the rollout of {title}', named)
  },
  'rollout.reverted': ({ actor }, { details }) =>
    rich('{actor} started to revert the rollout of {title}', { actor, title: quoted(details['title']) }),
  'rollout.stage_started': ({ actor }, { details }) =>
    rich('{actor} started the next stage of the rollout of {title}', {
      actor,
      title: quoted(details['title']),
    }),
  'rollout.paused': ({ actor }, { details }) =>
    rich('{actor} paused the rollout of {title}', { actor, title: quoted(details['title']) }),
  'rollout.resumed': ({ actor }, { details }) =>
    rich('{actor} resumed the rollout of {title}', { actor, title: quoted(details['title']) }),
  'rollout.canceled': ({ actor }, { details }) =>
    rich('{actor} canceled the rollout of {title}', { actor, title: quoted(details['title']) }),
  'trial.extended': ({ actor }, { details }) =>
    rich('{actor} extended the trial of {product} by {days}', {
      actor,
      product: <strong>{toolName(String(details['product']))}</strong>,
      days: counted(Number(details['days']), { one: '{count} day', other: '{count} days' }),
    }),
  'trial.extension_undone': ({ actor }, { details }) =>
    rich('{actor} undid the extension of the trial of {product}', {
      actor,
      product: <strong>{toolName(String(details['product']))}</strong>,
    }),
  'theme.deprecated': ({ actor }, { details }) =>
    rich('{actor} deprecated {theme}', { actor, theme: quoted(details['theme']) }),
  'theme.restored': ({ actor }, { details }) =>
    rich('{actor} undid the deprecation of {theme}', { actor, theme: quoted(details['theme']) }),
  'theme.move_started': ({ actor }, { details }) =>
    rich('{actor} started to move projects from {theme} to {replacement}', {
      actor,
      theme: quoted(details['theme']),
      replacement: quoted(details['replacement']),
    }),
  'theme.move_stopped': ({ actor }, { details }) =>
    rich('{actor} stopped moving projects from {theme}', { actor, theme: quoted(details['theme']) }),
  'theme.campaign_changed': ({ actor }, { details }) =>
    rich('{actor} changed the campaign for {theme}', { actor, theme: quoted(details['theme']) }),
  'theme.campaign_ended': ({ actor }, { details }) =>
    rich('{actor} ended the campaign for {theme}', { actor, theme: quoted(details['theme']) }),
  'support.opened': ({ actor }) => rich('{actor} opened the project as support', { actor }),
  'support.changes_allowed': ({ actor }) =>
    rich('{actor} allowed themselves to change the project as support', { actor }),
  'access.refused': ({ actor }) => rich('{actor} was denied access', { actor }),
  'command.run': ({ actor }, { details }) =>
    rich('{actor} ran {command}', { actor, command: <code>{String(details['command'])}</code> }),
}

const quoted = (name: unknown) => <strong dir="auto">{String(name)}</strong>

const passkeyOf = (details: AuditEntry['details']) => quoted(details['name'])

const factors: Readonly<Record<string, string>> = {
  password: t('Password only'),
  code: t('Password and code'),
  'recovery code': t('Password and recovery code'),
  token: t('Password and an earlier session'),
  passkey: t('Passkey'),
  'single sign-on': t('Single sign-on'),
  'setup link': t('Setup link'),
  invitation: t('Invitation'),
  'sign-up': t('Sign-up link'),
}

const reasons: Readonly<Record<string, string>> = {
  wrong_code: t('Wrong code'),
  account_disabled: t('The account is disabled'),
  second_factor_required: t('A code is needed'),
  too_many_attempts: t('Too many attempts'),
  server_busy: t('Too many sign-ins at once'),
  limit_reached: t('Too many sessions'),
  password_incorrect: t('Wrong password'),
  current_password_incorrect: t('Wrong password'),
  code_incorrect: t('Wrong code'),
  passkey_not_accepted: t('The passkey was not accepted'),
  passkey_unknown: t('Unknown passkey'),
  attempt_unknown: t('Started in another browser, too long ago, or used twice'),
  denied_by_provider: t('The identity provider did not sign the person in'),
  code_refused: t('The identity provider refused the code'),
  wrong_issuer: t('Answer of another identity provider'),
  wrong_audience: t('Answer for another application'),
  wrong_nonce: t('Answer of another sign-in'),
  token_expired: t('The answer had expired'),
  token_invalid: t('The answer was not valid'),
  address_unverified: t('Email address not verified'),
  domain_not_allowed: t('Domain not allowed'),
  no_access: t('No account and no project'),
  mistakable_letter: t('A letter of the address counts as another one'),
  provider_failed: t('The identity provider did not respond'),
  forbidden: t('Not allowed for this account'),
  password_confirmation_required: t('The person has to confirm who they are first'),
  second_factor_setup_required: t('Two-factor authentication has to be set up first'),
  support_read_only: t('Opened as support for reading only'),
  project_archived: t('The project is archived'),
}

/** How somebody signed in, why it failed, how many sessions ended, or how many projects it concerns; undefined if the sentence says everything. */
export function circumstanceOf(entry: AuditEntry): string | undefined {
  const { kind, account_id, details } = entry
  if (kind.startsWith('support.')) return String(details['reason'])
  if (typeof details['factor'] === 'string') return factors[details['factor']]
  const ended = kind === 'sessions.ended' ? details['count'] : details['sessions_ended']
  if (typeof ended === 'number')
    return counted(ended, { one: '{count} session ended', other: '{count} sessions ended' })
  if (typeof details['projects'] === 'number')
    return counted(details['projects'], { one: '{count} project', other: '{count} projects' })
  const reason = String(details['reason'] ?? details['code'] ?? '')
  if (reason === 'wrong_credentials')
    return account_id === null ? t('There is no such account') : t('Wrong password')
  return kind === 'sign_in.code_requested' ? undefined : reasons[reason]
}
