// The end of every way to sign in: a session, its entry in the audit log, and a mail if the device is new.
import { type BoundedAudit, tenantName, type Whose } from '#audit/bounded.ts'
import { type Entry, insertEntry, logEntry, type Origin, type Written } from '#audit/record.ts'
import { addressKey } from '#contract/rate-limit.ts'
import { type Database, type Queries, retried } from '#database/connect.ts'
import { forgettingAttempts, type Guessing } from './attempts.ts'
import { deviceKey, noteDevice } from './seen-devices.ts'
import { type Device, insertSession, type Lifetimes, mostSessions, openSession } from './sessions.ts'
import { newToken } from './tokens.ts'
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

interface Means {
  lifetimes: Lifetimes
  boundedAudit: BoundedAudit
}

/** Opens a session and returns its token. The caller has locked the user. */
export async function admit(
  queries: Queries,
  { lifetimes, boundedAudit }: Means,
  { user, factor, secondFactor, passkeyId }: Admission,
  device: SigningDevice,
  origin: Origin,
): Promise<string> {
  const by = { ...origin, actorId: user.id }
  const record = (entry: Entry) => boundedAudit.recordWithin(queries, whoseOf(user, entry), by, entry)
  const session = { userId: user.id, secondFactor, lifetimes, ...(passkeyId !== undefined && { passkeyId }) }
  const [{ token, ended }] = await Promise.all([
    openSession(queries, session, device),
    record(successOf(user, factor)),
    noteDevice(queries, user.id, device, origin),
  ])
  if (ended > 0)
    await record({ kind: 'session.ended', accountId: user.id, details: { reason: 'limit_reached' } })
  return token
}

/**
 * The same for a user whose password was right and who has no second factor, in one statement, because a round trip takes longer than the work
 * that it asks for. Undefined if that is not all there is to do: the device is new, sessions have to end, or the account has changed meanwhile.
 */
export async function admitAtOnce(
  db: Database,
  { lifetimes, boundedAudit }: Means,
  { user, guessing }: { user: UserRow; guessing: Guessing },
  device: Device,
  origin: Origin,
): Promise<string | undefined> {
  const { sql } = db
  const by = { ...origin, actorId: user.id }
  const entry = successOf(user, 'password')
  const whose = whoseOf(user, entry)
  const session = { token: newToken(), userId: user.id, secondFactor: false, passkeyId: null, lifetimes }
  const hasRoom = sql`from seen where (select count(*) from sessions where user_id = ${user.id}) < ${mostAtOnce}`
  const isOpened = sql`exists (select from opened)`
  const opened = await boundedAudit.recordAtOnce(whose, by, entry, async (isWritten) => {
    const written = isWritten
      ? insertEntry(sql, by, entry, sql`where ${isOpened}`)
      : sql`select null::bigint as id, null::bigint as in_project_id`
    const [row] = await retried(
      async () => sql<(Written | { id: null; in_project_id: null })[]>`
      with locked as (
        select id from users where id = ${user.id} and password_hash = ${user.password_hash} and totp_secret is null and disabled_at is null
        for no key update
      ), seen as (
        update seen_devices set last_at = now() where user_id = (select id from locked) and key = ${deviceKey(device)} returning user_id
      ), opened as (${insertSession(sql, session, device, hasRoom)}
      ), forgotten as (${forgettingAttempts(sql, guessing, sql`and ${isOpened}`)}
      ), written as (${written})
      select written.* from opened left join written on true`,
    )
    return row
  })
  if (opened === undefined) return undefined
  if (opened.id !== null) logEntry(by, entry, opened)
  return session.token
}

const successOf = (user: SigningUser, factor: string): Entry => ({
  kind: 'sign_in.succeeded',
  accountId: user.id,
  details: { factor },
})

const whoseOf = (user: SigningUser, { kind }: Entry): Whose => ({
  actor: `account ${user.id} ${kind}`,
  tenant: tenantOf(user),
})

/** Sign-ins at the same time do not see each other's sessions. */
const mostAtOnce = mostSessions - 20

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
