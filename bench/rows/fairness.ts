// What other tenants notice while one sends as much as its rate limit allows.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '#database/connect.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { demoAccounts, demoPassword } from '../../demo/accounts.ts'
import type { Attack, Order, Statuses } from '../attacker.ts'
import { compare } from '../compare.ts'
import { type Load, post, runLoad } from '../load.ts'
import { type Ask, startProcess } from '../process.ts'
import type { Row, Stage } from '../row.ts'
import { addScenes, type Scene } from '../scene.ts'
import { type Service, startService } from '../service.ts'
import { residentMegabytes } from './memory.ts'

const operations = '/services/operations/v1/operations'
const sliceSeconds = 2

interface Prepared {
  attack: Attack
  /** The status that shows that the service did what the attack is about; 0 is a connection that it closed. */
  status: number
}

/** Prepares the data and returns what the attacker does. */
type Prepare = (service: Service, scene: Scene) => Promise<Prepared>

const callOf = ({ apiUrl }: Service, name: string, body: object) => ({
  url: `${apiUrl}${operations}/${name}`,
  body: JSON.stringify(body),
})

const searches = '12 searches over 1,450 large cards'
const largest = 'the largest boards and cards are read'
const unfinished = '128 anonymous bodies stay unfinished'

const attacks: Record<string, Prepare> = {
  [searches]: async (service, scene) => {
    await addCards(service, scene, 1450, largeText)
    const queries = ['alpha', 'alpha beta', 'gamma delta epsilon', 'al be', 'nowhere']
    const calls = queries.map((query) => callOf(service, 'cards/search', { query }))
    return { attack: { token: scene.token, calls }, status: 200 }
  },
  [largest]: async (service, scene) => {
    const [card] = await addCards(service, scene, largestBoardCards, largeText)
    await addComments(service, card as number)
    const board = callOf(service, 'boards/get', { id: scene.boardId })
    const calls = [
      board,
      callOf(service, 'cards/get', { id: card }),
      // A change in between, because the board would otherwise come from the cache.
      callOf(service, 'cards/update', { id: card, title: `Changed ${scene.boardId}` }),
      board,
      callOf(service, 'cards/update', { id: card, title: 'Changed again' }),
    ]
    return { attack: { token: scene.token, calls }, status: 200 }
  },
  'a project of 100,000 cards is counted': async (service, scene) => {
    await addCards(service, scene, 100_000, '')
    const bodies = {
      'boards/list': {},
      'tags/usage': {},
      'home/get': {},
      'comments/unread': { board_id: scene.boardId },
    }
    const calls = Object.entries(bodies).map(([name, body]) => callOf(service, name, body))
    return { attack: { token: scene.token, calls }, status: 200 }
  },
  'bodies of 60,000 JSON shapes are sent': async (service, { token }) => {
    // Other names in each body, because the engine remembers shapes that it has seen.
    const shapes = (letter: string) =>
      Array.from({ length: 60_000 }, (_, number) => ({ [letter + number.toString(36)]: 1 }))
    const calls = [...'abcdefgh'].map((letter) =>
      callOf(service, 'cards/create', { title: 'Shapes', shapes: shapes(letter) }),
    )
    return { attack: { token, calls }, status: 400 }
  },
  'descriptions of 9,000 attributes are sent': async (service, { token, cardIds }) => {
    const attributes = Array.from({ length: 9000 }, (_, number) => `a${number.toString(36)}=1`).join(' ')
    const description = `<b ${attributes}>x</b>`
    const calls = cardIds.slice(0, 10).map((id) => callOf(service, 'cards/update', { id, description }))
    return { attack: { token, calls }, status: 422 }
  },
  '64 sign-ins come from changing addresses': async ({ apiUrl }) => ({
    attack: { signIns: 64, url: `${apiUrl}/v1/authenticate` },
    status: 401,
  }),
  [unfinished]: async ({ apiUrl }) => ({
    attack: { openBodies: 128, url: `${apiUrl}${operations}/cards/create`, bytes: 750_000 },
    status: 0,
  }),
  '500 event streams are open': async (service, scene) => {
    const tokens = await addMembers(service, scene, 10)
    const changes = scene.cardIds
      .slice(0, 10)
      .map((id, number) => callOf(service, 'cards/update', { id, title: `Changed ${number}` }))
    const url = `${service.apiUrl}${operations}/events/stream`
    return { attack: { streams: 500, url, tokens, changes }, status: 200 }
  },
}

