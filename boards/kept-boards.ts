import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Prepared, type Streamed } from '#contract/prepared.ts'
import type { Database } from '#database/connect.ts'
import { epoch } from '#database/epoch.ts'
import type { Turn } from '#database/fair-queue.ts'
import { wholeBoardStatement } from './board/board.ts'
import { readLargeBoard } from './large-board.ts'

/** A board's JSON, and what tells whether it is still true. */
interface KeptBoard {
  data: Prepared | Streamed
  /** The history that the version is of. */
  epoch: string
  /** That of the project when it was read: events after it are news. */
  version: number
  /** When a card of it becomes overdue. */
  nextDue: string | null
}

/** Turns of the project at the database, and at reads that may cost much. */
interface Turns {
  db: Database
  heavy: Turn
}

const megabyte = 1024 * 1024
/** What is larger is read, kept and sent in parts, never as one string. */
const largestWhole = 4 * megabyte

/** By their ids, which are unique everywhere. Large boards have a place of their own, so that one of them drives out no others. */
const small = new LRUCache<number, KeptBoard>({ maxSize: 40 * megabyte, sizeCalculation })
const large = new LRUCache<number, KeptBoard>({ maxSize: 48 * megabyte, sizeCalculation })

function sizeCalculation({ data }: KeptBoard): number {
  // Text, and the bodies of both versions.
  if (data instanceof Prepared) return 4 * (data.json['board'] as string).length
  return data.parts.reduce((sum, { length }) => sum + length, 0)
}

/** The JSON of a board that was read; nothing in it is trusted before `isNews` has been asked. */
export const keptBoard = (id: number): KeptBoard | undefined => small.get(id) ?? large.get(id)

/** What is kept is of another history of the database. */
export function forgetBoards() {
  small.clear()
  large.clear()
}

function keep(id: number, board: KeptBoard) {
  const [own, other] = board.data instanceof Prepared ? [small, large] : [large, small]
  own.set(id, board)
  other.delete(id)
}

/**
 * Whether anything has happened to the board since it was kept. Exact on every instance: each change records its event in its
 * own transaction, and versions are committed in their order. In most projects nothing has happened at all, which is one row.
 */
export const isNews = (board: string, kept: string) => `
  (${kept}.epoch is distinct from ${epoch} or now() >= ${kept}.next_due or exists (
    select from project_versions v
    where v.project_id = ${board}.project_id and v.version <> ${kept}.version and (v.version < ${kept}.version
      or exists (${eventsAfter(kept, board)} and e.board_id = ${board}.id)
      or exists (${eventsAfter(kept, board)} and e.board_id is null))))`

function eventsAfter(kept: string, board: string) {
  return `select from events e where e.project_id = ${board}.project_id and e.id > ${kept}.version`
}

type Reading = PromiseWithResolvers<KeptBoard | undefined>

/**
 * What is being read, with the reading that comes next: whoever comes meanwhile waits for that one, since the running one may
 * be too old for them. By project too, so that nobody shares what is read for those who belong to the board's.
 */
const readings = new Map<string, { next?: Reading }>()

/** Reads the board anew; calls at the same time share readings that began after they came. */
export function readAnew(turns: Turns, projectId: number, boardId: number): Promise<KeptBoard | undefined> {
  const key = `${projectId} ${boardId}`
  const running = readings.get(key)
  const mine = running?.next ?? Promise.withResolvers<KeptBoard | undefined>()
  if (running) running.next = mine
  else void readInTurn(key, mine, () => read(turns, projectId, boardId))
  return mine.promise
}

const longestPauseMilliseconds = 20

/** After each reading a pause twice as long, so that a board that changes all the time does not take all the time. */
async function readInTurn(key: string, first: Reading, readOnce: () => Promise<KeptBoard | undefined>) {
  const turns: { next?: Reading } = { next: first }
  readings.set(key, turns)
  for (let reading = turns.next; reading; reading = turns.next) {
    delete turns.next
    const startedAt = performance.now()
    await readOnce().then(reading.resolve, reading.reject)
    await delay(Math.min(longestPauseMilliseconds, 2 * (performance.now() - startedAt)))
  }
  readings.delete(key)
}

async function read(
  { db, heavy }: Turns,
  projectId: number,
  boardId: number,
): Promise<KeptBoard | undefined> {
  const [row] = await db.run<{
    json: string | null
    epoch: string
    version: number
    next_due: string | null
  }>(wholeBoardStatement, [projectId, boardId, largestWhole])
  if (!row) return undefined
  const { json, next_due: nextDue, ...state } = row
  const whole =
    json === null
      ? await readUnhurried({ db, heavy }, projectId, boardId)
      : { data: new Prepared({ board: json }), nextDue, ...state }
  if (whole) keep(boardId, whole)
  return whole
}

/** A large board takes much of the process and of the database, so its turn lasts four times as long as its reading: others come between. */
function readUnhurried({ db, heavy }: Turns, projectId: number, boardId: number) {
  const result = Promise.withResolvers<KeptBoard | undefined>()
  const turn = heavy(async () => {
    const startedAt = performance.now()
    await readLargeBoard(db, projectId, boardId).then(result.resolve, result.reject)
    await delay(3 * (performance.now() - startedAt))
  })
  turn.catch(result.reject)
  return result.promise
}
