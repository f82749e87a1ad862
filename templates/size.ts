// Limits the size of a template, which must fit into a project's board, and the number of templates.
import type { Queries } from '#database/connect.ts'
import { type Quotas, refuseGrowth } from '#quotas/quotas.ts'

interface TemplateSize {
  cards: number
  longest_list: number
  groups: number
  bytes: number
}

const nothing: TemplateSize = { cards: 0, longest_list: 0, groups: 0, bytes: 0 }

/** Counted on every change, which is cheap enough because few people write templates. */
export async function templateSize({ sql }: Queries, boardId: number): Promise<TemplateSize> {
  const [size] = await sql<TemplateSize[]>`
    select c.cards, c.longest_list, g.groups, (m.bytes + g.bytes + c.bytes)::bigint as bytes
    from master_boards m,
      lateral (
        select count(*) as groups, coalesce(sum(bytes), 0) as bytes from master_groups
        where board_id = m.id and deleted_at is null
      ) g,
      lateral (
        select coalesce(sum(cards), 0)::bigint as cards, coalesce(max(cards), 0) as longest_list,
          coalesce(sum(bytes), 0) as bytes
        from (
          select count(*) as cards, sum(bytes) as bytes from master_cards
          where board_id = m.id and deleted_at is null group by group_id
        ) lists
      ) c
    where m.id = ${boardId}`
  return size ?? nothing
}

/** Throws if the template grew beyond a limit (`reachedQuota`); a new template had size zero before. */
export async function refuseLargerTemplate(
  queries: Queries,
  quotas: Quotas,
  boardId: number,
  before = nothing,
): Promise<void> {
  const after = await templateSize(queries, boardId)
  const limits = [
    ['longest_list', 'cardsPerGroup'],
    ['cards', 'cardsPerBoard'],
    ['groups', 'groupsPerBoard'],
    ['bytes', 'bytesPerBoard'],
  ] as const
  for (const [part, quota] of limits)
    refuseGrowth(quotas, quota, { before: before[part], after: after[part] })
}

/** Throws if the template that was just added is one too many; the lock makes concurrent additions count each other. */
export async function refuseMoreTemplates(
  { sql }: Queries,
  quotas: Quotas,
  platformId: number,
): Promise<void> {
  await sql`select from platforms where id = ${platformId} for no key update`
  const [present] = await sql<{ count: number }[]>`
    select count(*) from master_boards where platform_id = ${platformId} and deleted_at is null`
  const after = present?.count as number
  refuseGrowth(quotas, 'templates', { before: after - 1, after })
}
