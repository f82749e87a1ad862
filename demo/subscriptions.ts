import { randomUUID } from 'node:crypto'
import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'

interface DemoSubscription {
  project: string
  status: 'trialing' | 'expired' | 'active' | 'canceled'
  /** Days from now. */
  trialEnds: number
  paid?: {
    gateway: 'sandbox' | 'invoice'
    plan: string
    period: 'month' | 'year'
    amount: number
    /** When each payment was made, and when the last of them ends; days from now. */
    payments: number[]
    ends: number
  }
}

/** Subscriptions to the product `website`, one in each state; that of Blue follows one that was canceled. */
const demoSubscriptions: DemoSubscription[] = [
  { project: 'Acme', status: 'trialing', trialEnds: 9 },
  {
    project: 'Blue',
    status: 'canceled',
    trialEnds: -290,
    paid: {
      gateway: 'invoice',
      plan: 'starter',
      period: 'month',
      amount: 1_900,
      payments: [-293, -263, -233],
      ends: -203,
    },
  },
  { project: 'Blue', status: 'expired', trialEnds: -5 },
  {
    project: 'Cedar',
    status: 'active',
    trialEnds: -50,
    paid: { gateway: 'sandbox', plan: 'pro', period: 'year', amount: 49_000, payments: [-53], ends: 312 },
  },
]

export async function seedSubscriptions(queries: Queries, projectIds: ReadonlyMap<string, number>) {
  const { sql } = queries
  for (const { project, status, trialEnds, paid } of demoSubscriptions) {
    const projectId = projectIds.get(project) as number
    const fromNow = (days: number) => sql`date_trunc('hour', now()) + ${days}::float8 * interval '1 day'`
    const changed = status === 'canceled' && paid ? paid.ends : Math.min(trialEnds, 0)
    const [made] = await sql<{ id: number }[]>`
      insert into subscriptions (project_id, product, status, trial_ends_at, created_at, updated_at,
        plan, period, current_period_ends_at, gateway, subscription_reference)
      values (${projectId}, 'website', ${status}, ${fromNow(trialEnds)}, ${fromNow(trialEnds - 14)}, ${fromNow(changed)},
        ${paid?.plan ?? null}, ${paid?.period ?? null}, ${paid ? fromNow(paid.ends) : null}, ${paid?.gateway ?? null},
        ${paid?.gateway === 'sandbox' ? 'sandbox_demo' : null})
      returning id`
    const id = made?.id as number
    for (const day of paid?.payments ?? []) {
      const key = randomUUID()
      await sql`
        insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status,
          key, url, created_at, expires_at, paid_at)
        values (${projectId}, ${id}, ${paid?.gateway ?? null}, ${paid?.plan ?? null}, ${paid?.period ?? null},
          ${paid?.amount ?? null}, 'eur', 'paid',
          ${key}, ${paid?.gateway === 'invoice' ? `/order/${key}` : null}, ${fromNow(day)}, ${fromNow(day + 14)}, ${fromNow(day)})`
    }
    const changing = await changesOfMany(queries, [projectId])
    const event = (
      kind: 'trial_started' | 'expired' | 'activated' | 'canceled',
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
          data: { subscription_id: id, product: 'website', changes: { status: { from, to } } },
          at: new Date(Date.now() + days * 86_400_000).toISOString(),
        },
      ])
    await event('trial_started', null, 'trialing', trialEnds - 14)
    if (status === 'expired') await event('expired', 'trialing', 'expired', trialEnds)
    if (paid) await event('activated', 'trialing', 'active', paid.payments[0] as number)
    if (paid && status === 'canceled') await event('canceled', 'active', 'canceled', paid.ends)
  }
}
