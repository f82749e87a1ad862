// For operations whose changes are in the audit log of the operator.
import { type Entry, recordEntry, recordForProjects } from '#audit/record.ts'
import { type Database, insideTransaction } from '#database/connect.ts'
import { originOf } from './origin.ts'

interface Audit {
  audit(entry: Entry): Promise<void>
  auditForProjects(ids: readonly number[], entry: Pick<Entry, 'kind' | 'details'>): Promise<void>
}

/** Does the work of a call in one transaction with its entries of the audit log. */
export const audited = <Call extends Parameters<typeof originOf>[0] & { db: Database }, Result>(
  call: Call,
  work: (call: Call & Audit) => Promise<Result>,
): Promise<Result> =>
  call.db.transaction((queries) => {
    const origin = originOf(call)
    return work({
      ...call,
      db: insideTransaction(call.db, queries),
      audit: (entry) => recordEntry(queries, origin, entry),
      auditForProjects: (ids, entry) => recordForProjects(queries, origin, ids, entry),
    })
  })
