import type { TestService } from './service.ts'

/** A project with an owner and a trial of product `website` that ends in some days, or ended some days ago. */
export async function createTrial(service: TestService, { days = 14 } = {}) {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const subscriptionId = await addTrial(service, projectId, { days })
  return { projectId, owner, client: service.client(owner.token), subscriptionId }
}

export async function addTrial(
  { db: { sql } }: TestService,
  projectId: number,
  { days = 14, product = 'website' } = {},
): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into subscriptions (project_id, product, status, trial_ends_at)
    values (${projectId}, ${product}, 'trialing', now() + ${days}::float8 * interval '1 day') returning id`
  return made?.id as number
}

/** A subscription that was paid for in the sandbox. */
export async function addPaid(
  { db: { sql } }: TestService,
  projectId: number,
  { product = 'website', status = 'active' } = {},
): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into subscriptions (project_id, product, plan, period, status, current_period_ends_at, gateway, subscription_reference)
    values (${projectId}, ${product}, 'pro', 'month', ${status}, now() + interval '20 days', 'sandbox', 'sandbox_paid')
    returning id`
  return made?.id as number
}

/** A payment for a subscription. */
export async function addPayment(
  { db: { sql } }: TestService,
  projectId: number,
  subscriptionId: number,
): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, status, paid_at)
    values (${projectId}, ${subscriptionId}, 'sandbox', 'pro', 'month', 4900, 'eur', 'paid', now()) returning id`
  return made?.id as number
}

/** The events of a project's subscriptions, in order. */
export async function subscriptionEvents({ db: { sql } }: TestService, projectId: number) {
  const rows = await sql<
    {
      kind: string
      actor_id: number | null
      data: { changes: Record<string, { from: unknown; to: unknown }> }
    }[]
  >`
    select kind, actor_id, data from events
    where project_id = ${projectId} and board_id is null and kind like 'subscription.%' order by id`
  return [...rows]
}
