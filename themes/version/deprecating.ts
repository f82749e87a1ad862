import { type Database, insideTransaction } from '#database/connect.ts'
import { endRunning } from '../campaign/ending.ts'
import { type Taken, takeStep } from './step.ts'

/** Projects that use the version keep it, but no other project can choose it. */
export const deprecateVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'deprecate', ({ sql }) => ({ deprecated_at: sql`now()` }))

/**
 * Returns the version to its status before the deprecation, and ends its campaign. A campaign of the operator cannot be ended by the
 * customer who owns the theme.
 */
export const restoreVersion = (db: Database, { isOperator, ...taken }: Taken & { isOperator: boolean }) =>
  db.transaction(async (queries) => {
    const { sql } = queries
    // Locked first, in the same order as when projects are moved.
    const [campaign] = await sql<{ is_running: boolean }[]>`
      select ended_at is null and not is_owners as is_running from theme_campaigns where version_id = ${taken.id} for no key update`
    if (campaign?.is_running && !isOperator) return { refusal: 'campaign_running' as const }
    const step = await takeStep(insideTransaction(db, queries), taken, 'restore', () => ({
      deprecated_at: null,
    }))
    if (step && 'version' in step) await endRunning(queries, taken.id)
    return step
  })
