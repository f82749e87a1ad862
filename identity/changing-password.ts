import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database } from '#database/connect.ts'
import { setPassword } from './accounts.ts'
import { tellOfPassword } from './notices.ts'
import type { Passwords, serverBusy } from './passwords.ts'
import { type Device, type Lifetimes, lockSession, type OwnSession, openSession } from './sessions.ts'
import { accountOf, personOf } from './users.ts'
import type { Weakness } from './weak-password.ts'

/**
 * Replaces a user's password. All sessions end, and one is opened in place of the one that made the change. The caller has confirmed the
 * present password.
 */
export async function changePassword(
  { db, passwords, lifetimes }: { db: Database; passwords: Passwords; lifetimes: Lifetimes },
  own: OwnSession,
  password: string,
  device: Device,
  origin: Origin,
): Promise<{ token: string } | 'session ended' | { weakness: Weakness } | typeof serverBusy> {
  const person = await personOf(db, own.userId)
  const hashed = await passwords.hashNew({ knownAs: accountOf(own.userId) }, password, person)
  if (!('passwordHash' in hashed)) return hashed
  return db.transaction(async (queries) => {
    const { userId } = own
    const current = await lockSession(queries, own)
    if (!current) return 'session ended'
    await setPassword(queries, userId, hashed.passwordHash)
    await recordEntry(queries, origin, { kind: 'password.changed', accountId: userId })
    await tellOfPassword(queries, userId, origin)
    const { second_factor: secondFactor, passkey_id: passkeyId } = current
    const session = { userId, secondFactor, passkeyId, lifetimes }
    return openSession(queries, session, device)
  })
}
