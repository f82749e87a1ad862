import { sha256 } from '#identity/tokens.ts'
import type { BoardRows } from '../ceilings/board-rows.ts'
import type { KeyRead } from '../ceilings/key-read.ts'
import type { Writes } from '../ceilings/writes.ts'
import { compare, onceCompiled } from '../compare.ts'
import { type Load, post, runLoad } from '../load.ts'
import { startProcess } from '../process.ts'
import type { Row } from '../row.ts'
import { addMember, addScenes, type Scene, settle } from '../scene.ts'
import { type Service, startService } from '../service.ts'
import { fetchAnswer } from '../session.ts'
import { median } from '../statistics.ts'

const operations = '/services/operations/v1/operations'
const usualBoard = { projects: 10, groups: 5, cardsPerGroup: 20 }
const sliceSeconds = 1

const perSecond = (load: Load) => async () => (await runLoad(load, sliceSeconds)).perSecond

/** Requests in turn, each with the token of its scene. */
function load(service: Service, clients: number, requests: Buffer[]): Load {
  let next = 0
  return { url: service.apiUrl, clients, request: () => requests[next++ % requests.length] as Buffer }
}

const bytes = (service: Service, path: string, { token }: Scene, body: object) =>
  post(service.apiUrl + path, body, { authorization: `Bearer ${token}` })

const getBoard = (service: Service, scene: Scene, version = 'v1') =>
  bytes(service, `${operations.replace('/v1/', `/${version}/`)}/boards/get`, scene, { id: scene.boardId })

const boardReads = (version: 'v1' | 'v2', clients: number): Row => ({
  name: `operations: boards/get ${version}, 100 cards, ${clients} in flight`,
  unit: 'requests/s',
  ceiling: 'node:http, one key read, the same bytes',
  target: { atLeast: 0.6 },
  async measure({ service, toUndo }) {
    const scenes = await addScenes(service.database, usualBoard)
    const scene = scenes[0] as Scene
    const path = `${operations.replace('/v1/', `/${version}/`)}/boards/get`
    const url = await startProcess<KeyRead, string>(
      'ceilings/key-read',
      toUndo,
    )({
      database: service.database,
      statement: 'select user_id from sessions where token_hash = $1',
      key: sha256(scene.token).toString('hex'),
      ...(await fetchAnswer(service.apiUrl + path, scene.token, { id: scene.boardId })),
    })
    const request = getBoard(service, scene, version)
    return compare(
      perSecond(
        load(
          service,
          clients,
          scenes.map((one) => getBoard(service, one, version)),
        ),
      ),
      perSecond({ url, clients, request: () => request }),
      onceCompiled,
    )
  },
})

const writes = (what: 'card' | 'comment'): Row => ({
  name: `operations: ${what}s/create, 64 in flight`,
  unit: 'writes/s',
  ceiling: 'node:http, the same INSERTs in one transaction',
  target: { atLeast: 0.6 },
  async measure({ service, toUndo }) {
    const scenes = await addScenes(service.database, { ...usualBoard, projects: 20 })
    const url = await startProcess<Writes, string>(
      'ceilings/writes',
      toUndo,
    )({ database: service.database, what, scenes })
    const create = {
      card: (scene: Scene, index: number) => ({ title: 'Bench', group_id: scene.groupIds[index % 5] }),
      comment: (scene: Scene, index: number) => ({ card_id: scene.cardIds[index % 100], comment: 'Bench' }),
    }[what]
    const requests = Array.from({ length: 100 }, (_, index) =>
      scenes.map((scene) => bytes(service, `${operations}/${what}s/create`, scene, create(scene, index))),
    ).flat()
    const bare = post(`${url}/`, {})
    return compare(
      perSecond(load(service, 64, requests)),
      perSecond({ url, clients: 64, request: () => bare }),
      onceCompiled,
    )
  },
})

/** Reads of a board, each right after a change of one of its cards by somebody else. */
const readsAfterChanges = (groups: number, cardsPerGroup: number): Row => ({
  name: `operations: boards/get after a change, ${(groups * cardsPerGroup).toLocaleString('en')} cards, p50`,
  unit: 'ms',
  ceiling: 'without a change',
  target: { atMost: 2 },
  async measure({ service }) {
    const [scene] = (await addScenes(service.database, { projects: 1, groups, cardsPerGroup })) as [Scene]
    const { cardIds, groupIds, projectId } = scene
    // Many, because large boards are sent to each person at a limited pace.
    const readers: string[] = []
    for (let reader = 0; reader < 40; reader++)
      readers.push(await addMember(service.database, projectId, `reader-${reader}`))
    const call = (name: string, token: string, body: object) =>
      fetchAnswer(`${service.apiUrl}${operations}/${name}`, token, body)
    let number = 0
    const change = () => {
      const id = cardIds[(number * 7) % cardIds.length]
      if (number % 2 === 0) return call('cards/update', scene.token, { id, title: `Changed ${number}` })
      const place = { group_id: groupIds[number % groups], position: 1 + (number % 10) }
      return call('cards/move', scene.token, { id, ...place })
    }
    const side = (isChanged: boolean) => async () => {
      const times: number[] = []
      for (let turn = 0; turn < 10; turn++) {
        number++
        if (isChanged) await change()
        const startedAt = performance.now()
        await call('boards/get', readers[number % readers.length] as string, { id: scene.boardId })
        times.push(performance.now() - startedAt)
      }
      return median(times)
    }
    return compare(side(true), side(false))
  },
})

