import type { Database } from '#database/connect.ts'
import { beginAttempt, forgetAttempts, passwordGuessing, type Slowed } from './attempts.ts'
import type { Passwords } from './passwords.ts'
import { notePassword, type OwnSession } from './sessions.ts'
import { accountOf, findUser } from './users.ts'

/** Checks a signed-in user's password again before a sensitive change; guesses are slowed down as at sign-in. */
export async function confirmPassword(
  { db, passwords }: { db: Database; passwords: Passwords },
  { userId, sessionId, address }: OwnSession & { address: string },
  password: string,
): Promise<'confirmed' | Slowed | { refusal: 'incorrect' }> {
  const user = await findUser(db, userId)
  const account = accountOf(user.id)
  const guessing = passwordGuessing(account, address)
  const outcome = await passwords.inTurn({ knownAs: account }, async () => {
    const attempt = await beginAttempt(db, guessing)
    if ('refusal' in attempt) return attempt
    if (await passwords.verify(user.password_hash ?? undefined, password)) return 'confirmed'
    return attempt.delaySeconds > 0
      ? ({ refusal: 'too_many_attempts', waitSeconds: attempt.delaySeconds } as const)
      : ({ refusal: 'incorrect' } as const)
  })
  if (outcome === 'confirmed') {
    await forgetAttempts(db, guessing)
    await notePassword(db, sessionId)
  }
  return outcome
}
