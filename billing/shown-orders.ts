// What people are shown of orders.
import { integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { periods } from './catalogue.ts'
import { digitsOf, referenceOf } from './reference.ts'

/** A plan that a project ordered and pays for by bank transfer. */
export const order = record({
  id: integer(),
  project_id: integer(),
  project_name: text(),
  subscription_id: integer(),
  product: text(),
  plan: text(),
  period: oneOf(periods),
  reference: text(),
  /** In the currency's smallest unit. */
  amount: integer(),
  currency: text(),
  status: oneOf(['open', 'paid', 'expired']),
  /** The order page, which needs no sign-in. */
  url: text(),
  created_at: timestamp(),
  expires_at: timestamp(),
  reminded_at: nullable(timestamp()),
})

export type ShownOrder = (typeof order)['static']
type Row = Omit<ShownOrder, 'reference' | 'url'> & { url: string | null }

/** `c` is the order, `s` its subscription, `p` its project. */
const columns = `c.id, c.project_id, p.name as project_name, c.subscription_id, s.product, c.plan, c.period, c.amount, c.currency,
  case when c.status = 'open' and c.expires_at <= now() then 'expired' else c.status::text end as status, c.url,
  wire_time(c.created_at) as created_at, wire_time(c.expires_at) as expires_at, wire_time(c.reminded_at) as reminded_at`

const ofProject = `from checkouts c join subscriptions s on s.project_id = $1 and s.id = c.subscription_id
  join projects p on p.id = c.project_id
  where c.project_id = $1 and c.gateway = 'invoice' and c.status <> 'opening'`

/** Finds orders without knowing their projects. */
const inAnyProject = `from checkouts c join projects p on p.id = c.project_id and p.deleted_at is null
  where c.gateway = 'invoice' and c.status <> 'opening'`

const shown = (row: Row): ShownOrder => ({
  ...row,
  reference: referenceOf(row.id),
  url: row.url as string,
})

interface Page {
  /** The id before or after which the page begins; null for the first page. */
  after: number | null
  limit: number
}

/** The orders of a project, newest first; expired ones are deleted after 30 days. */
export async function listOrders(
  queries: Queries,
  projectId: number,
  { after, limit }: Page,
): Promise<ShownOrder[]> {
  const rows = await queries.run<Row>(
    `select ${columns} ${ofProject} and ($2::bigint is null or c.id < $2) order by c.id desc limit $3`,
    [projectId, after, limit],
  )
  return rows.map(shown)
}

export async function readOrder(queries: Queries, projectId: number, id: number): Promise<ShownOrder> {
  const rows = await queries.run<Row>(`select ${columns} ${ofProject} and c.id = $2`, [projectId, id])
  return shown(rows[0] as Row)
}

/** The open orders of all projects, or of those of a platform, oldest first; the query is a part of a reference or of a project's name. */
export async function listOpenOrders(
  queries: Queries,
  { platformId, query, after, limit }: Page & { platformId: number | null; query: string },
): Promise<ShownOrder[]> {
  const found = await queries.run<{ id: number; project_id: number }>(
    `select c.id, c.project_id ${inAnyProject} and c.status = 'open' and c.expires_at > now()
       and (position(lower($1) in lower(p.name)) > 0 or position($2 in c.id::text) > 0)
       and ($3::bigint is null or c.id > $3) and ($5::bigint is null or p.platform_id = $5)
     order by c.id limit $4`,
    [query, digitsOf(query) ?? null, after, limit, platformId],
  )
  const rows = await queries.run<Row>(
    `select ${columns} from checkouts c
       join subscriptions s on s.project_id = any($1) and s.project_id = c.project_id and s.id = c.subscription_id
       join projects p on p.id = c.project_id
     where c.project_id = any($1) and c.id = any($2) order by c.id`,
    [found.map((one) => one.project_id), found.map(({ id }) => id)],
  )
  return rows.map(shown)
}

/** The project of an order, on one platform or on any; undefined if there is no such order. */
export async function findProjectOfOrder(
  queries: Queries,
  id: number,
  platformId: number | null,
): Promise<number | undefined> {
  const [found] = await queries.run<{ project_id: number }>(
    `select c.project_id ${inAnyProject} and c.id = $1 and p.platform_id = coalesce($2, p.platform_id)`,
    [id, platformId],
  )
  return found?.project_id
}

/** Finds the order of a page by the random key in its address, with the platform of its project. */
export async function findOrderByKey(
  queries: Queries,
  key: string,
): Promise<(ShownOrder & { platform_id: number }) | undefined> {
  if (!/^[0-9a-f-]{36}$/.test(key)) return undefined
  const [found] = await queries.run<{ id: number; project_id: number; platform_id: number }>(
    `select c.id, c.project_id, p.platform_id ${inAnyProject} and c.key = $1`,
    [key],
  )
  if (!found) return undefined
  return { ...(await readOrder(queries, found.project_id, found.id)), platform_id: found.platform_id }
}
