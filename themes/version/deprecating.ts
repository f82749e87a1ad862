import type { Database } from '#database/connect.ts'
import { type Taken, takeStep } from './step.ts'

/** Projects that use the version keep it, but no other project can choose it. */
export const deprecateVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'deprecate', ({ sql }) => ({ deprecated_at: sql`now()` }))

/** Returns the version to its status before the deprecation. */
export const restoreVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'restore', () => ({ deprecated_at: null }))
