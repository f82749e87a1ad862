import { board } from '#boards/board/board.ts'
import { card } from '#boards/card/card.ts'
import { group } from '#boards/group/group.ts'
import { listedDescription, withListedDescription } from '#boards/listed-description.ts'
import { flag, integer, list, nullable, onlyInV2, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { countColumns } from '#evaluations/counting.ts'
import { templateCardColumns } from '../card/card.ts'
import { coverageColumns, coverageOf, coverageTables } from '../coverage.ts'
import { templateGroupColumns } from '../group/group.ts'
import { hasDraftChanges } from '../version/draft.ts'

const fields = {
  ...board.properties,
  project_id: nullable(integer()),
  version: integer({ about: 'The number of the newest version; 0 if the template was never published.' }),
  has_draft_changes: onlyInV2(flag({ about: 'Whether the template differs from its newest version.' })),
}

/** A template as the contract's board, with the number of its newest version. */
export const template = record(fields)

const coverage = {
  /** All that have a copy, including projects that have lost access since. */
  projects_count: integer(),
  /** Projects that should have it; the states below add up to this number. */
  access_count: integer(),
  /** Projects with access that have a copy. */
  covered_count: integer(),
  up_to_date_count: integer(),
  behind_count: integer(),
  /** They never received it. */
  missing_count: integer(),
  /** The last rollout failed there. */
  refused_count: integer(),
  /** They have deleted their copy. */
  opted_out_count: integer(),
}

export const templateInList = record({
  ...fields,
  groups_count: integer(),
  cards_count: integer(),
  ...coverage,
})

/** In how many projects the check of the card passes and fails. */
const cardWithCounts = record({ ...card.properties, passed_count: integer(), failed_count: integer() })

export const wholeTemplate = record({
  ...fields,
  ...coverage,
  groups: list(record({ ...group.properties, cards: list(cardWithCounts) })),
})

export type Template = (typeof template)['static']
type TemplateInList = (typeof templateInList)['static']
export type WholeTemplate = (typeof wholeTemplate)['static']

/** `m` is the template. */
const columns = (description: string) => `
  m.id, null::bigint as project_id, m.platform_id, null::bigint as master_board_id, m.tool_key, m.title, ${description}
  m.icon, m.color, (select count(*) from master_boards before where before.platform_id = m.platform_id
    and before.deleted_at is null and before.rank <= m.rank) as position,
  true as is_master, m.is_active, true as done_closes_cards,
  coalesce((select max(number) from template_versions v where v.board_id = m.id), 0) as version,
  ${hasDraftChanges} as has_draft_changes, m.created_by, wire_time(m.created_at) as created_at,
  wire_time(m.updated_at) as updated_at, wire_time(m.deleted_at) as deleted_at`

const templateColumns = columns('m.description, description_format(m.description),')

export async function readTemplate(queries: Queries, id: number): Promise<Template | undefined> {
  const [found] = await queries.run<Template>(
    `select ${templateColumns} from master_boards m where m.id = $1 and m.deleted_at is null`,
    [id],
  )
  return found
}

/** What the audit log says of a template, deleted or not. */
export async function auditedTemplate({ sql }: Queries, id: number) {
  const [found] = await sql<{ platform_id: number; title: string }[]>`
    select platform_id, title from master_boards where id = ${id}`
  const { platform_id: platformId, title } = found as NonNullable<typeof found>
  return { platformId, details: { template_id: id, template: title } }
}

/** Whether there is such a template, deleted or not. */
export async function isTemplate(queries: Queries, id: number): Promise<boolean> {
  return (await queries.sql`select from master_boards where id = ${id}`).length > 0
}

const listStatementOf = (isListed: string) => `with ${coverageOf(isListed)}
  select ${columns(listedDescription('m.description'))},
    (select count(*) from master_groups g where g.board_id = m.id and g.deleted_at is null) as groups_count,
    (select count(*) from master_cards c where c.board_id = m.id and c.deleted_at is null) as cards_count,
    ${coverageColumns}
  from master_boards m ${coverageTables}
  where ${isListed} order by m.platform_id, m.rank`

const listStatement = listStatementOf('m.deleted_at is null')
const platformStatement = listStatementOf('m.deleted_at is null and m.platform_id = $1')

/** Every template of a platform, or of all, in its order; a long description is cut. */
export async function listTemplates(queries: Queries, platformId: number | null): Promise<TemplateInList[]> {
  const templates = await (platformId === null
    ? queries.run<TemplateInList>(listStatement, [])
    : queries.run<TemplateInList>(platformStatement, [platformId]))
  return templates.map(withListedDescription)
}

const wholeStatement = `with ${coverageOf('m.id = $1')}
  select ${templateColumns}, ${coverageColumns},
    (select coalesce(json_agg(group_row), '[]') from (
      select ${templateGroupColumns('row_number() over (order by g.rank)')},
        (select coalesce(json_agg(card_row), '[]') from (
          select ${templateCardColumns('row_number() over (order by c.rank)')}, ${countColumns}
          from master_cards c where c.group_id = g.id and c.deleted_at is null order by c.rank
        ) card_row) as cards
      from master_groups g where g.board_id = m.id and g.deleted_at is null order by g.rank
    ) group_row) as groups
  from master_boards m ${coverageTables} where m.id = $1 and m.deleted_at is null`

export async function readWholeTemplate(queries: Queries, id: number): Promise<WholeTemplate | undefined> {
  const [found] = await queries.run<WholeTemplate>(wholeStatement, [id])
  return found
}
