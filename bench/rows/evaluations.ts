import { joinByHash } from '#database/by-keys.ts'
import { requestConnections } from '#database/pools.ts'
import { compare } from '../compare.ts'
import { addFleet, type Fleet, type Master, timeBare } from '../fleet.ts'
import type { Row } from '../row.ts'
import type { Service } from '../service.ts'

const results = 1_000
/** Each connection for writes prepares its statements in its first calls; the ceiling has one connection. */
const oncePrepared = { pairs: 10, warmUps: requestConnections }
const perSecond = (milliseconds: number) => (results * 1000) / milliseconds

export const evaluationsRows: Row[] = [
  {
    name: 'evaluations/report-many of 1,000 results in 1,000 projects',
    unit: 'results/s',
    ceiling: 'a bare transaction that updates the same cards, events and versions',
    target: { atLeast: 0.5 },
    async measure({ service, toUndo }) {
      const fleet = await addFleet(service.database, results, toUndo)
      const [reported, bare] = [await addChecked(service, fleet), await addChecked(service, fleet)]
      await fleet.db.sql`analyze`
      let calls = 0
      // Every second one passes, so that each changes all cards.
      const hasPassed = () => ++calls % 4 < 2
      return compare(
        async () => perSecond(await report(service, fleet, reported, hasPassed())),
        async () => perSecond(await timeBare(reportBare(fleet, bare, hasPassed()))),
        oncePrepared,
      )
    },
  },
]

interface Checked {
  check: string
  projectIds: number[]
  cardIds: number[]
  boardIds: number[]
}

let checks = 0

/** A card with a check in every project of the fleet. */
async function addChecked(service: Service, fleet: Fleet): Promise<Checked> {
  const { sql } = fleet.db
  const check = `bench.${++checks}`
  const master: Master = await fleet.addMaster()
  const [cardId = 0] = master.cardIds
  await sql`update master_cards set evaluation_check = ${check} where id = ${cardId}`
  await fleet.changeCard(master, 'Checked')
  await call(service, fleet, 'admin/master-boards/sync', { board_id: master.boardId })
  const cards = await sql<{ project_id: number; id: number; board_id: number }[]>`
    select project_id, id, board_id from cards where master_card_id = ${cardId} order by project_id`
  return {
    check,
    projectIds: cards.map(({ project_id }) => project_id),
    cardIds: cards.map(({ id }) => id),
    boardIds: cards.map(({ board_id }) => board_id),
  }
}

const report = (service: Service, fleet: Fleet, { check, projectIds }: Checked, passed: boolean) =>
  call(service, fleet, 'operations/evaluations/report-many', {
    results: projectIds.map((project_id) => ({ check, project_id, passed, detail: 'Answered' })),
  })

/** Returns the milliseconds. */
async function call({ apiUrl }: Service, { token }: Fleet, path: string, body: object): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${apiUrl}/services/operations/v2/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return performance.now() - startedAt
}

/** The ids are known, no caller is checked, and nothing is counted. */
async function reportBare({ db }: Fleet, { check, projectIds, cardIds, boardIds }: Checked, passed: boolean) {
  await db.transaction(async (queries) => {
    const { sql } = queries
    await joinByHash(queries)
    await sql.unsafe(
      `update cards c set evaluated_check = c.evaluation_check, evaluation_passed = $3, evaluation_detail = 'Answered',
         evaluated_at = now(), evaluated_by = 1, updated_at = now(), status = $4, status_before_evaluation = $5
       from unnest($1::bigint[], $2::bigint[]) given (project_id, id)
       where c.project_id = given.project_id and c.id = given.id and c.id = any($2::bigint[])`,
      [projectIds, cardIds, passed, passed ? 'closed' : 'open', passed ? 'open' : null],
    )
    await sql.unsafe(
      `with reached as (
         update project_versions set version = version + 1 where project_id = any($1::bigint[]) returning project_id, version
       )
       insert into events (project_id, id, board_id, card_id, actor_id, kind, data)
       select given.project_id, reached.version, given.board_id, given.id, 1, 'card.evaluated', $4::text::jsonb
       from unnest($1::bigint[], $2::bigint[], $3::bigint[]) given (project_id, id, board_id)
       join reached on reached.project_id = given.project_id`,
      [
        projectIds,
        cardIds,
        boardIds,
        JSON.stringify({ evaluation_check: check, passed, detail: 'Answered', changes: {} }),
      ],
    )
  })
}
