// Sets the results of checks on the cards that name them. Called by the operations evaluations/report and report-many, and by checking-websites.ts.
import { isDeepStrictEqual } from 'node:util'
import { joinByHash } from '#database/by-keys.ts'
import type { Database, Queries } from '#database/connect.ts'
import { changeMany } from '#events/change.ts'
import type { Finding } from '#events/finding.ts'
import { recordEvents } from '#events/record.ts'
import { countResults } from './counting.ts'

export interface Result {
  projectId: number
  /** The key of the check, such as `website.has_imprint`. */
  check: string
  passed: boolean
  /** The words of a reporter, or what Cardinal itself found. */
  detail: string | Finding | null
}

interface CheckedCard {
  project_id: number
  id: number
  board_id: number
  master_card_id: number | null
  status: string
  bytes: number
  needs_confirmation: boolean
  /** The status that the card had before a passed check changed it; null if none did, or a person has changed it since. */
  status_before_evaluation: string | null
  /** The last result of its present check. */
  had_passed: boolean | null
  had_detail: Result['detail']
  /** Which of the reported results is about it. */
  number: number
}

/** Those of archived projects are left as they are. Planned again each time, because the plan depends on the number of projects and checks. */
const findCards = `
  select c.project_id, c.id, c.board_id, c.master_card_id, c.status, c.bytes, c.needs_confirmation, c.status_before_evaluation,
    case when c.evaluated_check = c.evaluation_check then c.evaluation_passed end as had_passed,
    case when c.evaluated_check = c.evaluation_check then coalesce(c.evaluation_finding, to_jsonb(c.evaluation_detail)) end as had_detail, r.number
  from jsonb_to_recordset($1::text::jsonb) as r (number integer, project_id bigint, "check" text)
  join projects p on p.id = r.project_id and p.archived_at is null
  join cards c on c.project_id = r.project_id and c.evaluation_check = r."check"
  where c.project_id = any($2::bigint[]) and c.deleted_at is null
    and c.evaluation_check = any(array(select jsonb_array_elements_text($3::text::jsonb)))
  order by c.project_id, c.id`

/** Also stores how much the boards grew or shrank, because a status counts with its length. */
const writeResults = `
  with written as (
    update cards c set evaluated_check = c.evaluation_check, evaluation_passed = r.passed, evaluation_detail = r.detail,
      evaluation_finding = r.finding, evaluated_at = now(), evaluated_by = $4, updated_at = now(), status = r.status,
      status_before_evaluation = r.status_before_evaluation
    from jsonb_to_recordset($1::text::jsonb) as r (project_id bigint, id bigint, had_bytes integer, passed boolean, detail text,
      finding jsonb, status text, status_before_evaluation text)
    where c.project_id = r.project_id and c.id = r.id and c.project_id = any($2::bigint[]) and c.id = any($3::bigint[])
    returning c.project_id, c.board_id, c.bytes - r.had_bytes as more_bytes
  )
  update board_sizes s set bytes = s.bytes + grown.more_bytes from (
    select project_id, board_id, sum(more_bytes)::bigint as more_bytes from written group by project_id, board_id
  ) grown
  where s.project_id = grown.project_id and s.board_id = grown.board_id and s.project_id = any($2::bigint[])
    and grown.more_bytes <> 0`

/**
 * A passed check closes the card, or leaves it `to_check` where a person confirms. A failed one gives it back the status it had, if it
 * still has the one that the check gave it.
 */
function statusAfter(card: CheckedCard, passed: boolean) {
  const { status, status_before_evaluation: before } = card
  if (passed) {
    const goal = card.needs_confirmation ? 'to_check' : 'closed'
    if (status === 'closed' || status === goal) return { status, status_before_evaluation: before }
    // A card that waited for a person goes back to the status before that.
    return { status: goal, status_before_evaluation: (status === 'to_check' && before) || status }
  }
  const isOfCheck = before !== null && (status === 'closed' || status === 'to_check')
  return isOfCheck
    ? { status: before, status_before_evaluation: null }
    : { status, status_before_evaluation: before }
}

/** How many cards each result matched, in the given order. Of several results for a check of a project the last one counts. */
export function reportResults(
  db: Database,
  results: readonly Result[],
  actorId: number | null,
): Promise<{ matched: number[]; changed: number }> {
  const keyOf = ({ projectId, check }: Result) => `${projectId} ${check}`
  const last = new Map(results.map((result, number) => [keyOf(result), number]))
  const projectIds = [...new Set(results.map(({ projectId }) => projectId))]
  const checks = [...new Set(results.map(({ check }) => check))]
  const wanted = [...last.values()].map((number) => {
    const { projectId, check } = results[number] as Result
    return { number, project_id: projectId, check }
  })
  return changeMany(db, projectIds, async (changing) => {
    await joinByHash(changing)
    const found = await changing.sql.unsafe<CheckedCard[]>(findCards, [
      JSON.stringify(wanted),
      projectIds,
      JSON.stringify(checks),
    ])
    const changed = found
      .map((card) => {
        const { check, passed, detail } = results[card.number] as Result
        return { before: card, check, passed, detail, after: statusAfter(card, passed) }
      })
      .filter(
        ({ before, passed, detail, after }) =>
          before.had_passed !== passed ||
          !isDeepStrictEqual(before.had_detail, detail) ||
          before.status !== after.status,
      )
    // Sent at once, and run in this order.
    await Promise.all([
      store(changing, changed, actorId),
      countResults(
        changing,
        changed.map(({ before, passed }) => ({ ...before, has_passed: passed })),
      ),
      recordEvents(
        changing,
        changed.map((change) => eventOf(change, actorId)),
      ),
    ])
    const counts = Map.groupBy(found, ({ number }) => number)
    return {
      matched: results.map((result) => counts.get(last.get(keyOf(result)) as number)?.length ?? 0),
      changed: changed.length,
    }
  })
}

interface ChangedCard {
  before: CheckedCard
  check: string
  passed: boolean
  detail: Result['detail']
  after: ReturnType<typeof statusAfter>
}

async function store({ sql }: Queries, changed: readonly ChangedCard[], actorId: number | null) {
  if (changed.length === 0) return
  const rows = changed.map(({ before: { project_id, id, bytes }, passed, detail, after }) => ({
    ...{ project_id, id, had_bytes: bytes, passed, ...said(detail) },
    ...after,
  }))
  const projectIds = [...new Set(rows.map(({ project_id }) => project_id))]
  const ids = rows.map(({ id }) => id)
  await sql.unsafe(writeResults, [JSON.stringify(rows), projectIds, ids, actorId])
}

/** Under the key that cards and events have for it. */
const said = (detail: Result['detail']) => {
  if (detail === null) return {}
  return typeof detail === 'string' ? { detail } : { finding: detail }
}

const eventOf = ({ before, check, passed, detail, after }: ChangedCard, actorId: number | null) => ({
  ...{ projectId: before.project_id, boardId: before.board_id, cardId: before.id, actorId },
  kind: 'card.evaluated' as const,
  data: {
    ...{ evaluation_check: check, passed },
    ...said(detail),
    changes: before.status === after.status ? {} : { status: { from: before.status, to: after.status } },
  },
})
