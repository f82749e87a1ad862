// The commands, with and without a running service, and their refusals.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import test from 'node:test'
import { demoPassword } from '../demo/accounts.ts'
import { seldom } from './drawn.ts'
import {
  demoDirectory,
  type Environment,
  eventually,
  networkDatabase,
  postgresOn,
  type RunningService,
  run,
  serve,
  startOnTerminal,
  within,
} from './process.ts'
import { runHere } from './run-here.ts'

const directory = await demoDirectory()
const embedded = { CARDINAL_DATA_DIR: directory }
const me = '/services/identity/v1/users/me'

test('--help lists all commands, and so does the documentation for operators', async () => {
  const commands = {
    '': [
      'serve',
      'demo',
      'migrate',
      'backup <file>',
      'restore <file>',
      'export-to <database-url>',
      'jobs',
      'secrets',
      'user',
      'platform',
      'project',
      'member',
    ],
    demo: ['disable'],
    jobs: ['retry <id>'],
    secrets: ['rotate'],
    user: [
      'add [options] <email>',
      'password <email>',
      'reset-factor <email>',
      'disable <email>',
      'enable <email>',
      'enable-ai <email>',
      'disable-ai <email>',
      'set-superadmin [options] <email>',
      'demote <email>',
      'language <email> [language]',
      'wrong-codes',
    ],
    platform: ['list', 'add <name>', 'rename <platform-id> <name>'],
    project: [
      'list',
      'add [options] <name>',
      'add-product <project-id> <key>',
      'update [options] <project-id>',
    ],
    member: ['add [options] <project-id> <email>', 'remove <project-id> <email>'],
  }
  const documented = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8')
  for (const [group, names] of Object.entries(commands)) {
    for (const name of names)
      assert.match(documented, new RegExp(`^\\|.*\`${`${group} ${name}`.trim().split(/ [[<]/)[0]}[ \`]`, 'm'))
    const { code, stdout, stderr } = await run([group, '--help'].filter(Boolean), {})
    const listed = stdout.split('\nCommands:\n')[1] ?? ''
    const found = [...listed.matchAll(/^ {2}(\S.*?) {2,}/gm)].map((match) => match[1])
    assert.deepEqual({ code, stderr, found }, { code: 0, stderr: '', found: [...names, 'help [command]'] })
  }
})

