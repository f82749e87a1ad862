import { setTimeout as sleep } from 'node:timers/promises'
import { usualQuotas } from '#quotas/quotas.ts'
import { compare } from '../compare.ts'
import {
  addFleet,
  countFleet,
  type Fleet,
  insertBare,
  type Master,
  timeBare,
  timeCall,
  updateBare,
} from '../fleet.ts'
import { post, startLoad } from '../load.ts'
import type { Measurement, Row, Stage } from '../row.ts'
import { addScenes, type Scene } from '../scene.ts'
import type { Service } from '../service.ts'
import { median } from '../statistics.ts'
import { residentMegabytes } from './memory.ts'

const manyProjects = 10_000
const perSecond = (count: number, milliseconds: number) => (count * 1000) / milliseconds

const sync = (service: Service, fleet: Fleet, { boardId }: Master) =>
  timeCall(service, fleet, 'master-boards/sync', { board_id: boardId })

async function syncNew(service: Service, fleet: Fleet): Promise<number> {
  return sync(service, fleet, await fleet.addMaster())
}

export const templatesRows: Row[] = [
  {
    name: 'templates: rollout of a new board to 10,000 projects',
    unit: 'projects/s',
    ceiling: 'the same rows by bare INSERT … SELECT, one session',
    target: { atLeast: 0.7 },
    async measure({ service, toUndo }) {
      const fleet = await addFleet(service.database, manyProjects, toUndo)
      return compare(
        async () => perSecond(fleet.size, await syncNew(service, fleet)),
        async () => perSecond(fleet.size, await timeBare(insertBare(fleet, await fleet.addMaster()))),
        { pairs: 3, warmUps: 0 },
      )
    },
  },
  {
    name: 'templates: rollout again, nothing to do',
    unit: 'ms',
    ceiling: 'the first sync',
    target: { atMost: 0.1 },
    async measure({ service, toUndo }) {
      const fleet = await addFleet(service.database, manyProjects, toUndo)
      const master = await fleet.addMaster()
      const first = await sync(service, fleet, master)
      const again = await sync(service, fleet, master)
      return { subject: again, ceiling: first, ratio: again / first }
    },
  },
  {
    name: 'templates: rollout of one changed card to 10,000 projects',
    unit: 'projects/s',
    ceiling: 'one bare UPDATE of the same rows',
    target: { atLeast: 0.6 },
    async measure({ service, toUndo }) {
      const fleet = await addFleet(service.database, manyProjects, toUndo)
      const bare = await fleet.addMaster()
      await insertBare(fleet, bare)
      const pushed = await fleet.addMaster()
      await sync(service, fleet, pushed)
      await countFleet(fleet)
      let edition = 0
      return compare(
        async () => {
          await fleet.changeCard(pushed, `Edition ${++edition}`)
          const body = { card_id: pushed.cardIds[0] }
          return perSecond(fleet.size, await timeCall(service, fleet, 'master-cards/push', body))
        },
        async () => perSecond(fleet.size, await timeBare(updateBare(fleet, bare, `Edition ${++edition}`))),
        { pairs: 5, warmUps: 1 },
      )
    },
  },
  {
    name: 'templates: plan of a rollout that changes every card in 10,000 projects',
    unit: 'ms',
    ceiling: 'applying it',
    target: { atMost: 0.8 },
    async measure({ service, toUndo }) {
      const fleet = await addFleet(service.database, manyProjects, toUndo)
      const master = await fleet.addMaster()
      await sync(service, fleet, master)
      await fleet.changeCard(master, 'Planned', 'all')
      await timeCall(service, fleet, 'master-boards/publish', { id: master.boardId })
      const plan = await timePlan(service, fleet, master)
      const apply = await timeApply(service, fleet)
      return { subject: plan, ceiling: apply, ratio: plan / apply }
    },
  },
  {
    name: 'templates: p99 of boards/get by 8 clients during the rollout',
    unit: 'ms',
    ceiling: 'without the sync',
    target: { atMost: 4 },
    measure: (stage) => readersBeside(stage, async (fleet) => () => syncNew(stage.service, fleet)),
  },
  {
    name: 'templates: p99 of boards/get by 8 clients during a rollout in stages',
    unit: 'ms',
    ceiling: 'without it',
    target: { atMost: 2 },
    measure: (stage) =>
      readersBeside(stage, async (fleet) => {
        const { service } = stage
        const master = await fleet.addMaster()
        await timeCall(service, fleet, 'master-boards/publish', { id: master.boardId })
        const stages = [{ percent: 10, wait_minutes: 0 }, { percent: 50, wait_minutes: 0 }, {}]
        await timePlan(service, fleet, master, { stages })
        return () => timeApply(service, fleet)
      }),
  },
  {
    name: 'templates: rollout to 10,000 projects of which one refuses',
    unit: 'ms',
    ceiling: 'the same without a refusal',
    target: { atMost: 1.3 },
    async measure({ service, toUndo }) {
      const fleet = await addFleet(service.database, manyProjects, toUndo)
      const calm = await syncNew(service, fleet)
      const { boardsPerProject } = usualQuotas
      await fleet.db.sql`
        insert into boards (project_id, title)
        select middle.id, 'Board ' || number from generate_series(1, ${boardsPerProject}::int) number, (
          select id from projects where tool_keys ? ${fleet.tool} order by id offset ${manyProjects / 2} limit 1) middle`
      const refusing = await syncNew(service, fleet)
      const [newest] = await fleet.db.sql<{ failed: number }[]>`
        select count(*)::int as failed from rollout_batches where failures <> '{}'
          and rollout_id = (select max(id) from rollouts)`
      if (newest?.failed !== 1) throw new Error(`${newest?.failed} projects refused instead of one.`)
      return { subject: refusing, ceiling: calm, ratio: refusing / calm }
    },
  },
  {
    name: 'templates: additional memory of the service process during the rollout',
    unit: 'MB',
    target: { atMost: 50 },
    async measure({ service, toUndo }) {
      const fleet = await addFleet(service.database, manyProjects, toUndo)
      const before = await residentMegabytes(service)
      let most = before
      let isOver = false
      const syncing = syncNew(service, fleet).finally(() => {
        isOver = true
      })
      while (!isOver) {
        most = Math.max(most, await residentMegabytes(service))
        await sleep(250)
      }
      await syncing
      return { subject: most - before }
    },
  },
  {
    name: 'templates: time per project at 100,000 projects',
    unit: 'ms',
    ceiling: 'at 1,000 projects',
    target: { atMost: 1.2 },
    isLong: true,
    async measure({ service, toUndo }) {
      // One after the other and warm: a rollout lists all projects of the platform, and a cold start would favor the large one.
      const small = await addFleet(service.database, 1000, toUndo)
      const times: number[] = []
      for (let round = 0; round < 12; round++) times.push((await syncNew(service, small)) / small.size)
      const few = median(times.slice(2))
      const large = await addFleet(service.database, 100_000, toUndo)
      const many = (await syncNew(service, large)) / large.size
      return { subject: many, ceiling: few, ratio: many / few }
    },
  },
]

