// Which fields of a template's cards projects have customized, and where. The numbers are the sums that states.ts keeps.
import { integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import {
  type Customizable,
  customizable,
  customizations,
  isInTemplate,
  withGroup,
  withTemplate,
} from '#templates/copies.ts'
import { cardFields } from '#templates/rules.ts'
import { newestTitle } from '#templates/version/version.ts'
import { copies } from './figures.ts'
import { fieldMeasure, otherMeasures } from './measures.ts'
import { listBehind } from './roll-up.ts'
import { stoppedUpdates, stoppedUpdatesColumn } from './stopped-updates.ts'

export const customizedTemplate = record({
  board_id: integer(),
  title: text(),
  cards: list(
    record({
      id: integer(),
      group_title: text(),
      title: text(),
      projects_count: integer({ about: 'Projects that have customized any of its fields.' }),
      fields: list(record({ field: oneOf(customizable), projects_count: integer() }), {
        about: '`takes_updates`: the project wants no rollout to change the card.',
      }),
    }),
    { about: 'The cards that a project has customized.' },
  ),
})

type CustomizedTemplate = (typeof customizedTemplate)['static']

interface CardRow {
  id: number
  group_title: string
  title: string
  sums: Record<string, number>
}

/** Undefined if there is no such template. */
export async function readCustomizedTemplate(
  { sql }: Queries,
  boardId: number,
): Promise<CustomizedTemplate | undefined> {
  const [board] = await sql<{ title: string }[]>`
    select ${sql.unsafe(newestTitle('m'))} as title from master_boards m where id = ${boardId} and deleted_at is null`
  if (!board) return undefined
  const rows = await sql<CardRow[]>`
    select m.id, shown.group_title, shown.title, sums.each as sums
    from master_cards m ${sql.unsafe(`${withTemplate} ${withGroup}`)}
    cross join lateral (
      select jsonb_object_agg(measure, count) as each from template_card_counts
      where master_card_id = m.id and measure like ${`${otherMeasures.customized}%`} and count > 0
    ) sums
    where m.board_id = ${boardId} and ${sql.unsafe(isInTemplate)} and sums.each is not null order by shown.group_rank, shown.rank`
  return {
    board_id: boardId,
    ...board,
    cards: rows.map(({ sums, ...card }) => ({
      ...card,
      projects_count: sums[otherMeasures.customized] ?? 0,
      fields: customizable.flatMap((field) => {
        const count = sums[fieldMeasure(field)]
        return count === undefined ? [] : [{ field, projects_count: count }]
      }),
    })),
  }
}

export const customizedIn = record({
  id: integer(),
  name: text(),
  card_id: integer({ about: "The id of the project's card." }),
  value: nullable(
    text({ about: "The project's value, shortened; null for a position, a hidden card or stopped updates." }),
  ),
  template_value: nullable(text({ about: "The template's value, shortened." })),
  updates_stopped: stoppedUpdates,
})

type CustomizedIn = (typeof customizedIn)['static']

/** Enough to recognize a description. */
const longestShown = 300

interface Asked {
  cardId: number
  field: Customizable
  after: number | null
  limit: number
}

/**
 * One page of the projects that have customized a field of a template's card, by id. `last` is the last project of the page, null on
 * the last page. A project that has changed since it was counted is left out. Undefined if there is no such card.
 */
export async function listCustomizedIn(
  queries: Queries,
  { cardId, field, after, limit }: Asked,
): Promise<{ projects: CustomizedIn[]; last: number | null } | undefined> {
  const counted = await listBehind(queries, {
    cardId,
    measures: [fieldMeasure(field)],
    after,
    limit: limit + 1,
  })
  if (!counted) return undefined
  const page = counted.slice(0, limit)
  const ids = page.map(({ id }) => id)
  const cards = await queries.run<
    Pick<CustomizedIn, 'value' | 'template_value' | 'updates_stopped'> & { project_id: number; id: number }
  >(copiesStatement(field), [ids, cardId])
  const cardOf = new Map(cards.map(({ project_id, ...card }) => [project_id, card]))
  return {
    projects: page.flatMap(({ id, name }) => {
      const card = cardOf.get(id)
      if (!card) return []
      const { id: card_id, ...shown } = card
      return [{ id, name, card_id, ...shown }]
    }),
    last: counted.length > limit ? (ids.at(-1) as number) : null,
  }
}

/** $1 the projects, $2 the template's card. */
const copiesStatement = (field: Customizable) => {
  const named = cardFields.find((name) => name === field)
  const shown = (alias: string) =>
    named === undefined
      ? 'null::text'
      : `left(${alias}.${named}::text, ${longestShown}) || case when length(${alias}.${named}::text) > ${longestShown} then '…' else '' end`
  return `
    select c.project_id, c.id, ${shown('c')} as value, ${shown('base')} as template_value,
      ${stoppedUpdatesColumn} as updates_stopped
    from ${copies} where c.project_id = any($1::bigint[]) and c.master_card_id = $2 and c.deleted_at is null and (${customizations[field]})`
}
