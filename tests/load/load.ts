// A mixed load on several projects whose clients know what must be in the database after any outage. The tests and `npm run bench` share it.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#database/connect.ts'
import { assertEventsTrue } from '../events.ts'
import { randomNumbers } from '../random.ts'
import { type BoardClient, readBoards, startBoardClient, viewOf } from './board-client.ts'
import type { Caller, Tally, Where } from './caller.ts'
import { startFollower } from './follower.ts'
import { assertPossible, assertRolledOut, startRolloutClient } from './rollout-client.ts'

/** Two clients of each, every one with a board of its own. */
const accounts = ['owner@acme.test', 'admin@acme.test', 'owner@blue.test', 'owner@cedar.test']

export interface Load {
  tally: Tally
  /** Requests that had been done although their client got no answer. */
  doneUnheard: number
  /** Rollouts that were under way when their client got no answer. */
  cutRollouts: number
  /** Lets all clients work, until `pause`. `keepsTrying` repeats a request that failed at once, else it stays without an answer. */
  run(keepsTrying?: 'keeps trying'): void
  /** Returns when every client has its answer, or knows that it gets none. */
  pause(): Promise<void>
  /** Writes until a write is acknowledged. */
  probe(): Promise<void>
  /** Repeats what is without an answer. */
  repeat(): Promise<void>
  /** Asserts that each board and template is as its client knows it, or as the request without an answer would have made it. */
  assertNothingLost(db: Database): Promise<void>
  /** After `repeat`: asserts the same, that nothing was done twice, and that boards and streams agree with the database. */
  assertExact(db: Database): Promise<void>
  stop(db: Database): Promise<void>
}

export async function startLoad(where: Where, db: Database): Promise<Load> {
  const tally: Tally = { acknowledged: 0, repeated: 0, slowestMilliseconds: 0 }
  const boards: BoardClient[] = []
  for (const [index, email] of [...accounts, ...accounts].entries()) {
    const name = `client ${index + 1}`
    boards.push(await startBoardClient({ name, email, where, tally, random: randomNumbers(name) }))
  }
  const rollouts = await startRolloutClient({ name: 'rollouts', where, tally }, db)
  const prober = await startBoardClient({
    ...{ name: 'client 0', email: 'owner@blue.test', where, tally },
    random: randomNumbers('prober'),
  })
  const all = [...boards, rollouts]
  const followers = await startFollowers(db, where, boards, rollouts.token, rollouts.projectIds[0] as number)
  let isPaused = true
  let running: Promise<unknown> = Promise.resolve()

  async function keepWorking(client: Caller<unknown> & { work(): Promise<boolean> }, keepsTrying: boolean) {
    while (!isPaused) {
      if (await client.work()) continue
      if (!keepsTrying) return
      await client.repeat(() => isPaused)
    }
  }

  const load: Load = {
    tally,
    doneUnheard: 0,
    cutRollouts: 0,
    run(keepsTrying) {
      isPaused = false
      running = Promise.all(all.map((client) => keepWorking(client, keepsTrying !== undefined)))
      // `pause` reports it.
      running.catch(() => {})
    },
    async pause() {
      isPaused = true
      await running
    },
    async probe() {
      if (!(await prober.work())) await prober.repeat()
    },
    async repeat() {
      await Promise.all(all.map((client) => client.repeat()))
      // A template can be compared with its copies only after a rollout.
      if (rollouts.known().isBehind && !(await rollouts.work())) await rollouts.repeat()
    },
    async assertNothingLost(db) {
      const found = await readBoards(db, boards)
      for (const client of boards) {
        const [view, possible] = [found.get(client.name), client.possible()]
        const isDone = possible !== undefined && isDeepStrictEqual(view, viewOf(possible))
        if (isDone) load.doneUnheard++
        assert.deepEqual(view, isDone ? view : viewOf(client.known()), `the board of ${client.name}`)
      }
      const isCut = await assertPossible(db, rollouts)
      if (isCut) load.cutRollouts++
      await assertKeys(db, [...all, prober])
    },
    async assertExact(db) {
      const found = await readBoards(db, [...boards, prober])
      const assertBoard = async (client: BoardClient) => {
        const view = viewOf(client.known())
        assert.deepEqual(found.get(client.name), view, `the board of ${client.name}`)
        const titles = view.groups.map((cards) => cards.map(({ title }) => title))
        assert.deepEqual(await client.shownTitles(), titles, `the board that ${client.name} sees`)
      }
      await Promise.all([...boards, prober].map(assertBoard))
      await assertRolledOut(db, rollouts)
      await assertKeys(db, [...all, prober])
      for (const follower of followers) await follower.assertComplete(db)
    },
    async stop(db) {
      isPaused = true
      await running.catch(() => {})
      await Promise.all(followers.map((follower) => follower.stop()))
      await assertEventsTrue(db)
    },
  }
  return load
}

async function startFollowers(
  { sql }: Database,
  where: Where,
  boards: BoardClient[],
  superadmin: () => string,
  fleetProject: number,
) {
  const tokens = new Map<number, () => string>([[fleetProject, superadmin]])
  for (const client of boards) {
    const [board] = await sql<{ project_id: number }[]>`
      select project_id from boards where id = ${client.known().boardId}`
    tokens.set(board?.project_id as number, client.token)
  }
  return [...tokens].map(([projectId, token]) => startFollower(where, token, projectId))
}

/** Each acknowledged request has left its answer under its key, and nothing else has. */
async function assertKeys({ sql }: Database, callers: Caller<unknown>[]) {
  const rows = await sql<{ key: string }[]>`
    select key from idempotency_keys where key ~ '^(client|rollouts) ' order by key`
  const found = new Set(rows.map(({ key }) => key))
  for (const caller of callers) {
    const { acknowledged, pending } = caller.keys()
    for (const key of acknowledged) assert.ok(found.delete(key), `the answer to ${key} is kept`)
    if (pending !== undefined) found.delete(pending)
  }
  assert.deepEqual([...found], [], 'keys of no request')
}
