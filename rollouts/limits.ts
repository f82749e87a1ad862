// Finds the projects that cannot receive what is planned because they would hold too much. Called by batch.ts while a rollout is planned.
import type { Queries, Transaction } from '#database/connect.ts'
import { type Quotas, type ReachedQuota, reachedQuota } from '#quotas/quotas.ts'
import { type Applying, changeCopies } from './changing-copies.ts'
import { type BatchPlan, noAccess, type PlannedProject, planProjects } from './planning.ts'

/** What projects with access would receive; `failed` for those that have no room for it. */
export async function planWithinLimits(
  queries: Transaction,
  rollout: Applying,
  projectIds: readonly number[],
  quotas: Quotas,
): Promise<BatchPlan> {
  const plan = await planProjects(queries, rollout, projectIds)
  const changed = projectIds.filter((id) => plan.projects[id]?.outcome === 'changed')
  const failed: Record<string, PlannedProject> = {}
  for (const id of await findNearlyFull(queries, rollout, changed, quotas)) {
    const refusal = await tryIn(queries, rollout, id, quotas)
    const { version, synced } = plan.projects[id] as PlannedProject
    if (refusal) failed[id] = { ...noAccess, outcome: 'failed', refusal, version, synced }
  }
  if (Object.keys(failed).length === 0) return plan
  const others = await planProjects(
    queries,
    rollout,
    projectIds.filter((id) => !failed[id]),
  )
  return { projects: { ...others.projects, ...failed }, things: others.things }
}

/** At most as many bytes as a state counts for. */
const mostBytes = (kind: 'board' | 'group' | 'card', isWanted = 'true') => `(
  select coalesce(sum(bytes), 0) from (
    select max(800 + 4 * octet_length(to_jsonb(state)::text)) as bytes from master_${kind}_revisions state
    where board_id = $2 and ${isWanted} group by ${kind}_id) most)`

/**
 * $1 projects, $2 the template, $3 its only card or null, $4 the removal that is taken back or null, $5 the limits. More than the rollout can
 * bring is added to what each of them holds, so that nearly all projects need no closer look.
 */
const nearlyFullStatement = `
  with more as materialized (
    select (select count(*) from master_cards where board_id = $2 and ($3::bigint is null or id = $3)) as cards,
      (select count(*) from master_groups where board_id = $2) as groups,
      ${mostBytes('card', '($3::bigint is null or card_id = $3)')} + ${mostBytes('group')} + ${mostBytes('board')} as bytes
  ), most as materialized (
    select * from jsonb_to_record($5::text::jsonb) as quotas ("cardsPerGroup" bigint, "cardsPerBoard" bigint, "groupsPerBoard" bigint,
      "bytesPerBoard" bigint, "bytesPerProject" bigint, "boardsPerProject" bigint)
  )
  select project.id from more, most, unnest($1::bigint[]) project (id)
  cross join lateral (
    select coalesce(max(s.cards), 0) as cards, coalesce(max(s.groups), 0) as groups, coalesce(max(s.bytes), 0) as bytes,
      coalesce(sum(s.bytes + s.comment_bytes), 0) as all_bytes
    from board_sizes s where s.project_id = any($1::bigint[]) and s.project_id = project.id
  ) held
  cross join lateral (
    select count(*) as boards from boards b where b.project_id = any($1::bigint[]) and b.project_id = project.id and b.deleted_at is null
  ) own
  cross join lateral (
    select coalesce(sum(octet_length(m.comment)), 0) as bytes
    from cards c join comments m on m.project_id = any($1::bigint[]) and m.project_id = c.project_id and m.card_id = c.id
      and m.deleted_at = c.withdrawn_at
    where c.project_id = any($1::bigint[]) and c.project_id = project.id and c.received_with = $4::bigint and c.deleted_at = c.withdrawn_at
  ) returning_comments
  where held.cards + more.cards > least("cardsPerGroup", "cardsPerBoard") or held.groups + more.groups > "groupsPerBoard"
    or held.bytes + more.bytes > "bytesPerBoard" or held.all_bytes + more.bytes + returning_comments.bytes > "bytesPerProject"
    or own.boards >= "boardsPerProject"
  order by project.id`

async function findNearlyFull(
  { sql }: Queries,
  { kind, reverted_kind, reverts_id, board_id, card_id }: Applying,
  projectIds: number[],
  quotas: Quotas,
): Promise<number[]> {
  const neverGrows = kind === 'removal' || (kind === 'revert' && reverted_kind !== 'removal')
  if (neverGrows || projectIds.length === 0) return []
  const values = [projectIds, board_id, card_id, reverts_id, JSON.stringify(quotas)]
  return (await sql.unsafe<{ id: number }[]>(nearlyFullStatement, values)).map(({ id }) => id)
}

const undone = new Error('Undone.')

/** Applies the rollout in one project and undoes it; returns the limit that it meets. The project is locked for that moment only. */
async function tryIn(
  queries: Transaction,
  rollout: Applying,
  projectId: number,
  quotas: Quotas,
): Promise<ReachedQuota | undefined> {
  const trial = queries.savepoint(async (inner) => {
    await inner.run('select lock_project($1)', [projectId])
    await changeCopies(inner, rollout, [projectId], { quotas, isPlanned: true })
    throw undone
  })
  return trial.catch((error) => {
    const reached = reachedQuota(error)
    if (!reached && error !== undone) throw error
    return reached
  })
}