type Victim = (service: Service, scenes: Scene[]) => Promise<Load>

const victims: Record<string, Victim> = {
  'boards/get': async (service, scenes) =>
    callsOf(service, scenes, 'boards/get', ({ boardId }) => ({ id: boardId })),
  'cards/create': async (service, scenes) =>
    callsOf(service, scenes, 'cards/create', ({ groupIds: [group_id] }) => ({ title: 'New card', group_id })),
  'sign-in': async ({ apiUrl }) => {
    const accounts = demoAccounts.filter(({ totpSecret }) => totpSecret === undefined)
    const requests = await Promise.all(accounts.map(({ email }) => signInAgain(apiUrl, email)))
    return { url: apiUrl, clients: 8, request: (client) => requests[client % requests.length] as Buffer }
  },
}

/** Further victims of some attacks. */
const smallReads: Record<string, Victim> = {
  'tags/list': async (service, scenes) => callsOf(service, scenes, 'tags/list', () => ({})),
}
const largeBodies: Record<string, Victim> = {
  'cards/update with 80 kB': async (service, scenes) =>
    callsOf(service, scenes, 'cards/update', ({ cardIds: [id] }) => ({
      id,
      description: 'é'.repeat(40_000),
    })),
}

/** The sign-in of a device that has signed in before. */
async function signInAgain(apiUrl: string, email: string): Promise<Buffer> {
  const url = `${apiUrl}/v1/authenticate`
  const credentials = { email, password: demoPassword }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const cookie = response.headers.getSetCookie().map((header) => header.split(';')[0])
  return post(url, credentials, { cookie: cookie.join('; ') })
}

function callsOf(service: Service, scenes: Scene[], name: string, body: (scene: Scene) => object): Load {
  const requests = scenes.map((scene) =>
    post(`${service.apiUrl}${operations}/${name}`, body(scene), { authorization: `Bearer ${scene.token}` }),
  )
  return { url: service.apiUrl, clients: requests.length, request: (client) => requests[client] as Buffer }
}

const more: Record<string, Record<string, Victim>> = {
  [searches]: smallReads,
  [largest]: smallReads,
  [unfinished]: largeBodies,
}

export const fairnessRows: Row[] = [
  ...Object.entries(attacks).flatMap(([attackName, prepare]) =>
    Object.entries({ ...victims, ...more[attackName] }).map(
      ([victimName, victim]): Row => ({
        name: `fairness: p99 of ${victimName} for others while ${attackName}`,
        unit: 'ms',
        ceiling: 'the same without it',
        target: { atMost: 3 },
        async measure(stage) {
          const { attacking, scenes } = await prepareAttack(stage, prepare)
          const load = await victim(stage.service, scenes)
          const p99 = async () => (await runLoad(load, sliceSeconds)).latency(99)
          return compare(() => attacking(p99), p99, { pairs: 5, warmUps: 1 })
        },
      }),
    ),
  ),
  ...[searches, largest].map(
    (attackName): Row => ({
      name: `fairness: memory of the service while ${attackName}`,
      unit: 'MB',
      target: { atMost: 400 },
      async measure(stage) {
        const { attacking } = await prepareAttack(stage, attacks[attackName] as Prepare)
        return { subject: await attacking(() => highestMegabytes(stage.service, 10)) }
      },
    }),
  ),
  {
    name: 'fairness: memory of the service while all attacks run at once',
    unit: 'MB',
    target: { atMost: 400 },
    measure: async (stage) => ({ subject: (await memoryUnderAttack(stage)).highest }),
  },
  {
    name: 'fairness: memory of the service a minute after all attacks',
    unit: 'MB',
    ceiling: 'idle before them',
    target: { atMost: 1.3 },
    async measure(stage) {
      const { idle, service } = await memoryUnderAttack(stage)
      await sleep(60_000)
      const subject = await residentMegabytes(service)
      return { subject, ceiling: idle, ratio: subject / idle }
    },
  },
]

