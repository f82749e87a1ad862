import { busy, type Fail, type Failure } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import type { Database } from '#database/connect.ts'
import { beginAttempt, forgetAttempts, type guessingTooFast, passwordGuessing } from '#identity/attempts.ts'
import type { Caller } from '#identity/caller.ts'
import type { Passwords } from '#identity/passwords.ts'
import { accountOf, findUser, type UserRow } from '#identity/users.ts'

interface Asked {
  db: Database
  passwords: Passwords
  caller: Caller
  http: Exchange
  fail: Fail<{ 429: typeof guessingTooFast }>
}

export const incorrect = { incorrect: 'The password is incorrect.' } as const

/** Checks the caller's password again before a sensitive change; guesses are slowed down as at sign-in. */
export async function confirmPassword(
  { db, passwords, caller, http, fail }: Asked,
  password: string,
  wrong: () => Failure,
): Promise<UserRow> {
  const user = await findUser(db, caller.id)
  const guessing = passwordGuessing(accountOf(user.id), http.address)
  const matching = passwords.admit(async () => {
    const attempt = await beginAttempt(db, guessing)
    if ('blockedSeconds' in attempt) throw fail(429, 'too_many_attempts', attempt.blockedSeconds)
    if (await passwords.verify(user.password_hash, password)) return
    throw attempt.delaySeconds > 0 ? fail(429, 'too_many_attempts', attempt.delaySeconds) : wrong()
  })
  if (!matching) throw busy(1)
  await matching
  await forgetAttempts(db, guessing)
  return user
}
