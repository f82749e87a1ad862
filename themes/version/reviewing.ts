import type { Database } from '#database/connect.ts'
import { type Taken, takeStep } from './step.ts'

export const approveVersion = (db: Database, taken: Taken) =>
  takeStep(db, taken, 'approve', ({ sql }) => ({ reviewed_by: taken.actorId, reviewed_at: sql`now()` }))

export const rejectVersion = (db: Database, taken: Taken, reason: string) =>
  takeStep(db, taken, 'reject', ({ sql }) => ({
    reviewed_by: taken.actorId,
    reviewed_at: sql`now()`,
    rejection_reason: reason,
  }))
