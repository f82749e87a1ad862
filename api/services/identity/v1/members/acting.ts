import { originOf } from '#api/origin.ts'
import type { Exchange } from '#contract/operation.ts'
import type { Caller } from '#identity/caller.ts'
import type { ActingOnOwners } from '#projects/member/acting.ts'
import type { Log } from '../../../../../log.ts'

/** Who changes the members of the project. */
export const actingOf = ({
  projectId,
  caller,
  http,
  log,
}: {
  projectId: number
  caller: Caller
  http: Exchange
  log: Log
}): ActingOnOwners => ({
  projectId,
  isSuperadmin: caller.superadmin,
  sessionId: caller.sessionId,
  origin: originOf({ http, caller, log }),
})

/** Refusals that several of these operations share. */
export const noMember = { member_not_found: 'The project has no member with this id.' } as const
export const lastOwner = { last_owner: 'A project needs at least one owner.' } as const
export const roleTooHigh = { role_too_high: 'You cannot give a role above your own.' } as const