test('with a running service, every command takes effect there at once', async () => {
  const service = await serve(embedded)
  const postgres = await postgresOn(directory)
  const email = 'Nora@example.test'

  await succeeds(['user', 'add', email, '--name', 'Nora'], embedded, 'lanterns follow a quiet tide\n')
  const token = await service.signIn(email, 'lanterns follow a quiet tide')
  assert.deepEqual((await service.client(token).call(me)).memberships, [])

  const added = await succeedsHere(
    ['project', 'add', 'Delta', '--product', 'website', 'shop', '--platform', '1'],
    embedded,
  )
  const projectId = idIn(added, /^Added the project Delta with id (\d+)\.\n$/)
  assert.equal(
    await succeedsHere(['project', 'update', `${projectId}`, '--website', 'https://delta.test'], embedded),
    `Project ${projectId} is called Delta; its website is https://delta.test/.\n`,
  )
  await succeedsHere(['member', 'add', `${projectId}`, email], embedded)
  const { memberships, current_project } = await service.client(token).call(me)
  assert.deepEqual(memberships, [{ project_id: projectId, project_name: 'Delta', role: 'member' }])
  assert.deepEqual(current_project?.tool_keys, ['shop', 'website'])
  await succeedsHere(['member', 'add', `${projectId}`, email, '--role', 'admin'], embedded)
  assert.equal((await service.client(token).call(me)).current_project?.role, 'admin')
  await succeedsHere(['member', 'add', `${projectId}`, email], embedded)
  assert.equal((await service.client(token).call(me)).current_project?.role, 'admin')
  const mayUseAi = async () => (await service.client(token).call(me)).user.enable_ai
  assert.equal(await mayUseAi(), false)
  await succeedsHere(['user', 'enable-ai', email], embedded)
  assert.equal(await mayUseAi(), true)
  await succeedsHere(['user', 'disable-ai', email], embedded)
  assert.equal(await mayUseAi(), false)
  const language = async () => (await service.client(token).call(me)).user.language
  await succeedsHere(['user', 'language', email, 'de'], embedded)
  assert.equal(await language(), 'de')
  await succeedsHere(['user', 'language', email], embedded)
  assert.equal(await language(), null)
  assert.match(
    await succeedsHere(['user', 'wrong-codes'], embedded),
    /^No wrong codes after a correct password/,
  )
  const secure = { email: 'secure@acme.test', password: 'demo-password', code: 'wrong' }
  assert.equal((await service.client().attempt('/v1/authenticate', secure)).status, 401)
  assert.match(
    await succeedsHere(['user', 'wrong-codes'], embedded),
    /^secure@acme\.test {2}1 wrong code, the last at \S+Z from 127\.0\.0\.1\n$/,
  )
  const recovery = { ...secure, code: 'demo-0001', is_recovery: true }
  const lost = await service.client().call('/v1/authenticate', recovery)
  assert.equal(
    await succeedsHere(['user', 'reset-factor', secure.email], embedded),
    'secure@acme.test signs in without two-factor authentication; all their sessions have ended.\n',
  )
  const ended = await service.client(lost.token).attempt(me)
  assert.deepEqual([ended.status, ended.ok || ended.code], [401, 'session_second_factor_changed'])
  await service.signIn(secure.email, secure.password)
  const again = await runHere(['user', 'reset-factor', secure.email], embedded)
  assert.deepEqual(
    [again.code, again.stderr],
    [1, 'secure@acme.test does not use two-factor authentication.\n'],
  )
  assert.match(
    await succeedsHere(['project', 'list'], embedded),
    new RegExp(`${projectId}  Delta  \\(shop, website\\)  on Cardinal\n`),
  )

  const platform = idIn(
    await succeedsHere(['platform', 'add', 'Sudwind'], embedded),
    /^Added the platform Sudwind with id (\d+)\.\n$/,
  )
  assert.equal(
    await succeedsHere(['platform', 'rename', `${platform}`, 'Südwind'], embedded),
    `Platform ${platform} is called Südwind.\n`,
  )
  assert.match(
    await succeedsHere(['platform', 'list'], embedded),
    /^ {5}1 {2}Cardinal\n {5}2 {2}Nordwind\n {5}3 {2}Südwind\n$/,
  )
  const rights = async () => {
    const { user } = await service.client(token).call(me)
    return [user.superadmin, user.superadmin_billing, user.superadmin_platform_id]
  }
  assert.equal(
    await succeedsHere(['user', 'set-superadmin', email, '--platform', `${platform}`], embedded),
    `${email} is a superadmin of platform ${platform}.\n`,
  )
  assert.deepEqual(await rights(), [true, false, platform])
  assert.equal(
    await succeedsHere(['user', 'set-superadmin', email, '--superadmin-billing'], embedded),
    `${email} is a superadmin of all platforms, with billing.\n`,
  )
  assert.deepEqual(await rights(), [true, true, null])
  await succeedsHere(['user', 'demote', email], embedded)
  assert.deepEqual(await rights(), [false, false, null])

  await succeedsHere(['user', 'password', email], embedded, 'seven foxes borrowed a kayak\n')
  assert.equal((await service.client(token).attempt(me)).status, 401)
  assert.equal(await statusOfSignIn(service, email, 'lanterns follow a quiet tide'), 401)
  const next = await service.signIn(email, 'seven foxes borrowed a kayak')

  await succeedsHere(['user', 'disable', email], embedded)
  assert.equal((await service.client(next).attempt(me)).status, 401)
  assert.equal(await statusOfSignIn(service, email, 'seven foxes borrowed a kayak'), 403)
  await succeedsHere(['user', 'enable', email], embedded)
  assert.equal(await statusOfSignIn(service, email, 'seven foxes borrowed a kayak'), 200)

  assert.equal(
    await succeedsHere(['member', 'remove', `${projectId}`, email], embedded),
    `${email} is no longer a member of project ${projectId}; 0 cards are unassigned.\n`,
  )
  const superadmin = service.client(await service.signIn('superadmin@cardinal.test', demoPassword))
  const { entries } = await superadmin.call('/services/identity/v1/audit/list', { limit: 100 })
  const recorded = entries.toReversed().filter(({ source }) => source === 'command line')
  assert.deepEqual(
    recorded.map(({ kind, account_email, project_id, details: { command, system_user: _, ...more } }) => [
      command,
      kind,
      account_email,
      project_id,
      more,
    ]),
    [
      ['user add', 'user.added', email, null, { superadmin: false, superadmin_billing: false }],
      ['project add', 'project.created', null, projectId, { name: 'Delta' }],
      ['project update', 'command.run', null, projectId, {}],
      ['member add', 'member.added', email, projectId, { role: 'member' }],
      ['member add', 'member.role_changed', email, projectId, { role: 'admin', role_before: 'member' }],
      ['user enable-ai', 'user.changed', email, projectId, { enable_ai: true }],
      ['user disable-ai', 'user.changed', email, projectId, { enable_ai: false }],
      ['user language', 'command.run', email, projectId, {}],
      ['user language', 'command.run', email, projectId, {}],
      ['user reset-factor', 'second_factor.reset', 'secure@acme.test', 1, { sessions_ended: 1 }],
      ['platform add', 'command.run', null, null, { name: 'Sudwind' }],
      ['platform rename', 'command.run', null, null, { name: 'Südwind' }],
      [
        'user set-superadmin',
        'user.promoted',
        email,
        null,
        { superadmin_billing: false, platform_id: platform },
      ],
      ['user set-superadmin', 'user.promoted', email, null, { superadmin_billing: true, platform_id: null }],
      // Not for the owner of their project.
      ['user demote', 'user.demoted', email, null, {}],
      ['user password', 'password.changed', email, projectId, {}],
      ['user disable', 'user.disabled', email, projectId, {}],
      ['user enable', 'user.enabled', email, projectId, {}],
      ['member remove', 'member.removed', email, projectId, { role: 'admin' }],
    ],
  )
  assert.deepEqual([...new Set(recorded.map(({ details }) => details['system_user']))], [userInfo().username])

  await succeedsHere(['migrate'], embedded)
  assert.equal(await postgresOn(directory), postgres)
  assert.equal(await service.stop(), 0)
})

