import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { keepAudit } from '#audit/forgetting.ts'
import { type Config, readConfig } from '#config.ts'
import type { Database } from '#database/connect.ts'
import type { Patience } from '#database/connect-patiently.ts'
import { openToService } from '#database/embedded/service-role.ts'
import { migrate } from '#database/migrate.ts'
import { hasUsers } from '#identity/accounts.ts'
import { keyFileIn } from '#identity/secret-keys.ts'
import { addSetupLink, setupLinkHours } from '#identity/setup.ts'
import { StartFailure } from '#start-failure.ts'
import { demoPassword } from '../demo/accounts.ts'
import { listed, type OpenAccounts, openDemoAccounts } from '../demo/open-accounts.ts'
import { seedOutbox } from '../demo/outbox.ts'
import { seedDemo } from '../demo/seed.ts'
import { collectWhenQuiet } from '../idle-memory.ts'
import { createLog, type Log } from '../log.ts'
import { basePath, startService } from '../service.ts'
import { openDatabase } from './open-database.ts'
import { prepareSecrets } from './secrets.ts'

/** `whyRoot` is set if the service runs as root. */
export async function serve(whyRoot: string | undefined) {
  const config = namedLocally(readConfig(process.env))
  const signals = stopSignals()
  const log = await createLog(config.logLevel)
  if (whyRoot !== undefined) log.warn(`running as root: ${whyRoot}`)
  try {
    await serveUntil(signals, config, log)
  } catch (error) {
    if (!signals.first.aborted || error !== signals.first.reason) throw error
    log.flush()
    // A pending connection attempt would keep the process running.
    process.exit()
  }
  log.flush()
}

/** People on this machine use a name, because browsers have no passkeys for IP addresses; links in mails then have it too. */
const namedLocally = (config: Config): Config =>
  config.publicUrl === undefined && config.host === '127.0.0.1' && config.port !== 0
    ? { ...config, publicUrl: `http://localhost:${config.port}` }
    : config

async function serveUntil(signals: StopSignals, config: Config, log: Log) {
  const patience = { signal: signals.first, onWait: (sentence: string) => log.warn(sentence) }
  const database = await openDatabase(config, log, patience)
  try {
    const prepared = await prepare(database, config, patience)
    const address =
      'url' in database.address ? database.address : await openToService(database.db, database.address)
    await database.db.end()
    if (config.databaseUrl !== undefined && config.secretKeys === undefined)
      log.warn(
        { file: keyFileIn(config.dataDirectory) },
        'two-factor secrets are encrypted with the key in this file; set CARDINAL_SECRET_KEY to give all instances the same one',
      )
    const service = await startService(config, address, log)
    // Threads start later, and each of them would otherwise load the TypeScript compiler, which takes 13 MB.
    flushCompileCache()
    collectWhenQuiet((bytes) => log.debug({ bytes }, 'memory given back'))
    console.log(welcome(config, service.url, prepared))
    log.info({ signal: await heard(signals.first) }, 'stopping')
    await service.stop(signals.again)
  } finally {
    await database.close()
  }
}

interface Prepared {
  demo: OpenAccounts
  /** Set while there is no account yet. */
  setupToken: string | undefined
}

/** Prepares the database for the service; refuses if a public service would have demo accounts. */
async function prepare(
  { db, isEmbedded }: { db: Database; isEmbedded: boolean },
  config: Config,
  patience: Patience,
): Promise<Prepared> {
  const { isPublic, allowsDemo } = config
  await migrate(db, patience)
  await keepAudit(db, config.auditDays)
  if (isEmbedded && allowsDemo && !(await hasUsers(db))) {
    await seedDemo(db)
    if (config.mail.way === 'outbox') await seedOutbox(db)
  }
  await prepareSecrets(db, config)
  const demo = await openDemoAccounts(db)
  if (isPublic && !allowsDemo && demo.ids.length > 0) throw openToAll(demo)
  return { demo, setupToken: (await hasUsers(db)) ? undefined : await addSetupLink(db) }
}

const openToAll = (accounts: OpenAccounts) =>
  new StartFailure(
    [
      `Anyone could sign in: this service is set up for production or can be reached from outside, and the demo password still works for ${listed(accounts)}.`,
      'Disable them:                npm run cardinal -- demo disable',
      `Add an account of your own:  ${addSuperadmin}`,
      'Or set CARDINAL_DEMO=true to start anyway.',
    ].join('\n'),
  )

const addSuperadmin = 'npm run cardinal -- user add <email> --name <name> --superadmin --superadmin-billing'

const sameSignalMilliseconds = 1_000

type StopSignals = ReturnType<typeof stopSignals>

/** Handled from the beginning, because a process that ends during the start would leave PostgreSQL running. */
function stopSignals() {
  const first = new AbortController()
  const again = new AbortController()
  let firstAt: number | undefined
  const hear = (signal: NodeJS.Signals) => {
    firstAt ??= performance.now()
    first.abort(signal)
    // Under npm, one Ctrl-C arrives twice: from the terminal and from npm.
    if (performance.now() - firstAt > sameSignalMilliseconds) again.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear)
  return { first: first.signal, again: again.signal }
}

async function heard(signal: AbortSignal): Promise<NodeJS.Signals> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason
}

function welcome(config: Config, listening: string, { demo, setupToken }: Prepared): string {
  const url = config.publicUrl ?? listening
  const lines = [
    '',
    `  Cardinal is ready at ${url}`,
    '',
    `  API         ${url}${basePath}`,
    `  Reference   ${url}${basePath}/docs`,
    `  Limits      ${config.rateLimit} requests a minute per user, ${config.anonymousRateLimit} per address without a token`,
  ]
  if (setupToken !== undefined)
    lines.push(
      '',
      // After the #, which browsers do not send, so proxies and logs do not see it.
      `  Set up: ${url}/setup#${setupToken}`,
      `  Works once, within ${setupLinkHours} hours. Or: ${addSuperadmin}`,
    )
  const isOpen = demo.ids.length > 0
  if (isOpen)
    lines.push(
      '',
      `  Demo accounts, password ${demoPassword}:`,
      ...demo.named.map(({ email, note }) => `    ${email.padEnd(26)} ${note}`),
      ...(demo.others > 0 ? [`    and ${demo.others} more, most of them owners of other projects`] : []),
    )
  if (isOpen && config.mail.way === 'outbox')
    lines.push('', `  Outbox      ${url}/outbox (email that the demo would send)`)
  if (isOpen && config.isPublic)
    lines.push(
      '',
      '  WARNING: CARDINAL_DEMO=true. Anyone who reaches this address can sign in with these accounts.',
      '  To close them: npm run cardinal -- demo disable',
    )
  return [...lines, ''].join('\n')
}
