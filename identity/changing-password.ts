import type { Database } from '#database/connect.ts'
import { setPassword } from './accounts.ts'
import { type Device, openSession } from './sessions.ts'

/**
 * Replaces a user's password. All sessions end, and one is opened in place of the one that made the change. The caller has confirmed the
 * present password.
 */
export function changePassword(
  db: Database,
  { userId, sessionId }: { userId: number; sessionId: number },
  passwordHash: string,
  device: Device,
): Promise<{ token: string } | 'session ended'> {
  return db.transaction(async (queries) => {
    const [current] = await queries.sql<{ second_factor: boolean }[]>`
      select s.second_factor from users u join sessions s on s.user_id = u.id
      where u.id = ${userId} and s.id = ${sessionId} for no key update of u for update of s`
    if (!current) return 'session ended'
    await setPassword(queries, userId, passwordHash)
    const session = { userId, secondFactor: current.second_factor }
    return { token: await openSession(queries, session, device) }
  })
}
