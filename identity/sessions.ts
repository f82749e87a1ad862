import type { Exchange } from '#contract/operation.ts'
import type { Queries } from '#database/connect.ts'
import { newToken, sha256 } from './tokens.ts'

export const sessionDays = 30
export const cookieName = '__Host-cardinal'

export type Carrier = 'bearer' | 'cookie'

/** Browsers ask for the token in a cookie that scripts cannot read. */
export const carrierAskedFor = (http: Exchange): Carrier =>
  http.header('x-session') === 'cookie' ? 'cookie' : 'bearer'

/** Opens a session and returns the token for the body, or '' if it is sent in a cookie. */
export async function openSession(
  { sql }: Queries,
  http: Exchange,
  session: { userId: number; carrier: Carrier; secondFactor: boolean },
): Promise<string> {
  const token = newToken()
  await sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    values (${sha256(token)}, ${session.userId}, ${session.carrier}, ${session.secondFactor}, ${http.address},
      ${(http.header('user-agent') ?? '').replaceAll('\0', '').slice(0, 255)}, now() + ${`${sessionDays} days`}::interval)`
  if (session.carrier === 'bearer') return token
  http.answerHeader('set-cookie', sessionCookie(token, sessionDays * 86_400))
  return ''
}

export const clearCookie = (http: Exchange) => http.answerHeader('set-cookie', sessionCookie('', 0))

const sessionCookie = (token: string, maxAgeSeconds: number) =>
  `${cookieName}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`
