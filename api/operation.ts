import type { BoundedAudit } from '#audit/bounded.ts'
import type { Billing } from '#billing/billing.ts'
import type { KeptBoards } from '#boards/kept-boards.ts'
import type { Fail, Failures } from '#contract/failure.ts'
import { type Exchange, operationOf } from '#contract/operation.ts'
import type { Database } from '#database/connect.ts'
import type { Turn } from '#database/fair-queue.ts'
import type { Alongside, Caller } from '#identity/caller.ts'
import type { KnownDevices } from '#identity/devices.ts'
import type { SingleSignOn } from '#identity/openid.ts'
import type { Passkeys } from '#identity/passkeys.ts'
import type { Passwords } from '#identity/passwords.ts'
import type { Audience } from '#identity/roles.ts'
import type { Secrets } from '#identity/secrets.ts'
import type { Lifetimes } from '#identity/sessions.ts'
import type { SignUpRule } from '#identity/signing-up.ts'
import type { Tell } from '#inbox/item.ts'
import type { MailWay } from '#mail/outbox.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { RolloutWorker } from '#rollouts/worker.ts'
import type { Reading } from '#text/description.ts'
import type { Log } from '../log.ts'
import { type Beforehand, beforehandOf, type PlatformThing, type Scopes, type Thing } from './scope.ts'

/** Waits for a turn at the database; `heavy` is for expensive reads such as a search, `large` for large boards. */
export interface Turns {
  db: Database
  heavy: Turn
  large: Turn
}

/** The services that all callers share. */
export interface SharedServices {
  /** Turns of the project, for a read that several callers share and that continues if one of them hangs up. */
  readTogether(projectId: number): Turns
  /** For sign-ins with a password, which take turns by themselves (identity/passwords.ts): `db` shares one connection among all other calls without an account. */
  signInDb: Database
  /** In turns of the project: joining it may wait for others who change it, and signing in must not wait for that. */
  forNewMembers(projectId: number): Database
  passwords: Passwords
  passkeys: Passkeys
  /** Undefined if the installation has no identity provider. */
  singleSignOn: SingleSignOn | undefined
  secrets: Secrets
  devices: KnownDevices
  lifetimes: Lifetimes
  rollouts: RolloutWorker
  billing: Billing
  log: Log
  /** For entries of the audit log that strangers can cause. */
  boundedAudit: BoundedAudit
  /** How mails are sent. */
  mailWay: MailWay
  /** Who may create an account of their own. */
  signUp: SignUpRule
  quotas: Quotas
  keptBoards: KeptBoards
  /** Tells people's windows that their inbox has changed. */
  tell: Tell
  /** Tells the windows of a project that others have come or gone. */
  tellPresence(projectId: number): void
}

/** What every handler gets besides its input and caller; the turns are the caller's. */
export interface Services extends SharedServices, Turns {
  /** A long description waits for the caller's turn. */
  readDescription(given: string): Promise<Reading>
  /** Set if the whole call is one transaction, which holds every lock until it ends. */
  isInTransaction?: true
}

/** The arguments of a step that several operations share. */
export interface Call<Input, Declared extends Failures> extends Services {
  input: Input
  caller: Caller
  http: Exchange
  fail: Fail<Declared>
}

/** Declares one operation of Cardinal; docs/adding-an-operation.md walks through it. */
export const operation = operationOf<CardinalApi>('signed in', beforehandOf)

export interface CardinalApi {
  audience: Audience
  caller: Caller
  services: Services
  alongside: Alongside<SharedServices>
  beforehand: Beforehand
  thing: Thing
  scopes: Scopes
  unscoped: PlatformThing
}
