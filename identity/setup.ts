// The setup link that a start prints while there is no account; its holder becomes the first superadmin.
import type { Queries } from '#database/connect.ts'
import { newToken, sha256, tokenHash } from './tokens.ts'

export const setupLinkHours = 24

/** Adds a token for a setup link. Each instance prints its own, and all of them work until the first is used. */
export async function addSetupLink({ sql }: Queries): Promise<string> {
  const token = newToken()
  await sql`
    insert into setup_links (token_hash, expires_at)
    values (${sha256(token)}, now() + ${`${setupLinkHours} hours`}::interval)`
  return token
}

/** Says whether the installation has an account, and whether a setup link can be used. */
export async function setupStatus({ sql }: Queries): Promise<{ is_set_up: boolean; has_link: boolean }> {
  const [status] = await sql<{ is_set_up: boolean; has_link: boolean }[]>`
    select is_set_up, not is_set_up and exists (select from setup_links where expires_at > now()) as has_link
    from (select exists (select from users) as is_set_up) present`
  return status as { is_set_up: boolean; has_link: boolean }
}

export type UnusableLink = 'no link' | 'already set up'

/** Says whether the link can be used; once there is an account, none can. */
export async function checkSetupLink({ sql }: Queries, token: string): Promise<'usable' | UnusableLink> {
  const hash = tokenHash(token)
  const [link] = hash
    ? await sql<{ has_users: boolean }[]>`
        select exists (select from users) as has_users from setup_links
        where token_hash = decode(${hash}, 'hex') and expires_at > now()`
    : []
  if (!link) return 'no link'
  return link.has_users ? 'already set up' : 'usable'
}
