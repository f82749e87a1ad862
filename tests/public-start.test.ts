// A public start is safe: no demo, a link for the first superadmin, and no start while demo accounts are open.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TOTP } from 'otpauth'
import { drawn, seldom } from '#tests/drawn.ts'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { fleetSize } from '../demo/fleet.ts'
import { listed } from '../demo/open-accounts.ts'
import {
  demoDirectory,
  type Environment,
  eventually,
  networkDatabase,
  postgresOn,
  printedAccounts,
  type RunningService,
  run,
  serve,
  startOnTerminal,
  temporaryDirectory,
  withDatabaseOf,
  within,
} from './process.ts'
import { runHere } from './run-here.ts'

const publicSettings: Environment[] = [
  { NODE_ENV: 'production' },
  { HOST: '0.0.0.0' },
  { CARDINAL_PUBLIC_URL: 'https://boards.example.test' },
]
const production = publicSettings[0] as Environment
const check = '/services/identity/v1/setup/check'
const complete = '/services/identity/v1/setup/complete'
const person = { name: 'Ada', email: 'ada@example.test', password: 'tall oaks hum at noon' }
const allEmails = demoAccounts.map(({ email }) => email)
/** The owners of the fleet. */
const others = ` and ${fleetSize} more`

/** The secret of the setup link that the start printed, if it printed one for its address. */
const setupTokenOf = ({ url, stdout }: RunningService) =>
  stdout
    .split('\n')
    .find((line) => line.startsWith(`  Set up: ${url}/setup#`))
    ?.split('#')[1]

const countUsers = (directory: string) =>
  withDatabaseOf(directory, async ({ sql }) => (await sql`select from users`).length)

const openAccountsSentence = (
  emails: string[],
) => `Anyone could sign in: this service is set up for production or can be reached from outside, and the demo password still works for ${emails.join(', ')}${others}.
Disable them:                npm run cardinal -- demo disable
Add an account of your own:  npm run cardinal -- user add <email> --name <name> --superadmin --superadmin-billing
Or set CARDINAL_DEMO=true to start anyway.
`

