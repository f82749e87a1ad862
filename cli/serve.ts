import { once } from 'node:events'
import { type Config, readConfig } from '#config.ts'
import type { Database } from '#database/connect.ts'
import { migrate } from '#database/migrate.ts'
import { adoptForeignEvents } from '#live/foreign-events.ts'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { isEmpty, seedDemo } from '../demo/seed.ts'
import { createLog, type Log } from '../log.ts'
import { basePath, startService } from '../service.ts'
import { openDatabase } from './open-database.ts'

export async function serve() {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const signals = stopSignals()
  try {
    await serveUntil(signals, config, log)
  } catch (error) {
    if (!signals.first.aborted || error !== signals.first.reason) throw error
    log.flush()
    // A connection that is still being tried would hold the process.
    process.exit()
  }
  log.flush()
}

async function serveUntil(signals: StopSignals, config: Config, log: Log) {
  const patience = { signal: signals.first, onWait: (sentence: string) => log.warn(sentence) }
  const database = await openDatabase(config, log, patience)
  try {
    const hasDemo = await prepare(database)
    await database.db.end()
    const service = await startService(config, database.address, log)
    console.log(welcome(config, service.url, hasDemo))
    log.info({ signal: await heard(signals.first) }, 'stopping')
    await service.stop(signals.again)
  } finally {
    await database.close()
  }
}

/** What the database needs before a service works on it; says whether the demo is in it. */
async function prepare({ db, isEmbedded }: { db: Database; isEmbedded: boolean }): Promise<boolean> {
  await migrate(db)
  await adoptForeignEvents(db)
  if (isEmbedded && (await isEmpty(db))) await seedDemo(db)
  const demoEmail = demoAccounts[0]?.email as string
  const found = await db.sql`select from users where email = ${demoEmail} and disabled_at is null`
  return isEmbedded && found.length > 0
}

const sameSignalMilliseconds = 1_000

type StopSignals = ReturnType<typeof stopSignals>

/** Heard from the beginning, because a process that ends while it starts would leave PostgreSQL running. */
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

function welcome(config: Config, listening: string, hasDemo: boolean): string {
  const url = config.publicUrl ?? listening
  const lines = [
    '',
    `  Cardinal is ready at ${url}`,
    '',
    `  API         ${url}${basePath}`,
    `  Reference   ${url}${basePath}/docs`,
    `  Limits      ${config.rateLimit} requests a minute per user, ${config.anonymousRateLimit} per address without a token`,
  ]
  if (hasDemo)
    lines.push(
      '',
      `  Demo accounts, password ${demoPassword}:`,
      ...demoAccounts.map(({ email, note }) => `    ${email.padEnd(26)} ${note}`),
    )
  if (hasDemo && isForOthers(config))
    lines.push(
      '',
      '  WARNING: whoever reaches this address can sign in with these accounts, the superadmin among them.',
      '  Disable them first: npm run cardinal -- user disable <email>',
    )
  return [...lines, ''].join('\n')
}

const isForOthers = ({ host, publicUrl }: Config) =>
  publicUrl !== undefined || !/^(localhost|::1|127\.[\d.]+)$/.test(host)