seldom('without a running service, the commands work and leave nothing running', async () => {
  await succeeds(
    [
      'user',
      'add',
      'root@example.test',
      '--name',
      'Rika',
      '--superadmin',
      '--superadmin-billing',
      '--enable-ai',
      '--language',
      'de',
    ],
    embedded,
    'seven tall oak trees\n',
  )
  assert.equal(await postgresOn(directory), undefined)
  const added = await succeeds(['project', 'add', 'Echo', '--platform', '1'], embedded)
  const projectId = idIn(added, /^Added the project Echo with id (\d+)\.\n$/)
  await succeedsHere(['member', 'add', `${projectId}`, 'viewer@acme.test', '--role', 'owner'], embedded)
  await succeedsHere(['user', 'password', 'owner@blue.test'], embedded, 'quiet rivers bend twice\n')
  await succeedsHere(['user', 'disable', 'owner@cedar.test'], embedded)
  assert.equal(await postgresOn(directory), undefined)

  const service = await serve(embedded)
  const root = await service.client().call('/v1/authenticate', {
    email: 'root@example.test',
    password: 'seven tall oak trees',
  })
  assert.deepEqual([root.superadmin, root.superadmin_billing, root.enable_ai], [true, true, true])
  assert.equal(root.language, 'de')
  const viewer = await service.client(await service.signIn('viewer@acme.test', demoPassword)).call(me)
  assert.deepEqual(
    viewer.memberships.map(({ project_name, role }) => [project_name, role]),
    [
      ['Acme', 'viewer'],
      ['Echo', 'owner'],
    ],
  )
  await service.signIn('owner@blue.test', 'quiet rivers bend twice')
  assert.equal(await statusOfSignIn(service, 'owner@cedar.test', demoPassword), 403)
  assert.equal(await service.stop(), 0)
})

