import { originOf } from '#api/origin.ts'
import type { Fail, Failure } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import { flag, integer, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Caller } from '#identity/caller.ts'
import { roles } from '#identity/roles.ts'
import type { Secrets } from '#identity/secrets.ts'
import { isLanguage, preferred } from '#languages/known.ts'
import type { UselessInvitation } from '#projects/invitation/invitation.ts'
import { mostOpen, type TooMany } from '#projects/invitation/limits.ts'
import type { Log } from '../../../../../log.ts'

export const invitation = record({
  id: integer(),
  email: text(),
  role: oneOf(roles),
  invited_by: integer(),
  inviter_name: text(),
  sent_at: timestamp(),
  expires_at: timestamp(),
  is_expired: flag({ about: 'True once the link no longer works; send it again.' }),
})

export const invitationToken = text({ max: 255, about: 'The part of the link after the `#`.' })

/** The refusals of links that do not work. */
export const linkFailures = {
  400: {
    invitation_expired: 'This invitation has expired. Ask for a new one.',
    invitation_used: 'This invitation was used before.',
    invitation_revoked: 'This invitation was revoked.',
    invitation_archived:
      'The project of this invitation is archived. The invitation works again when the operator of Cardinal brings the project back.',
  },
  404: { invitation_not_found: 'There is no such invitation.' },
} as const

export function uselessFailure(useless: UselessInvitation, fail: Fail<typeof linkFailures>): Failure {
  if (useless === 'not found') return fail(404, 'invitation_not_found')
  return fail(400, `invitation_${useless}`)
}

/** The refusals of operations that send invitations. */
export const tooManyFailures = {
  400: {
    too_many_open_invitations: `A project can have at most ${mostOpen} open invitations. Revoke some first.`,
  },
  429: { too_many_invitations: 'Too many invitations were sent in the last 24 hours. Try again later.' },
} as const

export const tooManyFailure = (refusal: TooMany, fail: Fail<typeof tooManyFailures>): Failure =>
  refusal.tooMany === 'open'
    ? fail(400, 'too_many_open_invitations')
    : fail(429, 'too_many_invitations', refusal.waitSeconds)

/** Who invites. */
export const invitingOf = ({
  projectId,
  caller,
  secrets,
  http,
  log,
}: {
  projectId: number
  caller: Caller
  secrets: Secrets
  http: Exchange
  log: Log
}) => ({
  projectId,
  isSuperadmin: caller.superadmin,
  inviterId: caller.id,
  secrets,
  language: isLanguage(caller.language) ? caller.language : preferred(http.header('accept-language')),
  origin: originOf({ http, caller, log }),
})
