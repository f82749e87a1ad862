// The cards of a project that differ from what it received of their templates, for the people who help it.
import { flag, integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { isCustomized, resettable } from '#templates/copies.ts'
import { type CardField, cardFields, changedFields, type Fields } from '#templates/rules.ts'
import { areThere, templateCards } from './figures.ts'
import { stoppedUpdates, stoppedUpdatesColumn } from './stopped-updates.ts'

export const customizedCard = record({
  id: integer(),
  board_id: integer(),
  board_title: text(),
  title: text(),
  master_board_id: integer(),
  master_card_id: integer(),
  takes_updates: flag({ about: 'False if the project wants no rollout to change the card.' }),
  updates_stopped: stoppedUpdates,
  fields: list(
    record({
      field: oneOf(resettable),
      value: nullable(
        text({ about: "The project's value, shortened; null for a position or a hidden card." }),
      ),
      template_value: nullable(text({ about: "The template's value, shortened." })),
    }),
  ),
})

export type CustomizedCard = (typeof customizedCard)['static']

interface Row extends Omit<CustomizedCard, 'fields'> {
  copy: Fields<CardField>
  base: Fields<CardField> | null
  is_moved: boolean
  is_active: boolean
}

/** Enough to recognize a description. */
const longestShown = 300

/** One page by id; `after` is the last id of the page before. */
export async function listCustomized(
  queries: Queries,
  projectId: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<CustomizedCard[]> {
  const rows = await queries.run<Row>(statement, [[projectId], after, limit])
  return rows.map(({ copy, base, is_moved, is_active, ...card }) => ({
    ...card,
    fields: [
      ...(base === null
        ? []
        : changedFields(cardFields, base, copy).map((field) => ({
            field,
            value: shown(copy[field]),
            template_value: shown(base[field]),
          }))),
      ...(is_moved ? [{ field: 'place', value: null, template_value: null } as const] : []),
      ...(is_active ? [] : [{ field: 'is_active', value: null, template_value: null } as const]),
    ],
  }))
}

function shown(value: string | boolean | null): string | null {
  if (value === null) return null
  const characters = [...String(value)]
  return characters.length > longestShown ? `${characters.slice(0, longestShown).join('')}…` : String(value)
}

const fieldsOf = (alias: string) =>
  `jsonb_build_object(${cardFields.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`

/** $1 the project as a list, $2 the card before, $3 how many. */
const statement = `
  select c.id, c.board_id, b.title as board_title, c.title, m.board_id as master_board_id, c.master_card_id,
    ${fieldsOf('c')} as copy, case when base.card_id is not null then ${fieldsOf('base')} end as base, c.is_moved, c.is_active, c.takes_updates,
    ${stoppedUpdatesColumn} as updates_stopped
  from ${templateCards}
  join boards b on b.project_id = any($1::bigint[]) and b.project_id = c.project_id and b.id = c.board_id
  where ${areThere} and (${isCustomized}) and c.id > coalesce($2, 0)
  order by c.id limit $3`
