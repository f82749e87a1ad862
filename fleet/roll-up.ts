// How far all projects are with the cards of a template, from the sums that states.ts keeps.
import { integer, list, nullable, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { isInTemplate, withGroup, withTemplate } from '#templates/copies.ts'
import { projectsWith } from '#templates/coverage.ts'
import { newestTitle } from '#templates/version/version.ts'
import {
  type Counted,
  countedNames,
  daysPrefix,
  measuresIn,
  median,
  startOfWeek,
  weekOf,
  weekPrefix,
} from './measures.ts'

const trendWeeks = 12

const counts = record({
  received: integer({ about: 'Projects that have received it, in any state.' }),
  begun: integer({ about: 'How many of these have begun it: it is no longer open, and not deleted.' }),
  open: integer(),
  in_progress: integer(),
  to_check: integer(),
  blocked: integer(),
  done: integer(),
  deleted: integer(),
  overdue: integer({ about: 'Projects in which it is overdue and not done.' }),
  customized: integer(),
  check_passed: integer(),
  check_failed: integer(),
})

const rolledUpCard = record({
  id: integer(),
  group_id: integer(),
  group_title: text(),
  title: text(),
  counts,
  median_days: nullable(
    integer({ about: 'How many days it took half of the projects; null if none has done it.' }),
  ),
  trend: list(integer(), { about: 'How many projects had done it at the end of each of the last weeks.' }),
})

export const rollUp = record({
  board_id: integer(),
  title: text(),
  projects_count: integer({ about: 'Projects that have the template.' }),
  weeks: list(text(), { about: 'The Mondays of the weeks of the trends.' }),
  cards: list(rolledUpCard),
})

type RollUp = (typeof rollUp)['static']

interface CardRow {
  id: number
  group_id: number
  group_title: string
  title: string
  sums: Record<string, number>
}

/** Undefined if there is no such template. */
export async function readRollUp(
  { sql }: Queries,
  boardId: number,
  now = Date.now(),
): Promise<RollUp | undefined> {
  const [board] = await sql<{ title: string; projects_count: number }[]>`
    select ${sql.unsafe(newestTitle('m'))} as title, ${sql.unsafe(projectsWith)} as projects_count
    from master_boards m where id = ${boardId} and deleted_at is null`
  if (!board) return undefined
  const rows = await sql<CardRow[]>`
    select m.id, shown.group_id, shown.group_title, shown.title, (
      select coalesce(jsonb_object_agg(measure, count), '{}') from template_card_counts where master_card_id = m.id) as sums
    from master_cards m ${sql.unsafe(`${withTemplate} ${withGroup}`)}
    where m.board_id = ${boardId} and ${sql.unsafe(isInTemplate)} and coalesce(published.is_active, m.is_active) order by shown.group_rank, shown.rank`
  const last = weekOf(now)
  const weeks = Array.from({ length: trendWeeks }, (_, index) => last - trendWeeks + 1 + index)
  return {
    board_id: boardId,
    ...board,
    weeks: weeks.map(startOfWeek),
    cards: rows.map(({ sums, ...card }) => ({
      ...card,
      counts: countsIn(sums),
      median_days: median(numbersIn(sums, daysPrefix).map(({ number, count }) => ({ days: number, count }))),
      trend: trendIn(sums, weeks),
    })),
  }
}

const countsIn = (sums: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    countedNames.map((name) => [
      name,
      measuresIn(name).reduce((sum, measure) => sum + (sums[measure] ?? 0), 0),
    ]),
  ) as Record<Counted, number>

const numbersIn = (sums: Readonly<Record<string, number>>, prefix: string) =>
  Object.entries(sums)
    .filter(([measure]) => measure.startsWith(prefix))
    .map(([measure, count]) => ({ number: Number(measure.slice(prefix.length)), count }))

function trendIn(sums: Readonly<Record<string, number>>, weeks: readonly number[]): number[] {
  const done = numbersIn(sums, weekPrefix)
  return weeks.map((week) =>
    done.filter(({ number }) => number <= week).reduce((sum, { count }) => sum + count, 0),
  )
}

export const projectBehind = record({ id: integer(), name: text() })

type ProjectBehind = (typeof projectBehind)['static']

/**
 * The projects that count for one of these measures of a card, by id; the measures as they are stored. Undefined if there is no such
 * card; a deletion counts once it is published.
 */
export async function listBehind(
  queries: Queries,
  {
    cardId,
    measures,
    after,
    limit,
  }: { cardId: number; measures: readonly string[]; after: number | null; limit: number },
): Promise<ProjectBehind[] | undefined> {
  const { sql } = queries
  const [card] =
    await sql`select from master_cards m ${sql.unsafe(withTemplate)} where m.id = ${cardId} and ${sql.unsafe(isInTemplate)}`
  return card && queries.run<ProjectBehind>(behindStatement, [cardId, JSON.stringify(measures), after, limit])
}

/** $1 the card, $2 the measures, $3 the project before, $4 how many. */
const behindStatement = `
  select p.id, p.name from project_template_states s join projects p on p.id = s.project_id and p.deleted_at is null and p.archived_at is null
  where s.master_board_id = (select board_id from master_cards where id = $1)
    and s.states -> $1::bigint::text ?| array(select jsonb_array_elements_text($2::text::jsonb)) and s.project_id > coalesce($3, 0)
  order by s.project_id limit $4`
