import { recordEntry } from '#audit/record.ts'
import { readConfig } from '#config.ts'
import { disableUser, hasUsers } from '#identity/accounts.ts'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { listed, openDemoAccounts } from '../demo/open-accounts.ts'
import { seedDemo } from '../demo/seed.ts'
import { changing, originOf } from './changing.ts'
import { CommandProblem } from './command-problem.ts'
import { prepareSecrets } from './secrets.ts'
import { withDatabase } from './with-database.ts'

export async function demo() {
  const config = readConfig(process.env)
  if (!config.allowsDemo)
    throw new CommandProblem(
      'The demo accounts have a password that everyone knows, so they are not added to a production or public service. Set CARDINAL_DEMO=true to add them anyway.',
    )
  await withDatabase(config, async (db) => {
    if (await hasUsers(db))
      throw new CommandProblem('The database already has accounts. Demo data is added only to an empty one.')
    await seedDemo(db)
    await prepareSecrets(db, config)
    await recordEntry(db, originOf('demo', config), { kind: 'command.run' })
  })
  console.log(`The demo data is in. Password of every account: ${demoPassword}`)
  for (const { email, note } of demoAccounts) console.log(`  ${email.padEnd(26)} ${note}`)
}

export async function disableDemo() {
  const disabled = await changing('demo disable', async (db, origin) => {
    const accounts = await openDemoAccounts(db)
    for (const id of accounts.ids) {
      await disableUser(db, id)
      await recordEntry(db, origin, { kind: 'user.disabled', accountId: id })
    }
    return listed(accounts)
  })
  console.log(
    disabled === ''
      ? 'No account has the demo password.'
      : `Disabled ${disabled}; all their sessions have ended.`,
  )
}
