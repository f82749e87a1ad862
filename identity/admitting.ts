// The end of every way to sign in: a session, its entry in the audit log, and a mail if the device is new.
import { type BoundedAudit, tenantName } from '#audit/bounded.ts'
import type { Entry, Origin } from '#audit/record.ts'
import { addressKey } from '#contract/rate-limit.ts'
import type { Queries } from '#database/connect.ts'
import { noteDevice } from './seen-devices.ts'
import { type Device, type Lifetimes, openSession } from './sessions.ts'
import type { UserRow } from './users.ts'

/** `isKnown` is true on a device that has signed in to the account before. */
export type SigningDevice = Device & { isKnown: boolean }

type SigningUser = Pick<UserRow, 'id' | 'default_project_id'>

interface Admission {
  user: SigningUser
  /** What the person has proved, for the audit log. */
  factor: string
  /** Whether that was more than a password. */
  secondFactor: boolean
  passkeyId?: number
}

/** Opens a session and returns its token. The caller has locked the user. */
export async function admit(
  queries: Queries,
  { lifetimes, boundedAudit }: { lifetimes: Lifetimes; boundedAudit: BoundedAudit },
  { user, factor, secondFactor, passkeyId }: Admission,
  device: SigningDevice,
  origin: Origin,
): Promise<string> {
  const record = (entry: Entry) =>
    boundedAudit.recordWithin(
      queries,
      { actor: `account ${user.id} ${entry.kind}`, tenant: tenantOf(user) },
      { ...origin, actorId: user.id },
      entry,
    )
  const session = { userId: user.id, secondFactor, lifetimes, ...(passkeyId !== undefined && { passkeyId }) }
  const [{ token, ended }] = await Promise.all([
    openSession(queries, session, device),
    record({ kind: 'sign_in.succeeded', accountId: user.id, details: { factor } }),
    noteDevice(queries, user.id, device, origin),
  ])
  if (ended > 0)
    await record({ kind: 'session.ended', accountId: user.id, details: { reason: 'limit_reached' } })
  return token
}

/** Nobody is its actor: somebody who is not known tried to sign in to the account. */
export async function recordFailure(
  boundedAudit: BoundedAudit,
  origin: Origin,
  user: SigningUser | undefined,
  { reason, email }: { reason: string; email?: string },
): Promise<void> {
  const accountId = user?.id ?? null
  const details = { reason, ...(!user && email !== undefined && { email }) }
  // The first step of every sign-in with a code; without a second one, somebody else knows the password.
  const kind = reason === 'second_factor_required' ? 'sign_in.code_requested' : 'sign_in.failed'
  const entry = { kind, accountId, details } as const
  const whose = { actor: `address ${addressKey(origin.address ?? '')}`, tenant: tenantOf(user) }
  await boundedAudit.record(whose, origin, entry)
}

/** All who try accounts that do not exist are one tenant. */
const tenantOf = (user: SigningUser | undefined): string =>
  user ? tenantName(user.id, user.default_project_id) : 'nobody'
