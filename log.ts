import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from '#config.ts'

export type Log = Logger

// Without pino's own pid, which would stand beside the one of PostgreSQL in the same line.
const options = { base: null, serializers: { error: withoutDetail } }

/** PostgreSQL's `detail` of an error holds the values of the row that it refused, and what people write is not for the log. */
function withoutDetail(error: Error) {
  const { detail: _detail, ...told } = pino.stdSerializers.err(error)
  return told
}

/** Lines of JSON for machines, or readable ones on a terminal. */
export function createLog(level: Config['logLevel']): Log {
  if (process.stdout.isTTY)
    return pino({ ...options, level }, pretty({ singleLine: true, translateTime: 'HH:MM:ss' }))
  // Written in blocks: a write per request costs more than the request's own work.
  return pino(
    { ...options, level },
    pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 200 }),
  )
}

export const quietLog: Log = pino({ level: 'silent' })
