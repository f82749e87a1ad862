// Sets the results of checks on the cards that name them. Called by the operations evaluations/report and report-many, and by checking-websites.ts.
import { findByKeys } from '#database/by-keys.ts'
import type { Database } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { noteGrowth } from '#quotas/room.ts'
import { countResults } from './counting.ts'

export interface Result {
  projectId: number
  /** The key of the check, such as `website.has_imprint`. */
  check: string
  passed: boolean
  detail: string | null
}

interface Evaluated {
  project_id: number
  id: number
  board_id: number
  master_card_id: number | null
  /** Which of the results it was, from 1. */
  number: number
  is_changed: boolean
  /** The result before; null if there was none. */
  had_passed: boolean | null
  from_status: string
  to_status: string
  more_bytes: number
}

/**
 * A passed check closes the card, or leaves it `to_check` where a person confirms; a failed one gives it back the status it had, if it still
 * has the one that the check gave it. A result that is the last one already changes nothing.
 */
const evaluateCards = `
  with reported as materialized (
    select * from jsonb_to_recordset($1::text::jsonb)
      as r (number integer, project_id bigint, "check" text, passed boolean, detail text)
  ), found as materialized (
    select c.project_id, c.id, c.board_id, c.master_card_id, c.bytes, c.status, r.number, r.passed, r.detail,
      case when c.evaluated_check = c.evaluation_check then c.evaluation_passed end as had_passed,
      c.evaluated_check = c.evaluation_check and c.evaluation_passed = r.passed
        and c.evaluation_detail is not distinct from r.detail as is_known,
      case when r.passed and c.status <> 'closed' then case when c.needs_confirmation then 'to_check' else 'closed' end
        when not r.passed and c.status in ('closed', 'to_check') then coalesce(c.status_before_evaluation, c.status)
        else c.status end as to_status
    from reported r join cards c on c.project_id = r.project_id and c.evaluation_check = r."check"
    where c.project_id = any($2::bigint[]) and c.deleted_at is null
  ), written as (
    update cards c set evaluated_check = c.evaluation_check, evaluation_passed = found.passed,
      evaluation_detail = found.detail, evaluated_at = now(), evaluated_by = $3, status = found.to_status, updated_at = now(),
      status_before_evaluation = case when found.to_status = found.status then c.status_before_evaluation
        when found.passed and found.status = 'to_check' then coalesce(c.status_before_evaluation, found.status)
        when found.passed then found.status end
    from found
    where c.project_id = found.project_id and c.id = found.id and c.project_id = any($2::bigint[])
      and (found.is_known is not true or found.to_status <> found.status)
    returning c.project_id, c.id, c.bytes
  )
  select found.project_id, found.id, found.board_id, found.master_card_id, found.number, written.id is not null as is_changed,
    found.had_passed, found.status as from_status, found.to_status, coalesce(written.bytes - found.bytes, 0) as more_bytes
  from found left join written on written.project_id = found.project_id and written.id = found.id
  order by found.project_id, found.id`

/** How many cards each result matched, in the given order. Of several results for a check of a project the last one counts. */
export function reportResults(
  db: Database,
  results: readonly Result[],
  actorId: number | null,
): Promise<{ matched: number[]; changed: number }> {
  const projectIds = [...new Set(results.map(({ projectId }) => projectId))].sort((a, b) => a - b)
  const last = new Map(results.map((result, number) => [`${result.projectId} ${result.check}`, number]))
  const reported = [...last.values()].map((number) => {
    const { projectId, check, passed, detail } = results[number] as Result
    return { number, project_id: projectId, check, passed, detail }
  })
  return db.transaction(async (queries) => {
    await findByKeys(queries)
    const changing = await changesOfMany(queries, projectIds)
    const cards = await queries.sql.unsafe<Evaluated[]>(evaluateCards, [
      JSON.stringify(reported),
      projectIds,
      actorId,
    ])
    const changed = cards.filter((card) => card.is_changed)
    await noteGrowth(
      queries,
      changed.map(({ project_id, board_id, more_bytes }) => ({
        ...{ project_id, board_id, cards: 0, groups: 0 },
        bytes: more_bytes,
      })),
    )
    await countResults(
      queries,
      changed.map((card) => ({ ...card, has_passed: (results[card.number] as Result).passed })),
    )
    await recordEvents(
      changing,
      changed.map((card) => ({
        projectId: card.project_id,
        boardId: card.board_id,
        cardId: card.id,
        actorId,
        kind: 'card.evaluated',
        data: payloadOf(card, results[card.number] as Result),
      })),
    )
    const counts = Map.groupBy(cards, ({ number }) => number)
    return {
      matched: results.map(
        ({ projectId, check }) => counts.get(last.get(`${projectId} ${check}`) as number)?.length ?? 0,
      ),
      changed: changed.length,
    }
  })
}

const payloadOf = ({ from_status: from, to_status: to }: Evaluated, { check, passed, detail }: Result) => ({
  evaluation_check: check,
  passed,
  ...(detail !== null && { detail }),
  changes: from === to ? {} : { status: { from, to } },
})
