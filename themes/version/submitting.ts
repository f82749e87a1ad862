import type { Database } from '#database/connect.ts'
import { type Taken, takeStep } from './step.ts'

/** Submits a draft for review, for the first time or after a rejection. */
export const submitVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'submit', ({ sql }) => ({
    submitted_at: sql`now()`,
    reviewed_by: null,
    reviewed_at: null,
    rejection_reason: null,
  }))
