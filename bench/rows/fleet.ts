import { compare } from '../compare.ts'
import { addFleet, countFleet, type Fleet, insertBare, timeCall } from '../fleet.ts'
import { type Load, post, runLoad } from '../load.ts'
import type { Row, Stage } from '../row.ts'
import { addScenes } from '../scene.ts'
import { type Service, startService } from '../service.ts'
import { median } from '../statistics.ts'

const operations = '/services/operations/v1/operations'
const times = 7

/** Projects with a template of 50 cards, of which everything differs that filters and orders look at. */
async function addCountedFleet({ service, toUndo }: Stage, size: number) {
  const fleet = await addFleet(service.database, size, toUndo)
  const master = await fleet.addMaster()
  await insertBare(fleet, master)
  await countFleet(fleet)
  const { db } = fleet
  await db.sql`
    update project_figures set labels = array['label ' || project_id % 97], plans = array['plan ' || project_id % 5],
      searched = name_key || e'\n' || 'label ' || project_id % 97, active_at = now() - project_id % 400 * interval '1 day',
      subscription_statuses = array[case project_id % 3 when 0 then 'active' when 1 then 'trialing' else 'expired' end],
      created_at = now() - project_id % 700 * interval '1 day', done = project_id % 51, theme_version_id = project_id % 11
    where tool_keys @> array[${fleet.tool}]`
  await db.sql`analyze`
  return { fleet, master }
}

const day = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()

/** One of each kind, and the ones that few projects match. */
const filtersOf = (boardId: number): readonly object[] => [
  {},
  { sort: 'activity', is_descending: true },
  { sort: 'progress' },
  { sort: 'created', is_descending: true },
  { query: 'fleet 99' },
  // Many, and the last by name.
  { query: 'fleet 9' },
  { query: 'matches nothing' },
  { query: 'somebody@example' },
  { label: 'label 13' },
  { plan: 'plan 4', sort: 'activity' },
  { subscription_status: 'expired', sort: 'progress' },
  { version_id: 7, sort: 'name', is_descending: true },
  { active_until: daysAgo(390), sort: 'created' },
  { created_from: daysAgo(3), sort: 'name' },
  { label: 'label 13', plan: 'plan 4', subscription_status: 'active', sort: 'activity' },
  { is_deleted: true },
  { inactive_for_days: 200, created_within_days: 100 },
  { has_open_cards: false },
  { template_id: boardId, template_state: 'behind' },
  { template_id: boardId, template_state: 'older', sort: 'activity' },
]

/** The median of the slowest filter. */
async function slowestList(
  service: Service,
  fleet: Fleet,
  path: string,
  tried: readonly object[],
): Promise<number> {
  const slowest: number[] = []
  for (const filter of tried) slowest.push(await medianOf(service, fleet, path, { ...filter, limit: 100 }))
  return Math.max(...slowest)
}

const subscriptions = '/services/platforms/v2/subscriptions'

const subscriptionFilters: readonly object[] = [
  {},
  { status: 'trialing', ends_until: daysAgo(-7) },
  { status: 'past_due' },
  { status: 'canceled', is_descending: true },
  { plan: 'plan 4', sort: 'name' },
  { query: 'fleet 99' },
  { query: 'matches nothing' },
  { product: 'shop', status: 'expired', sort: 'name', is_descending: true },
]

/** A subscription for each project, in every state and over two years. */
async function addSubscriptions({ service, toUndo }: Stage, size: number): Promise<Fleet> {
  const fleet = await addFleet(service.database, size, toUndo)
  const { sql } = fleet.db
  await sql`
    insert into subscription_figures (project_id, id, platform_id, version, name_key, product, plan, period, status, ends_at,
      cancels_at_period_end, month_amount, currency, paid_from, paid_until, is_current)
    select id, id, platform_id, 0, lower(name), case id % 2 when 0 then 'shop' else 'website' end, 'plan ' || id % 5, 'month',
      (array['trialing', 'active', 'past_due', 'canceled', 'expired'])[1 + id % 5]::subscription_status,
      now() + (id % 400 - 200) * interval '1 day', false, 4900, 'eur', now() - id % 700 * interval '1 day',
      case id % 5 when 3 then now() - id % 100 * interval '1 day' end, true
    from projects where tool_keys ? ${fleet.tool}`
  await sql`analyze`
  return fleet
}

