import type { Database } from '#database/connect.ts'
import { type Taken, takeStep } from './step.ts'

/** Projects that use it keep it, none can choose it anew. */
export const deprecateVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'deprecate', ({ sql }) => ({ deprecated_at: sql`now()` }))

/** The version is again what it was before its deprecation. */
export const restoreVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'restore', () => ({ deprecated_at: null }))
