// The setup link that a start prints while there is no account; its holder becomes the first superadmin.
import type { Fail } from '#contract/failure.ts'
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

export const setupFailures = {
  400: { already_set_up: 'Cardinal is already set up.' },
  404: {
    setup_link_not_found: 'This setup link is not valid or has expired. Restart Cardinal for a new one.',
  },
} as const

/** Fails if the link is unknown or expired, and once there is an account. */
export async function checkSetupLink(
  { sql }: Queries,
  token: string,
  fail: Fail<typeof setupFailures>,
): Promise<void> {
  const hash = tokenHash(token)
  const [link] = hash
    ? await sql<{ has_users: boolean }[]>`
        select exists (select from users) as has_users from setup_links
        where token_hash = decode(${hash}, 'hex') and expires_at > now()`
    : []
  if (!link) throw fail(404, 'setup_link_not_found')
  if (link.has_users) throw fail(400, 'already_set_up')
}
