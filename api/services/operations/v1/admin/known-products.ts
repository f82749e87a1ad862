// Refuses keys of products that do not exist, which are typos: a template or project with one would stay alone.
import type { Services } from '#api/operation.ts'
import { catalogueOf } from '#billing/catalogue.ts'
import { findUnknownProduct } from '#templates/products.ts'

/** Declared for the field with the key. */
export const unknownProduct = { unknown_product: 'There is no product with the key :key.' } as const

/** `fail(422, { tool_key: noProduct(key) })` */
export const noProduct = (key: string) =>
  ['unknown_product', { text: unknownProduct.unknown_product, values: { key } }] as const

/** The first of the keys that neither the platform's catalogue has, nor one of its projects and templates. */
export function unknownProductIn(
  { db, billing, platformId }: Pick<Services, 'db' | 'billing'> & { platformId: number },
  keys: readonly string[],
): Promise<string | undefined> {
  const offered = new Set(catalogueOf(billing.catalogue, platformId).products.map(({ key }) => key))
  return findUnknownProduct(
    db,
    platformId,
    keys.filter((key) => !offered.has(key)),
  )
}
