import type { TestService } from './service.ts'
import { createTrial } from './subscription.ts'

/** Settings of a service where plans are paid for by bank transfer. */
export const invoicing = {
  payments: 'invoice',
  bankAccount: { payee: 'Cardinal Boards GmbH', account: 'DE89370400440532013000', bank: 'COBADEFFXXX' },
  invoiceDays: 10,
} as const

const base = '/services/platforms/v1'

/** A trial whose owner has ordered the plan Pro for a year. */
export async function createOrder(
  service: TestService,
  { period = 'year' as 'month' | 'year', days = 14 } = {},
) {
  const trial = await createTrial(service, { days })
  const input = { product: 'website', plan: 'pro', period }
  const opened = await trial.client.call(`${base}/subscriptions/upgrade-trial`, input)
  const { orders } = await trial.client.call(`${base}/orders/list`)
  const order = orders[0] as (typeof orders)[number]
  const get = async () =>
    (await trial.client.call(`${base}/subscriptions/get`, { id: trial.subscriptionId })).subscription
  return { ...trial, opened, order, get }
}

/** Moves an order into the past. */
export const ageOrder = ({ db: { sql } }: TestService, { id }: { id: number }, days: number) => sql`
  update checkouts set created_at = created_at - make_interval(days => ${days}),
    expires_at = expires_at - make_interval(days => ${days}) where id = ${id}`

/** Moves the end of a paid period to some days from now. */
export const endPeriod = ({ db: { sql } }: TestService, subscriptionId: number, days: number) => sql`
  update subscriptions set current_period_ends_at = date_trunc('milliseconds', now()) + make_interval(days => ${days})
  where id = ${subscriptionId}`

/** What happened to a project's orders and subscriptions, in order. */
export async function billingEvents({ db: { sql } }: TestService, projectId: number): Promise<string[]> {
  const rows = await sql<{ kind: string }[]>`
    select kind from events where project_id = ${projectId} and board_id is null order by id`
  return rows.map(({ kind }) => kind)
}
