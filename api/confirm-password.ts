import type { Failure } from '#contract/failure.ts'
import { confirmPassword } from '#identity/confirming-password.ts'
import { type guessingTooFast, tooFast } from './failures.ts'
import type { Call } from './operation.ts'

type Asked = Pick<
  Call<unknown, { 429: typeof guessingTooFast }>,
  'db' | 'passwords' | 'caller' | 'http' | 'fail'
>

export const incorrect = { incorrect: 'The password is incorrect.' } as const

/** Fails unless this is the caller's password. */
export async function requirePassword(
  { db, passwords, caller, http, fail }: Asked,
  password: string,
  wrong: () => Failure,
): Promise<void> {
  const person = { userId: caller.id, address: http.address }
  const outcome = await confirmPassword({ db, passwords }, person, password)
  if (outcome === 'confirmed') return
  throw outcome.refusal === 'incorrect' ? wrong() : tooFast(outcome, fail)
}
