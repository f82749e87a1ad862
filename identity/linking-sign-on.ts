// Links an account with a person at the identity provider, after its owner has confirmed it while signed in, and unlinks it.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { circumstancesOf, tellOwner } from './notices.ts'
import type { SignedOn } from './openid.ts'
import { lockSession, type OwnSession } from './sessions.ts'
import { newToken, sha256, tokenHash } from './tokens.ts'

const linkMinutes = 15

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
    await record(queries, userId, { change: 'linked', issuer }, origin)
    return 'linked'
  })
}

async function record(
  queries: Queries,
  userId: number,
  { change, issuer }: { change: 'linked' | 'unlinked'; issuer: string },
  origin: Origin,
): Promise<void> {
  const entry = { accountId: userId, details: { issuer } }
  await recordEntry(queries, origin, { kind: `single_sign_on.${change}`, ...entry })
  await tellOwner(queries, userId, 'sign_on', (email) => ({
    ...{ email, change, issuer },
    ...circumstancesOf(origin),
  }))
}

interface LinkedProvider {
  issuer: string
  linked_at: string
  last_used_at: string
}

/** The identity providers that sign in to an account, oldest first. */
export const listLinked = ({ sql }: Queries, userId: number): Promise<LinkedProvider[]> => sql<
  LinkedProvider[]
>`
  select issuer, min(created_at) as linked_at, max(last_used_at) as last_used_at from sign_on_identities
  where user_id = ${userId} group by issuer order by 2, 1`

/** Not if nothing else would be left to sign in with. Sessions stay. */
export function unlinkSignOn(
  db: Database,
  own: OwnSession,
  issuer: string,
  origin: Origin,
): Promise<'unlinked' | 'not linked' | 'only way in' | 'session ended'> {
  const { userId } = own
  return db.transaction(async (queries) => {
    const { sql } = queries
    if (!(await lockSession(queries, own))) return 'session ended'
    const linked = await listLinked(queries, userId)
    if (!linked.some((one) => one.issuer === issuer)) return 'not linked'
    const other = await sql`
      select from users u where id = ${userId}
        and (password_hash is not null or exists (select from passkeys p where p.user_id = u.id))`
    if (linked.length === 1 && other.length === 0) return 'only way in'
    await sql`delete from sign_on_identities where user_id = ${userId} and issuer = ${issuer}`
    await record(queries, userId, { change: 'unlinked', issuer }, origin)
    return 'unlinked'
  })
}

export async function forgetLinks({ sql }: Queries): Promise<void> {
  await sql`delete from sign_on_links where expires_at < now()`
}
