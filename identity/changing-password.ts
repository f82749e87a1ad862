import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database } from '#database/connect.ts'
import { setPassword } from './accounts.ts'
import { tellOfPassword } from './notices.ts'
import { type Device, type Lifetimes, lockSession, type OwnSession, openSession } from './sessions.ts'

/**
 * Replaces a user's password. All sessions end, and one is opened in place of the one that made the change. The caller has confirmed the
 * present password.
 */
export function changePassword(
  db: Database,
  own: OwnSession,
  { passwordHash, lifetimes }: { passwordHash: string; lifetimes: Lifetimes },
  device: Device,
  origin: Origin,
): Promise<{ token: string } | 'session ended'> {
  return db.transaction(async (queries) => {
    const { userId } = own
    const current = await lockSession(queries, own)
    if (!current) return 'session ended'
    await setPassword(queries, userId, passwordHash)
    await recordEntry(queries, origin, { kind: 'password.changed', accountId: userId })
    await tellOfPassword(queries, userId, origin)
    const { second_factor: secondFactor, passkey_id: passkeyId } = current
    const session = { userId, secondFactor, passkeyId, lifetimes }
    return openSession(queries, session, device)
  })
}
