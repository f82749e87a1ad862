// Compares what a plan says of nearly full projects with what a rollout then refuses.
import assert from 'node:assert/strict'
import type { Queries, Transaction } from '#database/connect.ts'
import { type Quota, type Quotas, type ReachedQuota, reachedQuota, usualQuotas } from '#quotas/quotas.ts'
import { type Applying, changeCopies } from '#rollouts/changing-copies.ts'
import { planWithinLimits } from '#rollouts/limits.ts'
import { pick } from './local-steps.ts'

/** What the fullest board, list or project has of what each limit is about. */
const heldStatement = `
  select coalesce(max(cards), 0) as "cardsPerBoard", coalesce(max(groups), 0) as "groupsPerBoard", coalesce(max(bytes), 0) as "bytesPerBoard", (
      select coalesce(max(count), 0) from (
        select count(*) from cards where project_id = $1 and deleted_at is null group by group_id) lists) as "cardsPerGroup",
    coalesce(sum(bytes + comment_bytes), 0)::bigint as "bytesPerProject",
    (select count(*) from boards where project_id = $1 and deleted_at is null) as "boardsPerProject"
  from board_sizes where project_id = $1`

export const limitNames = [
  ...(['cardsPerBoard', 'groupsPerBoard', 'bytesPerBoard', 'cardsPerGroup'] as const),
  ...(['bytesPerProject', 'boardsPerProject'] as const),
] as const

/** Leaves this much room in one of the projects. */
export async function nearlyFull(
  queries: Queries,
  projectId: number,
  quota: (typeof limitNames)[number],
  room: number,
): Promise<Quotas> {
  const [held] = await queries.run<Record<(typeof limitNames)[number], number>>(heldStatement, [projectId])
  const isOfBytes = quota.startsWith('bytes')
  return { ...usualQuotas, [quota]: (held?.[quota] as number) + room * (isOfBytes ? 400 : 1) }
}

const undone = new Error('undone')

/** PostgreSQL then refuses to write and to lock rows. */
async function planReading(
  queries: Transaction,
  rollout: Applying,
  projectIds: number[],
  quotas: Quotas,
): Promise<Awaited<ReturnType<typeof planWithinLimits>>['projects']> {
  let plan: Awaited<ReturnType<typeof planWithinLimits>> | undefined
  const reading = queries.savepoint(async (inner) => {
    await inner.run('set local transaction_read_only = on', [])
    plan = await planWithinLimits(inner, rollout, projectIds, quotas)
    throw undone
  })
  await reading.catch((error) => {
    if (error !== undone) throw error
  })
  return (plan as NonNullable<typeof plan>).projects
}

async function refusalIn(
  queries: Transaction,
  rollout: Applying,
  projectId: number,
  quotas: Quotas,
): Promise<ReachedQuota | undefined> {
  const attempt = queries.savepoint(async (inner) => {
    await changeCopies(inner, rollout, [projectId], { quotas, isPlanned: true })
    throw undone
  })
  return attempt.catch((error) => {
    const reached = reachedQuota(error)
    if (!reached && error !== undone) throw error
    return reached
  })
}

/** Returns the limits that the rollout would exceed. */
export async function assertRefusalsPlanned(
  queries: Transaction,
  rollout: Applying,
  projectIds: number[],
  quotas: Quotas,
): Promise<Quota[]> {
  const projects = await planReading(queries, rollout, projectIds, quotas)
  const refusals: Quota[] = []
  for (const id of projectIds) {
    const refusal = await refusalIn(queries, rollout, id, quotas)
    assert.deepEqual(projects[id]?.refusal, refusal, `project ${id} within ${JSON.stringify(quotas)}`)
    if (refusal) refusals.push(refusal.quota)
  }
  return refusals
}

/** The same for a template and limits that are chosen at random. */
export async function assertAnyRefusalPlanned(
  queries: Transaction,
  rollout: Applying,
  projectIds: number[],
  [a, b, c]: readonly [number, number, number],
): Promise<void> {
  const projectId = pick(projectIds, a)
  if (projectId === undefined) return
  const quota = pick(limitNames, b) as (typeof limitNames)[number]
  await assertRefusalsPlanned(
    queries,
    rollout,
    projectIds,
    await nearlyFull(queries, projectId, quota, c % 4),
  )
}