seldom('on a terminal the password is asked for and not shown', async () => {
  const { url, db } = await networkDatabase()
  const command = ['user', 'add', 'tilda@example.test', '--name', 'Tilda']
  const terminal = startOnTerminal(command, { DATABASE_URL: url })
  await eventually(() => assert.match(terminal.stdout, /Password for tilda@example\.test: $/))
  terminal.child.stdin.write('typed in the dark\r')
  assert.equal(await within(10_000, terminal.ended), 0)
  assert.match(
    terminal.stdout,
    /^Password for tilda@example\.test: \r\nAdded tilda@example\.test with id \d+\.\r\n$/,
  )
  const service = await serve({ DATABASE_URL: url })
  await service.signIn('tilda@example.test', 'typed in the dark')
  assert.equal((await db.sql`select from users`).length, 1)
  assert.equal(await service.stop(), 0)
})

seldom('migrate makes the schema and changes nothing the second time', async () => {
  const { url, db } = await networkDatabase({ isEmpty: true })
  for (const migrate of [succeeds, succeedsHere]) {
    const printed = await migrate(['migrate'], { DATABASE_URL: url })
    assert.equal(printed, 'The database has the current schema.\n')
  }
  assert.equal((await db.sql`select from users`).length, 0)
  await succeedsHere(['demo'], { DATABASE_URL: url })
  const recorded = await db.sql<
    { details: Record<string, unknown> }[]
  >`select details from audit_entries where kind = 'command.run' order by id`
  const files = await readdir(new URL('../database/migrations', import.meta.url))
  const by = { system_user: userInfo().username }
  assert.deepEqual(
    recorded.map(({ details }) => details),
    [
      { ...by, command: 'migrate', migrations: files.length, newest: files.sort().at(-1) },
      { ...by, command: 'demo' },
    ],
  )
})

