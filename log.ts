import { type Logger, pino } from 'pino'
import type { Config } from '#config.ts'

export type Log = Logger

// Without pino's pid, because some lines have PostgreSQL's pid.
const options = { base: null, serializers: { error: withoutDetail } }

/** Removes PostgreSQL's `detail`, which quotes the refused row: user data does not belong in the log. */
function withoutDetail(error: Error) {
  const { detail: _detail, ...logged } = pino.stdSerializers.err(error)
  return logged
}

/** Lines of JSON for machines, or readable ones on a terminal. */
export async function createLog(level: Config['logLevel']): Promise<Log> {
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    return pino({ ...options, level }, pretty({ singleLine: true, translateTime: 'HH:MM:ss' }))
  }
  // Written in blocks, because a write per request costs more than the request itself.
  return pino(
    { ...options, level },
    pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 200 }),
  )
}

export const quietLog: Log = pino({ level: 'silent' })

/** On standard error, because the answer of a command is on standard output; a terminal shows the answer alone. */
export const commandLog = (level: Config['logLevel']): Log =>
  process.stderr.isTTY ? quietLog : pino({ ...options, level }, pino.destination({ dest: 2, sync: true }))