// One after the other, because commands that run in this process change its environment.
suite('public starts', () => {
  test('a public start is empty, with a setup link and without test cards', async (t) => {
    await t.test('in a new data directory', async () => {
      const directory = await temporaryDirectory()
      const service = await serve({ CARDINAL_DATA_DIR: directory, ...production })
      assert.equal(await countUsers(directory), 0)
      assert.doesNotMatch(service.stdout, /demo/i)
      assert.ok(setupTokenOf(service))
      assert.equal(await service.stop(), 0)
    })
    const { url, db } = await networkDatabase({ isEmpty: true })
    const database = { DATABASE_URL: url }
    const tokens: string[] = []
    const chosen = drawn(publicSettings)
    for (const settings of chosen)
      await t.test(JSON.stringify(settings), async () => {
        const service = await serve({ ...database, ...settings })
        assert.equal((await db.sql`select from users`).length, 0)
        assert.doesNotMatch(service.stdout, /demo/i)
        const token = setupTokenOf(service)
        assert.ok(token)
        tokens.push(token)
        assert.equal(await service.stop(), 0)
      })

    const service = await serve({ ...database, ...production })
    tokens.push(setupTokenOf(service) as string)
    assert.equal(new Set(tokens).size, chosen.length + 1)
    const nobody = service.client()
    // Several instances may have started; using one link invalidates all.
    for (const token of tokens) assert.equal((await nobody.attempt(check, { token })).status, 200)
    const made = await nobody.call(complete, { token: tokens[0] as string, ...person, project_name: 'Acme' })
    for (const token of tokens) assert.equal((await nobody.attempt(check, { token })).status, 400)
    const ada = service.client(made.token)
    const { secret } = await ada.call('/services/identity/v1/second-factor/begin', {
      password: person.password,
    })
    const code = new TOTP({ secret }).generate()
    const { recovery_codes: codes } = await ada.call('/services/identity/v1/second-factor/confirm', { code })
    await ada.call('/services/platforms/v1/subscriptions/start-trial', { product: 'website', days: 14 })
    const upgrade = { product: 'website', plan: 'pro', period: 'year' } as const
    const paid = await ada.attempt('/services/platforms/v1/subscriptions/upgrade-trial', upgrade)
    assert.equal(paid.status, 400)
    assert.equal(await service.stop(), 0)
    const log = service.stdout.split('\n').filter((line) => line.startsWith('{'))
    assert.ok(log.length > 0)
    for (const token of tokens) assert.ok(!log.join('\n').includes(token), 'the log holds a setup link')

    const next = await serve({ ...database, ...production })
    assert.doesNotMatch(next.stdout, /Set up/)
    const { email, password } = person
    const recovery = { code: codes[0] as string, is_recovery: true }
    await next.client().call('/v1/authenticate', { email, password, ...recovery })
    assert.equal(await next.stop(), 0)
  })

  test('a public start is refused while a demo account works, unless CARDINAL_DEMO allows it', async () => {
    const directory = await temporaryDirectory()
    const data = { CARDINAL_DATA_DIR: directory }
    const asked = await serve({ ...data, ...production, CARDINAL_DEMO: 'true' })
    assert.match(asked.stdout, /WARNING: CARDINAL_DEMO=true\. Anyone who reaches this address can sign in/)
    assert.deepEqual(printedAccounts(asked), allEmails)
    await asked.signIn('superadmin@cardinal.test', demoPassword)
    // One that has another address is open as well.
    await withDatabaseOf(
      directory,
      ({ sql }) => sql`update users set email = 'me@example.test' where email = 'superadmin@cardinal.test'`,
    )
    assert.equal(await asked.stop(), 0)

    const refused = await run(['serve'], { ...data, ...production, PORT: '0' })
    assert.deepEqual(
      [refused.code, refused.stderr],
      [1, openAccountsSentence([...allEmails.slice(1), 'me@example.test'])],
    )
    assert.equal(await postgresOn(directory), undefined)
    assert.equal(listed({ ids: [1, 2], named: [], others: 2 }), '2 accounts of the demo')
    const disabled = await run(['demo', 'disable'], { ...data, ...production })
    assert.equal(disabled.code, 0)
    assert.match(disabled.stdout, /me@example\.test/)
    const service = await serve({ ...data, ...production })
    assert.doesNotMatch(service.stdout, /demo|Set up/i)
    const open = await withDatabaseOf(
      directory,
      ({ sql }) => sql`select from users where disabled_at is null`,
    )
    assert.equal(open.length, 0)
    assert.equal(await service.stop(), 0)
  })

  seldom('the same is true with DATABASE_URL, and the demo is added only if it is allowed', async () => {
    const { url, db } = await networkDatabase()
    const database = { DATABASE_URL: url }
    for (const settings of [...publicSettings, { CARDINAL_DEMO: 'false' }]) {
      const refused = await runHere(['demo'], { ...database, ...settings })
      assert.equal(refused.code, 1)
      assert.match(
        refused.stderr,
        /^The demo accounts have a password that everyone knows, .* Set CARDINAL_DEMO=true/,
      )
    }
    const empty = await serve({ ...database, ...production, CARDINAL_DEMO: 'true' })
    assert.ok(setupTokenOf(empty))
    assert.equal((await db.sql`select from users`).length, 0)
    assert.equal(await empty.stop(), 0)

    assert.equal((await runHere(['demo'], { ...database, ...production, CARDINAL_DEMO: 'true' })).code, 0)
    const isRefused = async (settings: Environment, emails: string[], start: typeof run = runHere) => {
      const refused = await start(['serve'], { ...database, ...settings, PORT: '0' })
      assert.deepEqual([refused.code, refused.stderr], [1, openAccountsSentence(emails)])
    }
    await isRefused(production, allEmails, run)
    for (const settings of publicSettings)
      for (const demo of [{}, { CARDINAL_DEMO: 'false' }])
        await isRefused({ ...settings, ...demo }, allEmails)
    const allowed = await serve({ ...database, ...production, CARDINAL_DEMO: 'true' })
    assert.match(allowed.stdout, /WARNING/)
    assert.equal(await allowed.stop(), 0)

    // Accounts with a changed password, and disabled accounts, are not open.
    await runHere(['user', 'password', 'owner@blue.test'], database, 'quiet rivers bend twice\n')
    await runHere(['user', 'disable', 'superadmin@cardinal.test'], database)
    const open = allEmails.filter((email) => !['owner@blue.test', 'superadmin@cardinal.test'].includes(email))
    await isRefused(production, open)
    const disabled = await runHere(['demo', 'disable'], { ...database, ...production })
    assert.deepEqual(disabled, {
      code: 0,
      stdout: `Disabled ${open.join(', ')}${others}; all their sessions have ended.\n`,
      stderr: '',
    })
    const again = await runHere(['demo', 'disable'], { ...database, ...production })
    assert.deepEqual([again.code, again.stdout], [0, 'No account has the demo password.\n'])
    const service = await serve({ ...database, ...production })
    assert.doesNotMatch(service.stdout, /demo|Set up/i)
    assert.equal(await service.stop(), 0)
  })

  seldom(
    'on this machine CARDINAL_DEMO=false adds no demo, and an account added by command replaces the link',
    async () => {
      const directory = await temporaryDirectory()
      const settings = { CARDINAL_DATA_DIR: directory, CARDINAL_DEMO: 'false' }
      const service = await serve(settings)
      assert.equal(await countUsers(directory), 0)
      const token = setupTokenOf(service) as string
      assert.equal((await service.client().attempt(check, { token })).status, 200)
      const added = await run(
        ['user', 'add', person.email, '--name', 'Ada', '--superadmin'],
        settings,
        `${person.password}\n`,
      )
      assert.equal(added.code, 0)
      assert.equal((await service.client().attempt(complete, { token, ...person })).status, 400)
      assert.equal(await service.stop(), 0)
    },
  )

  seldom('on this machine a start lists only the demo accounts that work', async () => {
    const settings = { CARDINAL_DATA_DIR: await demoDirectory() }
    const first = await serve(settings)
    assert.deepEqual(printedAccounts(first), allEmails)
    await runHere(['user', 'password', 'owner@blue.test'], settings, 'quiet rivers bend twice\n')
    await runHere(['user', 'disable', 'superadmin@cardinal.test'], settings)
    assert.equal(await first.stop(), 0)
    const second = await serve(settings)
    assert.deepEqual(
      printedAccounts(second),
      allEmails.filter((email) => !['owner@blue.test', 'superadmin@cardinal.test'].includes(email)),
    )
    assert.equal(await second.stop(), 0)
  })

  seldom('a plain start on a terminal asks nothing and has the demo', async () => {
    const settings = { CARDINAL_DATA_DIR: await temporaryDirectory(), PORT: '0' }
    const terminal = startOnTerminal(['serve'], settings)
    await eventually(() => assert.match(terminal.stdout, /superadmin@cardinal\.test/), 30_000)
    assert.doesNotMatch(terminal.stdout, /Set up|WARNING/)
    terminal.child.stdin.write('\x03')
    assert.equal(await within(10_000, terminal.ended), 0)
  })
})
