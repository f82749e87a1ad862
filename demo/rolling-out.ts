// Plans a rollout and applies it, as the service would.
import { type Database, insideTransaction, type Transaction } from '#database/connect.ts'
import { applyPlan } from '#rollouts/applying.ts'
import { workOnBatch } from '#rollouts/batch.ts'
import { closeRollout } from '#rollouts/closing.ts'
import { startPlan } from '#rollouts/starting.ts'

/** Plans a rollout, applies the plan and works until the rollout has ended or waits. `work` continues it after that. */
export async function rollOut(
  db: Database,
  queries: Transaction,
  wanted: Parameters<typeof startPlan>[1],
): Promise<{ id: number; work(): Promise<void> }> {
  const inside = insideTransaction(db, queries)
  const started = await startPlan(inside, wanted)
  if (typeof started === 'string') throw new Error(`the rollout was not planned: ${started}`)
  const { rolloutId: id } = started
  const work = async () => {
    while (await workOnBatch(inside, id));
    await closeRollout(inside, id)
  }
  await work()
  await applyPlan(inside, id, wanted.actorId)
  await work()
  return { id, work }
}
