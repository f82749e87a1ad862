import { integer, nullable, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

export const productReach = record({
  tool_key: text(),
  name: nullable(text({ about: 'The name of the product; null if it is no longer offered.' })),
  projects_count: integer({ about: 'How many projects have the product.' }),
})

interface Reach {
  /** All projects of the platform. */
  projects: number
  products: { tool_key: string; projects_count: number }[]
}

/** How many projects of a platform have each product: those that a template for it would reach. */
export async function readReach({ sql }: Queries, platformId: number): Promise<Reach> {
  const [all] = await sql<{ projects: number }[]>`
    select count(*) as projects from projects where platform_id = ${platformId} and kind = 'customer' and deleted_at is null`
  const products = await sql<{ tool_key: string; projects_count: number }[]>`
    select key as tool_key, count(p.id) as projects_count
    from projects p, jsonb_array_elements_text(p.tool_keys) key
    where p.platform_id = ${platformId} and p.kind = 'customer' and p.deleted_at is null group by key order by key`
  return { projects: all?.projects ?? 0, products: [...products] }
}
