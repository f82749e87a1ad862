import type { Queries } from '#database/connect.ts'
import { startPasswords } from '#identity/passwords.ts'
import { findUserByEmail } from '#identity/users.ts'
import { demoAccounts, demoPassword } from './accounts.ts'

async function enabledDemoAccounts(queries: Queries) {
  const found = []
  for (const { email, note } of demoAccounts) {
    const user = await findUserByEmail(queries, email)
    if (user && user.disabled_at === null)
      found.push({ id: user.id, email, note, passwordHash: user.password_hash })
  }
  return found
}

/** The demo accounts that anyone can sign in to, because they still have the demo password. */
export async function openDemoAccounts(queries: Queries) {
  const accounts = await enabledDemoAccounts(queries)
  const passwords = startPasswords()
  try {
    // They share one hash, and each comparison takes a while.
    const hashes = [...new Set(accounts.map(({ passwordHash }) => passwordHash))]
    const matches = await Promise.all(hashes.map((hash) => passwords.verify(hash ?? undefined, demoPassword)))
    return accounts.filter(({ passwordHash }) => matches[hashes.indexOf(passwordHash)])
  } finally {
    await passwords.close()
  }
}