async function medianOf(service: Service, fleet: Fleet, path: string, body: object): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times; time++) taken.push(await timeCall(service, fleet, path, body))
  return median(taken)
}

const rowsFor = (size: number, label: string, isLong: boolean): Row[] => [
  {
    name: `fleet: projects/list of ${label} projects, the slowest of ${filtersOf(0).length} filters`,
    unit: 'ms',
    target: { atMost: 150 },
    ...(isLong && { isLong: true }),
    async measure(stage) {
      const { fleet, master } = await addCountedFleet(stage, size)
      return { subject: await slowestList(stage.service, fleet, 'projects/list', filtersOf(master.boardId)) }
    },
  },
  {
    name: `fleet: subscriptions/list-all and summarize of ${label} projects, the slowest`,
    unit: 'ms',
    target: { atMost: 150 },
    ...(isLong && { isLong: true }),
    async measure(stage) {
      const fleet = await addSubscriptions(stage, size)
      const listed = await slowestList(stage.service, fleet, `${subscriptions}/list-all`, subscriptionFilters)
      const summed = await medianOf(stage.service, fleet, `${subscriptions}/summarize`, {})
      return { subject: Math.max(listed, summed) }
    },
  },
  {
    name: `fleet: roll-ups/get of 50 cards in ${label} projects`,
    unit: 'ms',
    target: { atMost: 300 },
    ...(isLong && { isLong: true }),
    async measure(stage) {
      const { fleet, master } = await addCountedFleet(stage, size)
      return { subject: await medianOf(stage.service, fleet, 'roll-ups/get', { board_id: master.boardId }) }
    },
  },
  {
    name: `fleet: overview/get of ${label} projects`,
    unit: 'ms',
    target: { atMost: 300 },
    ...(isLong && { isLong: true }),
    async measure(stage) {
      const { fleet } = await addCountedFleet(stage, size)
      return { subject: await medianOf(stage.service, fleet, 'overview/get', {}) }
    },
  },
]

/** Changes cards of some projects, each in its turn. */
async function changing(service: Service): Promise<Load> {
  const scenes = await addScenes(service.database, { projects: 10, groups: 5, cardsPerGroup: 20 })
  const requests = ['closed', 'open'].flatMap((status) =>
    scenes.flatMap(({ token, cardIds }) =>
      cardIds.map((id) =>
        post(
          `${service.apiUrl}${operations}/cards/update`,
          { id, status },
          { authorization: `Bearer ${token}` },
        ),
      ),
    ),
  )
  let next = 0
  return { url: service.apiUrl, clients: 16, request: () => requests[next++ % requests.length] as Buffer }
}

export const fleetRows: Row[] = [
  {
    name: 'fleet: cards/update while the figures follow, 16 in flight',
    unit: 'requests/s',
    ceiling: 'the same without figures',
    target: { atLeast: 0.95 },
    async measure({ toUndo }) {
      // Both have a database of their own: changes are slower in the one that earlier rows have filled.
      const [following, without] = [
        await startService(toUndo),
        await startService(toUndo, { CARDINAL_FIGURES: 'false' }),
      ]
      const [subject, ceiling] = [await changing(following), await changing(without)]
      return compare(
        async () => (await runLoad(subject, 1)).perSecond,
        async () => (await runLoad(ceiling, 1)).perSecond,
      )
    },
  },
  ...rowsFor(10_000, '10,000', false),
  ...rowsFor(100_000, '100,000', true),
]
