import type { Queries } from '#database/connect.ts'

interface DemoSubscription {
  status: 'trialing' | 'expired' | 'active'
  /** Days from now. */
  trialEnds: number
  paid?: { plan: string; period: 'month' | 'year'; ends: number }
}

/** To the product `website`: one of each kind that an owner may find. */
const demoSubscriptions: Record<string, DemoSubscription> = {
  Acme: { status: 'trialing', trialEnds: 9 },
  Blue: { status: 'expired', trialEnds: -5 },
  Cedar: { status: 'active', trialEnds: -50, paid: { plan: 'pro', period: 'year', ends: 312 } },
}

export async function seedSubscriptions({ sql }: Queries, projectIds: ReadonlyMap<string, number>) {
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
    const event = (kind: string, from: string | null, to: string, days: number) => sql`
      insert into events (project_id, board_id, kind, data, created_at)
      values (${projectId}, 0, ${`subscription.${kind}`}, ${sql.json({
        subscription_id: made?.id as number,
        product: 'website',
        changes: { status: { from, to } },
      })}, ${fromNow(days)})`
    await event('trial_started', null, 'trialing', trialEnds - 14)
    if (status === 'expired') await event('expired', 'trialing', 'expired', trialEnds)
    if (status === 'active') await event('activated', 'trialing', 'active', trialEnds - 3)
  }
}
