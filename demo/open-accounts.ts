import type { Queries } from '#database/connect.ts'
import { startPasswords } from '#identity/passwords.ts'
import { findUserByEmail } from '#identity/users.ts'
import { demoAccounts, demoPassword } from './accounts.ts'

/** The demo accounts of the database that are not disabled. */
async function enabledDemoAccounts(queries: Queries) {
  const found = []
  for (const { email, note } of demoAccounts) {
    const user = await findUserByEmail(queries, email)
    if (user && user.disabled_at === null) found.push({ email, note, passwordHash: user.password_hash })
  }
  return found
}

/** Of those, the ones that everybody can sign in to, because their password is still the demo's. */
export async function openDemoAccounts(queries: Queries) {
  const accounts = await enabledDemoAccounts(queries)
  const passwords = startPasswords()
  try {
    // They were given one hash together, and comparing takes a while.
    const hashes = [...new Set(accounts.map(({ passwordHash }) => passwordHash))]
    const matches = await Promise.all(hashes.map((hash) => passwords.verify(hash, demoPassword)))
    return accounts.filter(({ passwordHash }) => matches[hashes.indexOf(passwordHash)])
  } finally {
    await passwords.close()
  }
}
