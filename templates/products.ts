import { integer, nullable, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

export const productReach = record({
  tool_key: text(),
  name: nullable(text({ about: 'The name of the product; null if it is no longer offered.' })),
  projects_count: integer({ about: 'How many projects have the product.' }),
})
type ProductReach = (typeof productReach)['static']

/** The products that a template of a platform can be for, by their names, and the other products that projects still have. */
export async function listProducts(
  queries: Queries,
  platformId: number,
  names: ReadonlyMap<string, string>,
): Promise<{ products: ProductReach[]; projects_count: number }> {
  const { projects, products } = await readReach(queries, platformId)
  const counts = new Map(products.map(({ tool_key, projects_count }) => [tool_key, projects_count]))
  const keys = [...new Set([...names.keys(), ...counts.keys()])].sort()
  return {
    products: keys.map((tool_key) => ({
      tool_key,
      name: names.get(tool_key) ?? null,
      projects_count: counts.get(tool_key) ?? 0,
    })),
    projects_count: projects,
  }
}

/** The first of the keys that no project and no template of the platform has. */
export async function findUnknownProduct(
  { sql }: Queries,
  platformId: number,
  keys: readonly string[],
): Promise<string | undefined> {
  const [unknown] = await sql<{ key: string }[]>`
    select key from jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb) with ordinality given (key, place)
    where not exists (select from projects where platform_id = ${platformId} and kind = 'customer' and deleted_at is null and tool_keys ? key)
      and not exists (select from master_boards where platform_id = ${platformId} and deleted_at is null and tool_key = key)
    order by place limit 1`
  return unknown?.key
}

interface Reach {
  /** All projects of the platform. */
  projects: number
  products: { tool_key: string; projects_count: number }[]
}

/** How many projects of a platform have each product, and would be reached by a template for it. */
async function readReach({ sql }: Queries, platformId: number): Promise<Reach> {
  const [all] = await sql<{ projects: number }[]>`
    select count(*) as projects from projects where platform_id = ${platformId} and kind = 'customer' and deleted_at is null`
  const products = await sql<{ tool_key: string; projects_count: number }[]>`
    select key as tool_key, count(p.id) as projects_count
    from projects p, jsonb_array_elements_text(p.tool_keys) key
    where p.platform_id = ${platformId} and p.kind = 'customer' and p.deleted_at is null group by key order by key`
  return { projects: all?.projects ?? 0, products: [...products] }
}
