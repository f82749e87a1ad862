import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'

interface DemoSubscription {
  status: 'trialing' | 'expired' | 'active'
  /** Days from now. */
  trialEnds: number
  paid?: { plan: string; period: 'month' | 'year'; amount: number; ends: number }
}

/** Subscriptions to the product `website`, one in each state. */
const demoSubscriptions: Record<string, DemoSubscription> = {
  Acme: { status: 'trialing', trialEnds: 9 },
  Blue: { status: 'expired', trialEnds: -5 },
  Cedar: {
    status: 'active',
    trialEnds: -50,
    paid: { plan: 'pro', period: 'year', amount: 49_000, ends: 312 },
  },
}

export async function seedSubscriptions(queries: Queries, projectIds: ReadonlyMap<string, number>) {
  const { sql } = queries
  for (const [name, { status, trialEnds, paid }] of Object.entries(demoSubscriptions)) {
    const projectId = projectIds.get(name) as number
    const fromNow = (days: number) => sql`date_trunc('hour', now()) + ${days}::float8 * interval '1 day'`
    const [made] = await sql<{ id: number }[]>`
      insert into subscriptions (project_id, product, status, trial_ends_at, created_at, updated_at,
        plan, period, current_period_ends_at, gateway, subscription_reference)
      values (${projectId}, 'website', ${status}, ${fromNow(trialEnds)}, ${fromNow(trialEnds - 14)}, ${fromNow(Math.min(trialEnds, 0))},
        ${paid?.plan ?? null}, ${paid?.period ?? null}, ${paid ? fromNow(paid.ends) : null}, ${paid ? 'sandbox' : null},
        ${paid ? 'sandbox_demo' : null})
      returning id`
    if (paid)
      await sql`
        insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status, created_at, paid_at)
        values (${projectId}, ${made?.id as number}, 'sandbox', ${paid.plan}, ${paid.period}, ${paid.amount}, 'eur', 'paid',
          ${fromNow(trialEnds - 3)}, ${fromNow(trialEnds - 3)})`
    const changing = await changesOfMany(queries, [projectId])
    const event = (
      kind: 'trial_started' | 'expired' | 'activated',
      from: string | null,
      to: string,
      days: number,
    ) =>
      recordEvents(changing, [
        {
          projectId,
          boardId: null,
          actorId: null,
          kind: `subscription.${kind}`,
          data: {
            subscription_id: made?.id as number,
            product: 'website',
            changes: { status: { from, to } },
          },
          at: new Date(Date.now() + days * 86_400_000).toISOString(),
        },
      ])
    await event('trial_started', null, 'trialing', trialEnds - 14)
    if (status === 'expired') await event('expired', 'trialing', 'expired', trialEnds)
    if (status === 'active') await event('activated', 'trialing', 'active', trialEnds - 3)
  }
}
