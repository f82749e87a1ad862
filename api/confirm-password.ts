import type { Fail, Failure } from '#contract/failure.ts'
import { confirmPassword } from '#identity/confirming-password.ts'
import { hasRecentPassword } from '#identity/sessions.ts'
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
  const person = { userId: caller.id, sessionId: caller.sessionId, address: http.address }
  const outcome = await confirmPassword({ db, passwords }, person, password)
  if (outcome === 'confirmed') return
  throw outcome.refusal === 'incorrect' ? wrong() : tooFast(outcome, fail)
}

export const unconfirmed = {
  password_confirmation_required:
    'You signed in more than 15 minutes ago. Confirm your password with password/confirm, or a passkey with passkeys/confirm, then try again.',
} as const

/** Fails unless the caller has entered the password or used a passkey a short time ago. */
export async function requireRecentPassword({
  db,
  caller,
  fail,
}: Pick<Call<unknown, Record<never, never>>, 'db' | 'caller'> & {
  fail: Fail<{ 403: typeof unconfirmed }>
}): Promise<void> {
  if (!(await hasRecentPassword(db, caller.sessionId))) throw fail(403, 'password_confirmation_required')
}
