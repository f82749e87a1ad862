import { Secret, TOTP } from 'otpauth'
import type { Queries } from '#database/connect.ts'
import type { Secrets } from './secrets.ts'
import { sha256 } from './tokens.ts'

const periodSeconds = 30

/** The time step of a valid code, within one step of now; null for a wrong code. */
export function totpStep(secret: string, code: string, now = Date.now()): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: periodSeconds })
  const token = code.replaceAll(' ', '')
  // The library throws for other characters that take more than six bytes.
  if (!/^[0-9]{6}$/.test(token)) return null
  const delta = totp.validate({ token, window: 1, timestamp: now })
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta
}

/** Accepts a code once: of two requests with the same code, the row lock makes one see that it is used. */
export async function useTotp(
  { sql }: Queries,
  secrets: Secrets,
  { userId, secret }: { userId: number; secret: string },
  code: string,
): Promise<boolean> {
  const step = totpStep(secrets.open(userId, secret), code)
  if (step === null) return false
  const used = await sql`
    update users set totp_last_step = ${step} where id = ${userId} and totp_last_step < ${step} returning id`
  return used.length === 1
}

export async function useRecoveryCode({ sql }: Queries, userId: number, code: string): Promise<boolean> {
  const used = await sql`
    update recovery_codes set used_at = now()
    where user_id = ${userId} and code_hash = ${sha256(asShown(code))} and used_at is null returning user_id`
  return used.length === 1
}

/** As the code was shown: people also type capitals, and spaces or nothing between its groups. */
function asShown(code: string): string {
  const letters = code.toLowerCase().replace(/[\s\p{Dash_Punctuation}]/gu, '')
  return /^[a-z2-7]{24}$/.test(letters) ? inGroups(letters) : code
}

const inGroups = (letters: string) => (letters.match(/.{6}/g) ?? []).join('-')

export async function countRecoveryCodes({ sql }: Queries, userId: number): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select count(*) as left from recovery_codes where user_id = ${userId} and used_at is null`
  return row?.left ?? 0
}

const codesAtOnce = 10

/** Replaces the recovery codes by ten new ones of 120 random bits; only their hashes are stored. */
export async function renewRecoveryCodes({ sql }: Queries, userId: number): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, () =>
    inGroups(new Secret({ size: 15 }).base32.toLowerCase()),
  )
  await sql`delete from recovery_codes where user_id = ${userId}`
  for (const code of codes)
    await sql`insert into recovery_codes (user_id, code_hash) values (${userId}, ${sha256(code)})`
  return codes
}