const timePlan = (service: Service, fleet: Fleet, { boardId }: Master, course: object = {}) =>
  timeUntil(fleet, 'planned', () =>
    timeCall(service, fleet, 'rollouts/plan', { board_id: boardId, ...course }),
  )

/** Applies the newest plan. */
async function timeApply(service: Service, fleet: Fleet): Promise<number> {
  const [planned] = await fleet.db.sql<{ id: number }[]>`select max(id) as id from rollouts`
  return timeUntil(fleet, 'done', () =>
    timeCall(service, fleet, 'rollouts/apply', { id: planned?.id as number }),
  )
}

/** The milliseconds until the newest rollout has a status. */
async function timeUntil({ db }: Fleet, status: string, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  for (;;) {
    const [newest] = await db.sql<{ status: string }[]>`select status from rollouts order by id desc limit 1`
    if (newest?.status === status) return performance.now() - startedAt
    await sleep(20)
  }
}

/** The p99 of boards/get by 8 clients while a rollout runs, and without it. */
async function readersBeside(
  { service, toUndo }: Stage,
  prepare: (fleet: Fleet) => Promise<() => Promise<unknown>>,
): Promise<Measurement> {
  const fleet = await addFleet(service.database, manyProjects, toUndo)
  const scenes = await addScenes(service.database, { projects: 8, groups: 5, cardsPerGroup: 20 })
  const calm = await readersDuring(service, scenes, () => sleep(5000))
  const busy = await readersDuring(service, scenes, await prepare(fleet))
  return { subject: busy, ceiling: calm, ratio: busy / calm }
}

/** The p99 of boards/get by 8 clients while something else runs. */
async function readersDuring(
  service: Service,
  scenes: readonly Scene[],
  work: () => Promise<unknown>,
): Promise<number> {
  const requests = scenes.map(({ token, boardId }) =>
    post(
      `${service.apiUrl}/services/operations/v2/operations/boards/get`,
      { id: boardId },
      { authorization: `Bearer ${token}` },
    ),
  )
  const running = await startLoad({
    url: service.apiUrl,
    clients: 8,
    request: (client) => requests[client % requests.length] as Buffer,
  })
  await work()
  return (await running.stop()).latency(99)
}