/** A tenant with its attack, and eight others. */
async function prepareAttack({ service, toUndo }: Stage, prepare: Prepare) {
  const [attacker, ...scenes] = await addScenes(service.database, {
    projects: 9,
    groups: 5,
    cardsPerGroup: 20,
  })
  const { attack, status } = await prepare(service, attacker as Scene)
  const ask: Ask<Order, Statuses> = startProcess('attacker', toUndo)
  const attacking = async <Result>(measure: () => Promise<Result>): Promise<Result> => {
    await ask({ start: attack })
    // All of its clients have begun.
    await sleep(600)
    const measured = await measure()
    const statuses = await ask({ stop: true })
    if (!statuses[status]) throw new Error(`The attack had no answer ${status}: ${JSON.stringify(statuses)}`)
    return measured
  }
  return { attacking, scenes }
}

/** All attacks at once on a service that has served nothing else. */
async function memoryUnderAttack({ toUndo }: Stage) {
  const service = await startService(toUndo)
  await sleep(5000)
  const idle = await residentMegabytes(service)
  const prepared: Awaited<ReturnType<typeof prepareAttack>>[] = []
  for (const prepare of Object.values(attacks))
    prepared.push(await prepareAttack({ service, toUndo }, prepare))
  const all = prepared.reduce<() => Promise<number>>(
    (measure, { attacking }) =>
      () =>
        attacking(measure),
    () => highestMegabytes(service, 15),
  )
  return { service, idle, highest: await all() }
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

/** Repeated 1,500 times, 60,000 characters and more. */
const largeText = 'alpha beta gamma delta epsilon word'

/** Adds cards to the first group, with descriptions of 60,000 characters that repeat the text if there is one, and returns the ids. */
async function addCards(
  { database }: Service,
  { projectId, boardId, groupIds }: Scene,
  count: number,
  text: string,
) {
  const db: Database = connect(database, { connections: 1 })
  try {
    await db.sql`set statement_timeout = 0`
    const made = await db.sql<{ id: number }[]>`
      insert into cards (project_id, board_id, group_id, title, description, sort_order)
      select ${projectId}::bigint, ${boardId}::bigint, ${groupIds[0] as number}::bigint, 'Added ' || number,
        case when ${text} = '' then '' else left(repeat(${text} || number || ' zeta' || number % 7 || ' ', 1500), 60000) end, number
      from generate_series(1, ${count}::int) number returning id`
    await db.sql`delete from board_sizes where project_id = ${projectId}`
    await db.sql`insert into board_sizes select * from counted_sizes(array[${projectId}::bigint])`
    await db.sql`analyze cards`
    return made.map(({ id }) => id)
  } finally {
    await db.end()
  }
}

/** Adds people to the project, and returns their tokens. */
async function addMembers({ database }: Service, { projectId }: Scene, count: number): Promise<string[]> {
  const db: Database = connect(database, { connections: 1 })
  try {
    return await Promise.all(Array.from({ length: count }, () => addMember(db, projectId)))
  } finally {
    await db.end()
  }
}

async function addMember({ sql }: Database, projectId: number): Promise<string> {
  const token = newToken()
  await sql`
    with added as (
      insert into users (email, name, password_hash, default_project_id)
      values (${`bench-${token.slice(-20)}@example.test`}, 'Bench', '', ${projectId}) returning id
    ), joined as (
      insert into memberships (project_id, user_id, role) select ${projectId}::bigint, id, 'member' from added
    )
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    select ${sha256(token)}::bytea, id, 'bearer', false, '127.0.0.1', 'bench', now() + interval '1 day' from added`
  return token
}
