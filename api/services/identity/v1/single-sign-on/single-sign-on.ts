import type { Fail } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import type { SingleSignOn } from '#identity/openid.ts'

export const off = { single_sign_on_off: 'Single sign-on is not set up on this server.' } as const

export function requireSingleSignOn(
  singleSignOn: SingleSignOn | undefined,
  fail: Fail<{ 400: typeof off }>,
): SingleSignOn {
  if (!singleSignOn) throw fail(400, 'single_sign_on_off')
  return singleSignOn
}

/** Holds the secret of an attempt in the browser that began it. */
const cookieName = '__Host-cardinal-sign-on'
const minutes = 10

const cookie = (value: string, seconds: number) =>
  `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`

export const keepAttempt = (http: Exchange, secret: string) =>
  http.answerHeader('set-cookie', cookie(secret, minutes * 60))

/** The secret of the attempt, which works once. */
export function takeAttempt(http: Exchange): string | undefined {
  const [, secret] =
    new RegExp(`(?:^|; *)${cookieName}=([\\w-]{43})(?:;|$)`).exec(http.header('cookie') ?? '') ?? []
  if (secret !== undefined) http.answerHeader('set-cookie', cookie('', 0))
  return secret
}
