// Superadmins who help a project from inside of it.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Queries } from '#database/connect.ts'

interface Visit {
  projectId: number
  reason: string
  /** For reading otherwise. */
  mayChange: boolean
}

/** The audit log of the project says who came, and why. */
export function recordVisit(queries: Queries, origin: Origin, { projectId, reason, mayChange }: Visit) {
  const kind = mayChange ? 'support.changes_allowed' : 'support.opened'
  return recordEntry(queries, origin, { kind, projectId, details: { reason } })
}
