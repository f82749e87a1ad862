import { Argument, Command, Option } from 'commander'
import { roles } from '#identity/roles.ts'
import { languages } from '#languages/known.ts'
import packageJson from '../package.json' with { type: 'json' }
import { printable } from './failure-sentence.ts'

/** Loads the account commands when one of them is used. */
function account<Name extends keyof typeof import('./accounts.ts')>(name: Name) {
  return async (...given: Parameters<typeof import('./accounts.ts')[Name]>) => {
    const command = (await import('./accounts.ts'))[name] as (...given: unknown[]) => Promise<void>
    await command(...given)
  }
}

/** All commands; cardinal.ts runs the one that was asked for. */
export const program = new Command('cardinal')
  .description(
    `${packageJson.description}.\n\nReads its settings from the environment: docs/operating.md lists them.`,
  )
  .version(packageJson.version)
  .configureOutput({ outputError: (text, write) => write(printable(text)) })

program
  .command('serve')
  .description('start the service')
  .action(async ({ whyRoot }: { whyRoot?: string }) => (await import('./serve.ts')).serve(whyRoot))
program
  .command('demo')
  .description('fill the database with the demo data')
  .helpCommand(true)
  .action(async () => (await import('./demo.ts')).demo())
  .command('disable')
  .description('disable the demo accounts that still have the demo password')
  .action(async () => (await import('./demo.ts')).disableDemo())
program
  .command('migrate')
  .description('bring the database to the current schema')
  .action(async () => (await import('./migrate.ts')).migrateDatabase())

program
  .command('backup <file>')
  .description('write everything to a file, also while the service runs')
  .action(async (file: string) => (await import('./backup.ts')).backUp(file))
program
  .command('restore <file>')
  .description('replace the embedded database by a backup, or fill the empty one of DATABASE_URL')
  .action(async (file: string) => (await import('./backup.ts')).restore(file))
program
  .command('export-to <database-url>')
  .description('copy the embedded database into an empty one on a PostgreSQL server, and compare them')
  .action(async (url: string) => (await import('./backup.ts')).exportTo(url))

program
  .command('jobs')
  .description('list the background jobs, dead ones first')
  .helpCommand(true)
  .action(async () => (await import('./jobs.ts')).listJobsCommand())
  .command('retry <id>')
  .description('do a job again now, with all its attempts')
  .action(async (id: string) => (await import('./jobs.ts')).retryJobCommand(id))

program
  .command('secrets')
  .description('encrypted secrets')
  .command('rotate')
  .description('encrypt all secrets with a new key')
  .action(async () => (await import('./secrets.ts')).rotateSecrets())

const user = program.command('user').description('accounts')
user
  .command('add <email>')
  .description('add an account; asks for the password')
  .requiredOption('--name <name>', 'how the person is called')
  .option('--superadmin', 'may do everything in every project of all platforms, or of --platform')
  .option('--superadmin-billing', 'may start trials, upgrade subscriptions and book payments as a superadmin')
  .option('--platform <id>', 'superadmin of this platform only')
  .option('--enable-ai', 'may use AI features')
  .addOption(
    new Option('--language <language>', 'what the person reads (default: as the browser says)').choices(
      languages,
    ),
  )
  .action(account('addUserCommand'))
user
  .command('password <email>')
  .description('set a new password and end all sessions; asks for it')
  .action(account('setPasswordCommand'))
user
  .command('reset-factor <email>')
  .description('turn off two-factor authentication for a person who has lost it, and end all sessions')
  .action(account('resetFactorCommand'))
user
  .command('disable <email>')
  .description('end all sessions and refuse new ones')
  .action(account('disableUserCommand'))
user
  .command('enable <email>')
  .description('let a disabled account sign in again')
  .action(account('enableUserCommand'))
user
  .command('enable-ai <email>')
  .description('let an account use AI features')
  .action(account('enableAiCommand'))
user
  .command('disable-ai <email>')
  .description('stop an account from using AI features')
  .action(account('disableAiCommand'))
user
  .command('set-superadmin <email>')
  .description('make an account a superadmin, or change what they are superadmin of')
  .option('--superadmin-billing', 'may start trials, upgrade subscriptions and book payments')
  .option('--platform <id>', 'of this platform only')
  .action(account('setSuperadminCommand'))
user
  .command('demote <email>')
  .description('make a superadmin an ordinary account')
  .action(account('demoteCommand'))
user
  .command('language <email>')
  .description('set the language of an account; without one it is that of the browser')
  .addArgument(new Argument('[language]').choices(languages))
  .action(account('setLanguageCommand'))
user
  .command('wrong-codes')
  .description('list accounts where wrong two-factor codes followed a right password')
  .action(account('listWrongCodesCommand'))

const platform = program
  .command('platform')
  .description('platforms: each has its own projects, templates and superadmins')
platform
  .command('list')
  .description('list the platforms with their ids')
  .action(account('listPlatformsCommand'))
platform
  .command('add <name>')
  .description('add a platform, and print its id')
  .action(account('addPlatformCommand'))
platform
  .command('rename <platform-id> <name>')
  .description('change the name of a platform')
  .action(account('renamePlatformCommand'))

const project = program.command('project').description('projects')
project.command('list').description('list the projects with their ids').action(account('listProjectsCommand'))
project
  .command('add <name>')
  .description('add a project, with the templates it has access to, and print its id')
  .option('--product <key...>', 'a product that the project has access to', [])
  .option('--platform <id>', 'the platform it belongs to; needed where there are several')
  .action(account('addProjectCommand'))
project
  .command('add-product <project-id> <key>')
  .description('give a project access to a product, with the templates that belong to it')
  .action(account('addProductCommand'))

project
  .command('update <project-id>')
  .description('change the name of a project, or the address of its website')
  .option('--name <name>', 'how the project is called')
  .option('--website <url>', 'what checks of its website look at; "" for none')
  .action(account('updateProjectCommand'))

const member = program.command('member').description('memberships')
member
  .command('add <project-id> <email>')
  .description('make a user a member of a project, or change the role')
  .addOption(
    new Option('--role <role>', 'what the member may do (new members: member; others keep theirs)').choices(
      roles,
    ),
  )
  .action(account('addMemberCommand'))
member
  .command('remove <project-id> <email>')
  .description('take a user out of a project; their cards become unassigned')
  .action(account('removeMemberCommand'))
