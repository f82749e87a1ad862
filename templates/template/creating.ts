import type { Database, Transaction } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { onTakenIdentifier } from '../card/card.ts'
import type { NewTemplateCard } from '../card/creating.ts'
import type { NewTemplateGroup } from '../group/creating.ts'
import { fill } from './filling.ts'
import { readTemplate, readWholeTemplate, type Template, type WholeTemplate } from './template.ts'

interface NewTemplate {
  title: string
  description?: string | null
  tool_key?: string | null
  icon?: string | null
  color?: string | null
}

type GroupWithCards = NewTemplateGroup & { cards: readonly NewTemplateCard[] }

interface By {
  platformId: number
  actorId: number
}

/** Creates an empty template, which is listed last. */
export function createTemplate(db: Database, quotas: Quotas, by: By, wanted: NewTemplate): Promise<Template> {
  return db.transaction(async (queries) => {
    const id = await insert(queries, quotas, by, { ...wanted, groups: [] })
    return (await readTemplate(queries, id)) as Template
  })
}

/** Creates a template with its groups and cards, as a draft. */
export function createWholeTemplate(
  db: Database,
  quotas: Quotas,
  by: By,
  wanted: NewTemplate & { groups: readonly GroupWithCards[] },
): Promise<WholeTemplate | 'identifier taken'> {
  const creation = db.transaction(async (queries) => {
    const id = await insert(queries, quotas, by, wanted)
    return (await readWholeTemplate(queries, id)) as WholeTemplate
  })
  return creation.catch(onTakenIdentifier)
}

async function insert(
  queries: Transaction,
  quotas: Quotas,
  { platformId, actorId }: By,
  { groups, ...wanted }: NewTemplate & { groups: readonly GroupWithCards[] },
): Promise<number> {
  const { sql } = queries
  const [made] = await sql<{ id: number }[]>`
    insert into master_boards (platform_id, title, description, tool_key, icon, color, created_by)
    values (${platformId}, ${wanted.title}, ${wanted.description ?? null}, ${wanted.tool_key ?? null},
      ${wanted.icon ?? null}, ${wanted.color ?? null}, ${actorId}) returning id`
  const id = made?.id as number
  await fill(queries, quotas, { id, platformId, actorId }, given(queries, groups))
  return id
}

/** The groups and cards as rows of the database. */
function given({ sql }: Transaction, groups: readonly GroupWithCards[]) {
  const groupRows = groups.map(({ cards: _, ...group }, rank) => ({
    ...group,
    is_collapsed: group.is_collapsed ?? false,
    id: rank,
    rank,
  }))
  const cardRows = groups.flatMap(({ cards }, groupId) =>
    cards.map((card, rank) => ({
      ...card,
      group_id: groupId,
      rank,
      status: card.status ?? 'open',
      priority: card.priority ?? 'normal',
      is_active: card.is_active ?? true,
      needs_confirmation: card.needs_confirmation ?? false,
    })),
  )
  return {
    groups: sql`
      select * from jsonb_to_recordset(${sql.json(groupRows)}) as g (id bigint, title text, description text,
        type text, color text, icon text, is_collapsed boolean, rank bigint)`,
    cards: sql`
      select * from jsonb_to_recordset(${sql.json(cardRows)}) as c (group_id bigint, title text, description text,
        short_description text, unique_identifier text, evaluation_check text, needs_confirmation boolean,
        tour_key text, status text, priority card_priority, is_active boolean, rank bigint)`,
  }
}
