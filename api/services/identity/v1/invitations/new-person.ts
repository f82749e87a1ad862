// What the operations share that create the account of an invited person.
import { reservedName } from '#api/failures.ts'
import { limitReached } from '#api/quota.ts'
import type { Fail, Failure } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import { integer, oneOf, optional, record, text } from '#contract/schema.ts'
import { sendToken } from '#identity/cookie.ts'
import type { KnownDevices } from '#identity/devices.ts'
import type { Device, Lifetimes } from '#identity/sessions.ts'
import { languages } from '#languages/known.ts'
import type { Refused, SignedUp } from '#projects/invitation/signing-up.ts'
import { invitationToken, linkFailures, uselessFailure } from './invitation.ts'

export const newPerson = {
  token: invitationToken,
  name: text({ max: 255, about: 'The name of the new person.' }),
  language: optional(oneOf(languages)),
}

export const signedUp = record({ token: text(), user_id: integer(), project_id: integer() })

export const accountExists = {
  account_exists: 'This address has an account. Sign in to accept the invitation.',
} as const

export const newPersonFailures = {
  ...linkFailures,
  400: { ...linkFailures[400], ...limitReached, ...accountExists },
  422: { name: reservedName },
} as const

export const isRefused = (outcome: unknown): outcome is Refused =>
  outcome === 'has account' || (typeof outcome === 'object' && outcome !== null && 'useless' in outcome)

export const newPersonFailure = (
  refused: Refused,
  fail: Fail<typeof linkFailures & { 400: typeof accountExists }>,
): Failure =>
  refused === 'has account' ? fail(400, 'account_exists') : uselessFailure(refused.useless, fail)

export async function signedUpAnswer(
  { token, userId, projectId, email }: SignedUp,
  device: Device,
  { http, devices, lifetimes }: { http: Exchange; devices: KnownDevices; lifetimes: Lifetimes },
): Promise<(typeof signedUp)['static']> {
  await devices.remember(http, email)
  const sent = sendToken(http, device.carrier, token, lifetimes)
  return { token: sent, user_id: userId, project_id: projectId }
}
