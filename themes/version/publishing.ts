import type { Database } from '#database/connect.ts'
import { type Taken, takeStep } from './step.ts'

/** Publishes an approved version, so that every project can choose it. */
export const publishVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'publish', ({ sql }) => ({ published_at: sql`now()` }))
