import type { Origin } from '#audit/record.ts'
import type { Exchange } from '#contract/operation.ts'
import type { Log } from '../log.ts'

/** Where a call came from, for the audit log. */
export const originOf = ({
  http,
  caller,
  log,
}: {
  http: Pick<Exchange, 'address' | 'requestId'>
  caller: { id: number } | undefined
  log: Log
}): Origin => ({
  source: 'api',
  actorId: caller?.id ?? null,
  address: http.address,
  requestId: http.requestId,
  log: (line) => log.info({ audit: line }, 'audit'),
})
