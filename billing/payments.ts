// What people are shown of payments: checkouts and orders that were paid. Renewals by card are charged, and receipted, by the provider.
import { integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { periods } from './catalogue.ts'
import { referenceOf } from './reference.ts'

export const payment = record({
  id: integer({ about: 'Names the payment in `payments/get`.' }),
  project_id: integer({ about: 'The project that paid.' }),
  project_name: text({ about: 'Its current name.' }),
  subscription_id: integer({ about: 'The subscription that was paid for.' }),
  product: text({ about: 'The key of the product; `plans/list` has its name.' }),
  plan: text({ about: 'The key of the plan; `plans/list` has its name.' }),
  period: oneOf(periods, { about: 'The time that was paid for.' }),
  amount: integer({ about: 'What was paid, in the smallest unit of the currency.' }),
  currency: text({ about: 'The currency, such as `eur`.' }),
  paid_by: oneOf(['card', 'invoice'], { about: 'By card, or by bank transfer for an invoice.' }),
  reference: nullable(text({ about: 'The reference of the bank transfer; null for a card.' })),
  paid_at: timestamp({
    about: 'When the payment arrived; when it was begun for payments from before this was stored.',
  }),
})

type Payment = (typeof payment)['static']

const statement = (isWanted: string) => `
  select c.id, c.project_id, p.name as project_name, c.subscription_id, s.product, c.plan, c.period, c.amount, c.currency,
    case when c.gateway = 'invoice' then 'invoice' else 'card' end as paid_by, wire_time(coalesce(c.paid_at, c.created_at)) as paid_at
  from checkouts c join subscriptions s on s.project_id = $1 and s.id = c.subscription_id
  join projects p on p.id = c.project_id
  where c.project_id = $1 and c.status = 'paid' and ${isWanted}`

const listStatement = `${statement('($2::bigint is null or c.id < $2)')} order by c.id desc limit $3`
const oneStatement = statement('c.id = $2')

const shown = (row: Omit<Payment, 'reference'>): Payment => ({
  ...row,
  reference: row.paid_by === 'invoice' ? referenceOf(row.id) : null,
})

/** The payments of a project, newest first; `after` is the id before which the page begins. */
export async function listPayments(
  queries: Queries,
  projectId: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<Payment[]> {
  const rows = await queries.run<Omit<Payment, 'reference'>>(listStatement, [projectId, after, limit])
  return rows.map(shown)
}

export async function readPayment(
  queries: Queries,
  projectId: number,
  id: number,
): Promise<Payment | undefined> {
  const [row] = await queries.run<Omit<Payment, 'reference'>>(oneStatement, [projectId, id])
  return row && shown(row)
}
