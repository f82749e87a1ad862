import { Command, Option } from 'commander'
import { AccountProblem } from '#identity/accounts.ts'
import { roles } from '#identity/roles.ts'
import { StartFailure } from '#start-failure.ts'
import packageJson from '../package.json' with { type: 'json' }
import * as accounts from './accounts.ts'
import { demo } from './demo.ts'
import { migrateDatabase } from './migrate.ts'
import { serve } from './serve.ts'

const program = new Command('cardinal')
  .description(
    `${packageJson.description}.\n\nReads its settings from the environment: docs/operating.md lists them.`,
  )
  .version(packageJson.version)

program.command('serve').description('start the service').action(serve)
program.command('demo').description('fill the database with the demo data').action(demo)
program.command('migrate').description('bring the database to the current schema').action(migrateDatabase)

const user = program.command('user').description('accounts')
user
  .command('add <email>')
  .description('add an account; asks for the password')
  .requiredOption('--name <name>', 'how the person is called')
  .option('--superadmin', 'may do everything in every project')
  .option('--superadmin-billing', 'may upgrade subscriptions as a superadmin')
  .action(accounts.addUserCommand)
user
  .command('password <email>')
  .description('set a new password and end all sessions; asks for it')
  .action(accounts.setPasswordCommand)
user
  .command('disable <email>')
  .description('end all sessions and refuse new ones')
  .action(accounts.disableUserCommand)

program
  .command('project')
  .description('projects')
  .command('add <name>')
  .description('add a project and print its id')
  .option('--tool <key...>', 'a tool that the project has access to', [])
  .action(accounts.addProjectCommand)

program
  .command('member')
  .description('memberships')
  .command('add <project-id> <email>')
  .description('make a user a member of a project, or change the role')
  .addOption(new Option('--role <role>', 'what the member may do').choices(roles).default('member'))
  .action(accounts.addMemberCommand)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof StartFailure || error instanceof AccountProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
