import type { Queries } from '#database/connect.ts'
import { startPasswords } from '#identity/passwords.ts'
import { demoAccounts, demoPassword } from './accounts.ts'

export interface OpenAccounts {
  ids: number[]
  /** Accounts that the demo is about, and superadmins. */
  named: { email: string; note: string }[]
  /** How many others, such as the owners of the fleet. */
  others: number
}

/** The accounts of the demo that anyone can sign in to, because they still have the demo password. */
export async function openDemoAccounts({ sql }: Queries): Promise<OpenAccounts> {
  // Not by the addresses of the demo, because people can change them.
  const accounts = await sql<
    { id: number; email: string; password_hash: string | null; superadmin: boolean }[]
  >`select id, email, password_hash, superadmin from users where is_demo and disabled_at is null order by id`
  const isKnown = await demoHashes(new Set(accounts.map((account) => account.password_hash)))
  const open = accounts.filter((account) => isKnown.has(account.password_hash))
  const byEmail = new Map(open.map((account) => [account.email, account]))
  const known = demoAccounts.filter(({ email }) => byEmail.delete(email))
  const renamed = [...byEmail.values()].filter(({ superadmin }) => superadmin)
  const named = [...known, ...renamed.map(({ email }) => ({ email, note: 'superadmin' }))]
  return { ids: open.map(({ id }) => id), named, others: open.length - named.length }
}

/** Those of the hashes that are of the demo password. Untouched accounts share one, and each comparison takes a while. */
async function demoHashes(hashes: ReadonlySet<string | null>): Promise<Set<string | null>> {
  const passwords = startPasswords()
  try {
    const compared = [...hashes].map(async (hash) => ({
      hash,
      isDemo: await passwords.verify(hash ?? undefined, demoPassword),
    }))
    return new Set((await Promise.all(compared)).filter(({ isDemo }) => isDemo).map(({ hash }) => hash))
  } finally {
    await passwords.close()
  }
}

/** For sentences; empty if there are none. */
export const listed = ({ named, others }: OpenAccounts): string => {
  const emails = named.map(({ email }) => email).join(', ')
  if (others === 0) return emails
  return emails === '' ? `${others} accounts of the demo` : `${emails} and ${others} more`
}
