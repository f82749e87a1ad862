// A rollout in stages that somebody has paused: the pilots and a few more, together 40 % of the fleet, have the newest version of a template, the others wait.
import { type Database, insideTransaction, type Transaction } from '#database/connect.ts'
import { pauseRollout } from '#rollouts/pausing.ts'
import { beginNextStage } from '#rollouts/staging.ts'
import { dateRollout } from './finished-rollout.ts'
import { rollOut } from './rolling-out.ts'

interface Staged {
  boardId: number
  /** Projects of the fleet that do not have it yet, so that those of the people whom the demo is about stay as they are. */
  projectIds: number[]
  pilotIds: number[]
  actorId: number
  daysAgo: number
}

/** Returns the rollout's id. */
export async function seedStagedRollout(
  db: Database,
  queries: Transaction,
  { boardId, projectIds, pilotIds, actorId, daysAgo }: Staged,
): Promise<number> {
  const course = {
    stages: [{ projects: pilotIds, audience_name: 'Pilots' }, { percent: 40, wait_minutes: 4_320 }, {}],
    startsAt: null,
    stopAfterFailures: 5,
    stopAfterUndone: 10,
  }
  const wanted = { boardId, version: null, cardId: null, projectIds, resetFields: null, course, actorId }
  const { id, work } = await rollOut(db, queries, wanted)
  await beginNextStage(insideTransaction(db, queries), id, 1)
  await work()
  await pauseRollout(queries, id)
  await dateRollout(queries, { id, projectIds, daysAgo })
  return id
}
