import type { Fail } from '#contract/operation.ts'
import type { Database } from '#database/connect.ts'
import { isTrial } from './state.ts'
import { findSubscription, writeSubscription } from './subscription.ts'

/** Begins a trial; undefined where the project has a subscription to the product that has not ended. */
export async function startTrial(
  db: Database,
  {
    projectId,
    product,
    days,
    actorId,
  }: { projectId: number; product: string; days: number; actorId: number },
): Promise<number | undefined> {
  const [made] = await db.run<{ id: number }>(startStatement, [projectId, product, days, actorId])
  return made?.id
}

const startStatement = `
  with made as (
    insert into subscriptions (project_id, product, status, trial_ends_at)
    values ($1, $2, 'trialing', date_trunc('milliseconds', now()) + make_interval(days => $3))
    on conflict (project_id, product) where status <> 'canceled' do nothing
    returning id, trial_ends_at
  ), event as (
    insert into events (project_id, board_id, actor_id, kind, data)
    select $1, 0, $4, 'subscription.trial_started', jsonb_build_object('subscription_id', id, 'product', $2::text, 'changes',
      jsonb_build_object('status', jsonb_build_object('from', null, 'to', 'trialing'),
        'trial_ends_at', jsonb_build_object('from', null, 'to', wire_time(trial_ends_at)))) from made
  )
  select id from made`

/** Adds days to a trial: to its end, or to now where it has expired; false where the project has no such subscription. */
export function extendTrial(
  db: Database,
  { projectId, id, days, actorId }: { projectId: number; id: number; days: number; actorId: number },
  fail: Fail<400>,
): Promise<boolean> {
  return db.transaction(async (queries) => {
    const before = await findSubscription(queries, projectId, id, 'for update')
    if (!before) return false
    if (!isTrial(before.status) || before.trial_ends_at === null)
      throw fail(400, 'Only a trial can be extended.')
    const from = Math.max(Date.now(), Date.parse(before.trial_ends_at))
    const end = new Date(from + days * 86_400_000).toISOString()
    const values = { status: 'trialing', trial_ends_at: end } as const
    await writeSubscription(queries, before, values, 'subscription.trial_extended', actorId)
    return true
  })
}

/** Writes down which trials have ended, with an event for each; readers have seen them as expired since their end. */
export async function recordExpiredTrials(db: Database): Promise<void> {
  await db.run(expireStatement, [])
}

const expireStatement = `
  with ended as (
    update subscriptions s set status = 'expired', updated_at = now()
    where s.status = 'trialing' and s.trial_ends_at <= now()
    returning s.project_id, s.id, s.product
  )
  insert into events (project_id, board_id, kind, data)
  select project_id, 0, 'subscription.expired', jsonb_build_object('subscription_id', id, 'product', product, 'changes',
    jsonb_build_object('status', jsonb_build_object('from', 'trialing', 'to', 'expired'))) from ended`
