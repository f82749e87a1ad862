import type { Fail } from '#contract/failure.ts'
import type { Queries } from '#database/connect.ts'
import { checkSetupLink } from '#identity/setup.ts'

export const setupFailures = {
  400: { already_set_up: 'Cardinal is already set up.' },
  404: {
    setup_link_not_found: 'This setup link is not valid or has expired. Restart Cardinal for a new one.',
  },
} as const

/** Fails unless the link can be used. */
export async function requireSetupLink(
  queries: Queries,
  token: string,
  fail: Fail<typeof setupFailures>,
): Promise<void> {
  const outcome = await checkSetupLink(queries, token)
  if (outcome === 'no link') throw fail(404, 'setup_link_not_found')
  if (outcome === 'already set up') throw fail(400, 'already_set_up')
}