test('an impossible command gives a clear message and changes nothing', async (t) => {
  const { url, db } = await networkDatabase()
  const environment = { DATABASE_URL: url }
  await succeedsHere(
    ['user', 'add', 'ada@example.test', '--name', 'Ada'],
    environment,
    'tall oaks hum at noon\n',
  )
  const id = idIn(await succeedsHere(['project', 'add', 'Foxtrot'], environment), /(\d+)\.\n$/)
  await succeedsHere(['member', 'add', `${id}`, 'ada@example.test'], environment)
  await succeedsHere(['platform', 'add', 'Second'], environment)
  const contents = async () => [
    ...(await db.sql`select * from users order by id`),
    ...(await db.sql`select * from projects order by id`),
    ...(await db.sql`select * from memberships order by user_id`),
    ...(await db.sql`select * from platforms order by id`),
    // Nor is a refused command recorded as one that ran.
    ...(await db.sql`select * from audit_entries order by id`),
  ]
  const before = await contents()

  const member = ['member', 'add', `${id}`, 'ada@example.test']
  const refusals: { args: string[]; input?: string; sentence: string }[] = [
    {
      args: ['user', 'add', 'ADA@example.test', '--name', 'Ada'],
      input: 'tall oaks hum at noon\n',
      sentence: 'ADA@example.test has an account already.',
    },
    {
      args: ['user', 'add', 'nobody', '--name', 'Nobody'],
      input: 'tall oaks hum at noon\n',
      sentence: 'nobody is not an email address.',
    },
    {
      args: ['user', 'add', 'nobody@example..test', '--name', 'Nobody'],
      input: 'tall oaks hum at noon\n',
      sentence: 'nobody@example..test is not an email address.',
    },
    {
      args: ['user', 'add', 'bob@example.test', '--name', 'Bob'],
      input: 'princess12345\n',
      sentence:
        'This password is too easy to guess, because most of it is a common password. Use a longer phrase of words that do not belong together.',
    },
    {
      args: ['user', 'add', 'bob@example.test', '--name', 'Bob'],
      input: 'short\n',
      sentence: 'A password has at least 12 characters.',
    },
    {
      args: ['user', 'password', 'ada@example.test'],
      input: '',
      sentence: 'No password was given. Type it, or pass it as a line of standard input.',
    },
    {
      args: ['user', 'add', 'bob@example.test', '--name', 'b'.repeat(256)],
      input: 'tall oaks hum at noon\n',
      sentence: 'A name has at most 255 characters.',
    },
    {
      args: ['user', 'password', 'ada@example.test'],
      input: `${'ü'.repeat(513)}\n`,
      sentence: 'A password has at most 1024 bytes.',
    },
    {
      args: ['user', 'password', 'ada@example.test'],
      input: 'foxtrot-Foxtrot 12\n',
      sentence:
        'This password is too easy to guess, because it has your name, email address or project in it. Use a longer phrase of words that do not belong together.',
    },
    { args: ['user', 'add', 'bob@example.test', '--name', ' '], sentence: 'A user needs a name.' },
    {
      args: ['user', 'add', 'bob\u001b[2J@example.test', '--name', 'Bob'],
      sentence: 'An email address cannot contain a control character (U+001B).',
    },
    {
      args: ['user', 'add', 'ada@v\u0130ctim.test', '--name', 'Ada'],
      sentence: 'ada@v\u0130ctim.test has a letter (U+0130) that counts as another one in email addresses.',
    },
    {
      args: ['user', 'add', `${'b'.repeat(243)}@example.test`, '--name', 'Bob'],
      sentence: 'An email address has at most 254 characters.',
    },
    {
      args: ['project', 'update', `${id}`, '--website', 'https://golf.test/\u0007'],
      sentence: 'An address cannot contain a control character (U+0007).',
    },
    { args: ['user', 'enable', 'bob@example.test'], sentence: 'There is no account bob@example.test.' },
    { args: ['project', 'add', ' '], sentence: 'A project needs a name.' },
    { args: ['project', 'add', 'g'.repeat(256)], sentence: 'A name has at most 255 characters.' },
    {
      args: ['project', 'add', 'Golf'],
      sentence: 'There are several platforms: give --platform. "platform list" lists them.',
    },
    {
      args: ['project', 'add', 'Golf', '--platform', '99'],
      sentence: 'There is no platform 99: "platform list" lists them.',
    },
    { args: ['platform', 'add', ' '], sentence: 'A platform needs a name.' },
    {
      args: ['platform', 'add', 'Red\u001b[31m'],
      sentence: 'A name cannot contain a control character (U+001B).',
    },
    {
      args: ['platform', 'add', 'Red\u000b'],
      sentence: 'A name cannot contain a control character (U+000B).',
    },
    {
      args: ['platform', 'rename', '1', 'Two\nlines'],
      sentence: 'A name cannot contain a control character (a tab or a line break).',
    },
    { args: ['platform', 'add', 'p'.repeat(256)], sentence: 'A name has at most 255 characters.' },
    { args: ['platform', 'add', 'SECOND'], sentence: 'There is a platform SECOND already.' },
    { args: ['platform', 'rename', '1', 'Second'], sentence: 'There is a platform Second already.' },
    {
      args: ['platform', 'rename', 'Second', 'Third'],
      sentence: 'There is no platform Second: "platform list" lists them.',
    },
    {
      args: ['user', 'set-superadmin', 'ada@example.test', '--platform', '99'],
      sentence: 'There is no platform 99: "platform list" lists them.',
    },
    {
      args: ['user', 'set-superadmin', 'bob@example.test'],
      sentence: 'There is no account bob@example.test.',
    },
    {
      args: ['user', 'demote', 'bob@example.test'],
      sentence: 'There is no account bob@example.test.',
    },
    {
      args: ['user', 'add', 'bob@example.test', '--name', 'Bob', '--platform', '1'],
      sentence: '--platform says what a superadmin is superadmin of: give --superadmin too.',
    },
    {
      args: ['user', 'add', 'bob@example.test', '--name', 'Bob', '--superadmin', '--platform', '99'],
      input: 'tall oaks hum at noon\n',
      sentence: 'There is no platform 99: "platform list" lists them.',
    },
    { args: ['project', 'add-product', '999', 'shop'], sentence: 'There is no project 999.' },
    { args: ['project', 'update', '999', '--name', 'Golf'], sentence: 'There is no project 999.' },
    { args: ['project', 'update', `${id}`], sentence: 'Nothing to change: give --name or --website.' },
    {
      args: ['project', 'update', `${id}`, '--website', 'ftp://golf.test'],
      sentence:
        'ftp://golf.test is not an address that starts with http:// or https://, without a user name, a question mark or a #.',
    },
    {
      args: ['project', 'add-product', `${id}`, 'No Key'],
      sentence: 'A product key is a word of small letters, such as website or shop.',
    },
    {
      args: ['project', 'add', 'Golf', '--product', 'No Key'],
      sentence: 'A product key is a word of small letters, such as website or shop.',
    },
    {
      args: ['user', 'password', 'bob@example.test'],
      input: 'tall oaks hum at noon\n',
      sentence: 'There is no account bob@example.test.',
    },
    { args: ['user', 'disable', 'bob@example.test'], sentence: 'There is no account bob@example.test.' },
    { args: ['user', 'disable', '\x1b[2J@\x07'], sentence: 'There is no account \\u001b[2J@\\u0007.' },
    {
      args: ['user', 'disable', 'a', '--\x1b[2J'],
      sentence: "error: unknown option '--\\u001b[2J'",
    },
    {
      args: ['jobs', 'retry', '999'],
      sentence: 'There is no job 999 that is waiting or dead. Run "cardinal jobs" to list them.',
    },
    { args: ['user', 'enable-ai', 'bob@example.test'], sentence: 'There is no account bob@example.test.' },
    { args: ['user', 'language', 'bob@example.test'], sentence: 'There is no account bob@example.test.' },
    {
      args: ['user', 'language', 'ada@example.test', 'fr'],
      sentence:
        "error: command-argument value 'fr' is invalid for argument 'language'. Allowed choices are en, de.",
    },
    {
      args: ['user', 'add', 'bob@example.test'],
      sentence: "error: required option '--name <name>' not specified",
    },
    {
      args: ['member', 'add', `${id}`, 'bob@example.test'],
      sentence: 'There is no account bob@example.test.',
    },
    { args: ['member', 'add', '999', 'ada@example.test'], sentence: 'There is no project 999.' },
    {
      args: ['member', 'add', 'Foxtrot', 'ada@example.test'],
      sentence: 'Foxtrot is not the id of a project.',
    },
    {
      args: [...member, '--role', 'king'],
      sentence:
        "error: option '--role <role>' argument 'king' is invalid. Allowed choices are viewer, member, admin, owner.",
    },
    {
      args: ['demo'],
      sentence: 'The database already has accounts. Demo data is added only to an empty one.',
    },
    { args: ['sevre'], sentence: "error: unknown command 'sevre'\n(Did you mean serve?)" },
  ]
  for (const { args, input, sentence } of refusals)
    await t.test(args.join(' '), async () => {
      // What is no command at all ends the process.
      const outcome = await (sentence.startsWith('error: ') ? run : runHere)(args, environment, input)
      assert.deepEqual(outcome, { code: 1, stdout: '', stderr: `${sentence}\n` })
      assert.deepEqual(await contents(), before)
    })
})

async function succeedsHere(...given: Parameters<typeof runHere>): Promise<string> {
  const { code, stdout, stderr } = await runHere(...given)
  assert.deepEqual([code, stderr], [0, ''], given[0].join(' '))
  return stdout
}

async function succeeds(args: string[], environment: Environment, input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(args, environment, input)
  assert.deepEqual([code, stderr], [0, ''], args.join(' '))
  return stdout
}

function idIn(printed: string, pattern: RegExp): number {
  const [, id] = pattern.exec(printed) ?? []
  assert.ok(id, printed)
  return Number(id)
}

async function statusOfSignIn(service: RunningService, email: string, password: string): Promise<number> {
  return (await service.client().attempt('/v1/authenticate', { email, password })).status
}
