import { readConfig } from '#config.ts'
import { AccountProblem } from '#identity/accounts.ts'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { isEmpty, seedDemo } from '../demo/seed.ts'
import { withDatabase } from './with-database.ts'

export async function demo() {
  await withDatabase(readConfig(process.env), async (db) => {
    if (!(await isEmpty(db)))
      throw new AccountProblem(
        'The database has accounts already; the demo data goes into an empty one only.',
      )
    await seedDemo(db)
  })
  console.log(`The demo data is in. Password of every account: ${demoPassword}`)
  for (const { email, note } of demoAccounts) console.log(`  ${email.padEnd(26)} ${note}`)
}
