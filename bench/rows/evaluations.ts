import { compare } from '../compare.ts'
import { addFleet, type Fleet, type Master, timeBare } from '../fleet.ts'
import type { Row } from '../row.ts'
import type { Service } from '../service.ts'

const results = 1_000
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
      )
    },
  },
]

interface Checked {
  check: string
  projectIds: number[]
  cardIds: number[]
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
  const cards = await sql<{ project_id: number; id: number }[]>`
    select project_id, id from cards where master_card_id = ${cardId} order by project_id`
  return {
    check,
    projectIds: cards.map(({ project_id }) => project_id),
    cardIds: cards.map(({ id }) => id),
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
async function reportBare({ db }: Fleet, { check, projectIds, cardIds }: Checked, passed: boolean) {
  await db.transaction(async ({ sql }) => {
    await sql`
      update cards c set evaluated_check = ${check}, evaluation_passed = ${passed}, evaluation_detail = 'Answered',
        evaluated_at = now(), evaluated_by = 1, updated_at = now(), status = ${passed ? 'closed' : 'open'},
        status_before_evaluation = ${passed ? 'open' : null}
      from unnest(${projectIds}::bigint[], ${cardIds}::bigint[]) given (project_id, id)
      where c.project_id = given.project_id and c.id = given.id`
    await sql`
      with reached as (
        update project_versions set version = version + 1 where project_id = any(${projectIds}::bigint[])
        returning project_id, version
      )
      insert into events (project_id, id, board_id, card_id, actor_id, kind, data)
      select c.project_id, reached.version, c.board_id, c.id, 1, 'card.evaluated',
        jsonb_build_object('evaluation_check', ${check}::text, 'passed', ${passed}::boolean, 'changes', '{}'::jsonb)
      from reached join unnest(${projectIds}::bigint[], ${cardIds}::bigint[]) given (project_id, id)
        on given.project_id = reached.project_id
      join cards c on c.project_id = given.project_id and c.id = given.id`
  })
}