export const operationsRows: Row[] = [
  boardReads('v1', 16),
  boardReads('v1', 64),
  boardReads('v2', 16),
  boardReads('v2', 64),
  {
    name: 'operations: boards/get, 3,000 cards, p50',
    unit: 'ms',
    ceiling: 'the same rows by SQL and JSON.stringify',
    target: { atMost: 0.5 },
    async measure({ service, toUndo }) {
      const [scene] = await addScenes(service.database, { projects: 1, groups: 6, cardsPerGroup: 500 })
      const readRows = startProcess<BoardRows, number>('ceilings/board-rows', toUndo)
      const one = load(service, 1, [getBoard(service, scene as Scene)])
      return compare(
        async () => (await runLoad(one, sliceSeconds)).latency(50),
        () => readRows({ database: service.database, scene: scene as Scene, times: 10 }),
      )
    },
  },
  {
    name: 'operations: boards/get while 10 % of the calls change the board',
    unit: 'requests/s',
    ceiling: 'boards/get without writes',
    target: { atLeast: 0.8 },
    async measure({ service }) {
      const [scene] = (await addScenes(service.database, { ...usualBoard, projects: 1 })) as [Scene]
      const read = getBoard(service, scene)
      const mixed = Array.from({ length: 1000 }, (_, index) =>
        index % 10 === 0
          ? bytes(service, `${operations}/cards/update`, scene, {
              id: scene.cardIds[index % 100],
              title: `Changed ${index}`,
            })
          : read,
      )
      return compare(perSecond(load(service, 64, mixed)), perSecond(load(service, 64, [read])))
    },
  },
  readsAfterChanges(5, 20),
  readsAfterChanges(5, 2000),
  writes('card'),
  writes('comment'),
  {
    name: 'operations: cards/create in lists of 10,000 cards, 64 in flight',
    unit: 'writes/s',
    ceiling: 'in lists of 100 cards',
    target: { atLeast: 0.9 },
    async measure({ toUndo }) {
      const service = await startService(toUndo, {
        CARDINAL_MOST_CARDS_PER_GROUP: '20000',
        CARDINAL_MOST_CARDS_PER_BOARD: '200000',
        CARDINAL_MOST_BYTES_PER_BOARD: '1000000000',
      })
      const creating = async (cardsPerGroup: number) => {
        const scenes = await addScenes(service.database, { projects: 10, groups: 3, cardsPerGroup })
        const requests = [0, 1, 2].flatMap((group) =>
          scenes.map((scene) =>
            bytes(service, `${operations}/cards/create`, scene, {
              title: 'Bench',
              group_id: scene.groupIds[group],
            }),
          ),
        )
        return perSecond(load(service, 64, requests))
      }
      const [long, short] = [await creating(10_000), await creating(100)]
      await settle(service.database)
      return compare(long, short)
    },
  },
  {
    name: 'operations: cards/move, one list of 1,000 cards, 32 in flight',
    unit: 'moves/s',
    ceiling: 'node:http, UPDATE and INSERT in one transaction, of one project',
    target: { atLeast: 0.5 },
    async measure({ service, toUndo }) {
      const [list] = (await addScenes(service.database, { projects: 1, groups: 1, cardsPerGroup: 1000 })) as [
        Scene,
      ]
      const url = await startProcess<Writes, string>(
        'ceilings/writes',
        toUndo,
      )({ database: service.database, what: 'move', scenes: [list] })
      const moves = Array.from({ length: 5000 }, () =>
        bytes(service, `${operations}/cards/move`, list, {
          id: list.cardIds[Math.floor(Math.random() * 1000)],
          position: 1 + Math.floor(Math.random() * 1000),
        }),
      )
      const bare = post(`${url}/`, {})
      return compare(
        perSecond(load(service, 32, moves)),
        perSecond({ url, clients: 32, request: () => bare }),
        onceCompiled,
      )
    },
  },
  {
    name: 'operations: boards/get in a database of 2 million cards',
    unit: 'requests/s',
    ceiling: 'the same with 10 projects',
    target: { atLeast: 0.9 },
    async measure({ toUndo }) {
      const sides: Load[] = []
      for (const projects of [10_000, 10]) {
        const service = await startService(toUndo)
        const scenes = await addScenes(service.database, { projects, groups: 5, cardsPerGroup: 40 })
        await settle(service.database)
        sides.push(
          load(
            service,
            64,
            scenes.slice(0, 10).map((scene) => getBoard(service, scene)),
          ),
        )
      }
      return compare(perSecond(sides[0] as Load), perSecond(sides[1] as Load), { pairs: 20, warmUps: 2 })
    },
  },
]
