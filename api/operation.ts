import type { Billing } from '#billing/billing.ts'
import type { KeptBoards } from '#boards/kept-boards.ts'
import { type Exchange, type Fail, type FailureStatus, operationOf } from '#contract/operation.ts'
import type { Database } from '#database/connect.ts'
import type { Turn } from '#database/fair-queue.ts'
import type { Alongside, Caller } from '#identity/caller.ts'
import type { Passwords } from '#identity/passwords.ts'
import type { Audience } from '#identity/roles.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Pusher } from '#templates/pusher.ts'
import type { Reading } from '#text/description.ts'
import type { Log } from '../log.ts'
import type { Scopes, Thing } from './scope.ts'

/** Waits for a turn at the database; `heavy` for one of the few turns of reads that may cost much, such as a search, `large` for one of large boards. */
export interface Turns {
  db: Database
  heavy: Turn
  large: Turn
}

/** What a service has one of, for all callers. */
export interface SharedServices {
  /** For what several callers read together: waits for turns of the project, whichever of them hangs up. */
  readTogether(projectId: number): Turns
  passwords: Passwords
  pusher: Pusher
  billing: Billing
  log: Log
  quotas: Quotas
  keptBoards: KeptBoards
}

/** What every handler is given beside its input and caller, whose turns these are. */
export interface Services extends SharedServices, Turns {
  /** A long one in HTML waits for a turn of the caller's. */
  readDescription(given: string): Promise<Reading>
}

/** What a step that several operations share is called with. */
export interface Call<Input, Failures extends FailureStatus> extends Services {
  input: Input
  caller: Caller
  http: Exchange
  fail: Fail<Failures>
}

/** Declares one operation of Cardinal; docs/adding-an-operation.md walks through it. */
export const operation = operationOf<CardinalApi>('signed in')

export interface CardinalApi {
  audience: Audience
  caller: Caller
  services: Services
  alongside: Alongside<SharedServices>
  thing: Thing
  scopes: Scopes
}
