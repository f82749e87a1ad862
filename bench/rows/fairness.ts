// What other tenants notice while one sends as much as its rate limit allows.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '#database/connect.ts'
import { demoAccounts, demoPassword } from '../../demo/accounts.ts'
import type { Attack, Order, Statuses } from '../attacker.ts'
import { compare } from '../compare.ts'
import { type Load, post, runLoad } from '../load.ts'
import { type Ask, startProcess } from '../process.ts'
import type { Row, Stage } from '../row.ts'
import { addScenes, type Scene } from '../scene.ts'
import type { Service } from '../service.ts'
import { residentMegabytes } from './memory.ts'

const operations = '/services/operations/v1/operations'
const sliceSeconds = 2

/** Prepares the data and returns the attacker's calls. */
type Prepare = (service: Service, scene: Scene) => Promise<Attack['calls']>

const attacks: Record<string, Prepare> = {
  '12 searches over 1,450 large cards': async (service, scene) => {
    await addLargeCards(service, scene, 1450)
    return ['alpha', 'alpha beta', 'gamma delta epsilon', 'al be', 'nowhere'].map((query) => ({
      url: `${service.apiUrl}${operations}/cards/search`,
      body: { query },
    }))
  },
  'the largest boards and cards are read': async (service, scene) => {
    const [card] = await addLargeCards(service, scene, largestBoardCards)
    await addComments(service, card as number)
    const call = (name: string, body: object) => ({ url: `${service.apiUrl}${operations}/${name}`, body })
    return [
      call('boards/get', { id: scene.boardId }),
      call('cards/get', { id: card }),
      // A change in between, because the board would otherwise come from the cache.
      call('cards/update', { id: card, title: `Changed ${scene.boardId}` }),
      call('boards/get', { id: scene.boardId }),
      call('cards/update', { id: card, title: 'Changed again' }),
    ]
  },
}

type Victim = (service: Service, scenes: Scene[]) => Load

const victims: Record<string, Victim> = {
  'tags/list': (service, scenes) => callsOf(service, scenes, 'tags/list', () => ({})),
  'boards/get': (service, scenes) =>
    callsOf(service, scenes, 'boards/get', ({ boardId }) => ({ id: boardId })),
  'sign-in': ({ apiUrl }) => {
    const accounts = demoAccounts.filter(({ totpSecret }) => totpSecret === undefined)
    const requests = accounts.map(({ email }) =>
      post(`${apiUrl}/v1/authenticate`, { email, password: demoPassword }),
    )
    return { url: apiUrl, clients: 2, request: (client) => requests[client % requests.length] as Buffer }
  },
}

function callsOf(service: Service, scenes: Scene[], name: string, body: (scene: Scene) => object): Load {
  const requests = scenes.map((scene) =>
    post(`${service.apiUrl}${operations}/${name}`, body(scene), { authorization: `Bearer ${scene.token}` }),
  )
  return { url: service.apiUrl, clients: requests.length, request: (client) => requests[client] as Buffer }
}

export const fairnessRows: Row[] = Object.entries(attacks).flatMap(([attackName, prepare]) => [
  ...Object.entries(victims).map(
    ([victimName, victim]): Row => ({
      name: `fairness: p99 of ${victimName} for others while ${attackName}`,
      unit: 'ms',
      ceiling: 'the same without it',
      target: { atMost: 3 },
      async measure(stage) {
        const { attacking, scenes } = await prepareAttack(stage, prepare)
        const load = victim(stage.service, scenes)
        const p99 = async () => (await runLoad(load, sliceSeconds)).latency(99)
        return compare(() => attacking(p99), p99, { pairs: 5, warmUps: 1 })
      },
    }),
  ),
  {
    name: `fairness: memory of the service while ${attackName}`,
    unit: 'MB',
    target: { atMost: 400 },
    async measure(stage) {
      const { attacking } = await prepareAttack(stage, prepare)
      return { subject: await attacking(() => highestMegabytes(stage.service, 10)) }
    },
  } satisfies Row,
])

/** A tenant with its attack, and eight others. */
async function prepareAttack({ service, toUndo }: Stage, prepare: Prepare) {
  const [attacker, ...scenes] = await addScenes(service.database, {
    projects: 9,
    groups: 5,
    cardsPerGroup: 20,
  })
  const calls = await prepare(service, attacker as Scene)
  const ask: Ask<Order, Statuses> = startProcess('attacker', toUndo)
  const attacking = async <Result>(measure: () => Promise<Result>): Promise<Result> => {
    await ask({ start: { token: (attacker as Scene).token, calls, clients: 12 } })
    // All twelve have begun.
    await sleep(600)
    const measured = await measure()
    const statuses = await ask({ stop: true })
    if (statuses.some((counted) => !counted[200]))
      throw new Error(`A call of the attack was never served: ${JSON.stringify(statuses)}`)
    return measured
  }
  return { attacking, scenes }
}

async function highestMegabytes(service: Service, seconds: number): Promise<number> {
  let highest = 0
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(200))
    highest = Math.max(highest, await residentMegabytes(service))
  return highest
}

/** About the 30 MB that a board may hold. */
const largestBoardCards = 480

/** Enough long comments that a page of them reaches its maximum size. */
async function addComments({ database }: Service, cardId: number) {
  const db: Database = connect(database, { connections: 1 })
  try {
    await db.sql`
      insert into comments (project_id, card_id, user_id, comment)
      select project_id, id, (select min(id) from users), repeat('Words that were said. ', 2700)
      from cards, generate_series(1, 100) where id = ${cardId}`
  } finally {
    await db.end()
  }
}

/** Adds cards with descriptions of 60,000 characters to the first group, and returns the ids. */
async function addLargeCards({ database }: Service, { projectId, boardId, groupIds }: Scene, count: number) {
  const db: Database = connect(database, { connections: 1 })
  try {
    await db.sql`set statement_timeout = 0`
    const made = await db.sql<{ id: number }[]>`
      insert into cards (project_id, board_id, group_id, title, description, sort_order)
      select ${projectId}::bigint, ${boardId}::bigint, ${groupIds[0] as number}::bigint, 'Large ' || number,
        left(repeat('alpha beta gamma delta epsilon word' || number || ' zeta' || number % 7 || ' ', 1500), 60000), number
      from generate_series(1, ${count}::int) number returning id`
    await db.sql`delete from board_sizes where project_id = ${projectId}`
    await db.sql`insert into board_sizes select * from counted_sizes(array[${projectId}::bigint])`
    await db.sql`analyze cards`
    return made.map(({ id }) => id)
  } finally {
    await db.end()
  }
}
