// Links an account with a person at the identity provider, after its owner has confirmed it while signed in.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { circumstancesOf, tellOwner } from './notices.ts'
import type { SignedOn } from './openid.ts'
import { lockSession, type OwnSession } from './sessions.ts'
import { newToken, sha256, tokenHash } from './tokens.ts'

export const linkMinutes = 15

/** Returns the secret with which the owner of the account confirms. */
export async function offerLink(
  { sql }: Queries,
  { issuer, subject, email }: Pick<SignedOn, 'issuer' | 'subject' | 'email'>,
): Promise<string> {
  const token = newToken()
  await sql`
    insert into sign_on_links (token_hash, issuer, subject, email, expires_at)
    values (${sha256(token)}, ${issuer}, ${subject}, ${email}, now() + make_interval(mins => ${linkMinutes}))`
  return token
}

/** Once for each offer, and only for the account that has the address. */
export function linkSignOn(
  db: Database,
  own: OwnSession,
  token: string,
  origin: Origin,
): Promise<'linked' | 'no link' | 'other account' | 'session ended'> {
  const hash = tokenHash(token)
  if (hash === undefined) return Promise.resolve('no link')
  const { userId } = own
  return db.transaction(async (queries) => {
    const { sql } = queries
    if (!(await lockSession(queries, own))) return 'session ended'
    const [link] = await sql<{ issuer: string; subject: string; is_own: boolean }[]>`
      select l.issuer, l.subject, lower(l.email) = lower(u.email) as is_own from sign_on_links l, users u
      where l.token_hash = decode(${hash}, 'hex') and l.expires_at > now() and u.id = ${userId} for update of l`
    if (!link) return 'no link'
    if (!link.is_own) return 'other account'
    const { issuer, subject } = link
    await sql`delete from sign_on_links where issuer = ${issuer} and subject = ${subject}`
    await sql`
      insert into sign_on_identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})
      on conflict (issuer, subject) do update set user_id = excluded.user_id`
    await recordEntry(queries, origin, {
      kind: 'single_sign_on.linked',
      accountId: userId,
      details: { issuer },
    })
    await tellOwner(queries, userId, 'sign_on_linked', (email) => ({
      email,
      issuer,
      ...circumstancesOf(origin),
    }))
    return 'linked'
  })
}

export async function forgetLinks({ sql }: Queries): Promise<void> {
  await sql`delete from sign_on_links where expires_at < now()`
}
