import { type Config, readConfig } from '#config.ts'
import { connect } from '#database/connect.ts'
import { migrate } from '#database/migrate.ts'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { isEmpty, seedDemo } from '../demo/seed.ts'
import { createLog } from '../log.ts'
import { basePath, startService } from '../service.ts'
import { openDatabase } from './open-database.ts'

export async function serve() {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const signals = stopSignals()
  const database = await openDatabase(config, log)
  try {
    const hasDemo = await prepare(database)
    const service = await startService(config, database.address, log)
    console.log(welcome(config, service.url, hasDemo))
    log.info({ signal: await signals.first }, 'stopping')
    await service.stop(signals.again)
  } finally {
    await database.close()
    log.flush()
  }
}

/** Migrates, and fills an embedded database with the demo on its first start; says whether the demo is in it. */
async function prepare({ address, isEmbedded }: Awaited<ReturnType<typeof openDatabase>>): Promise<boolean> {
  const db = connect(address, { connections: 1 })
  try {
    await migrate(db)
    if (isEmbedded && (await isEmpty(db))) await seedDemo(db)
    const demoEmail = demoAccounts[0]?.email as string
    const found = await db.sql`select from users where email = ${demoEmail} and disabled_at is null`
    return isEmbedded && found.length > 0
  } finally {
    await db.end()
  }
}

const sameSignalMilliseconds = 1_000

/** Heard from the beginning, because a process that ends while it starts would leave PostgreSQL running. */
function stopSignals() {
  const again = new AbortController()
  const first = new Promise<NodeJS.Signals>((resolve) => {
    let firstAt: number | undefined
    const hear = (signal: NodeJS.Signals) => {
      firstAt ??= performance.now()
      resolve(signal)
      // Under npm, one Ctrl-C arrives twice: from the terminal and from npm.
      if (performance.now() - firstAt > sameSignalMilliseconds) again.abort()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear)
  })
  return { first, again: again.signal }
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
