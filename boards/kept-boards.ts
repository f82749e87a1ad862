// The JSON of boards, kept in memory. A service has its own, since another one may be on another database.
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Prepared, type Streamed } from '#contract/prepared.ts'
import type { Database } from '#database/connect.ts'
import { epoch } from '#database/epoch.ts'
import type { Turn } from '#database/fair-queue.ts'
import { wholeBoardStatement } from './board/whole.ts'
import { readLargeBoard } from './large-board.ts'
import { readTogether } from './reading-together.ts'

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
  large: Turn
}

export interface KeptBoards {
  /** A board that was read; nothing in it is trusted before `isNews` has been asked. */
  get(id: number): KeptBoard | undefined
  /** Reads the board anew; calls at the same time share readings that began after they came. */
  readAnew(turns: Turns, projectId: number, id: number): Promise<KeptBoard | undefined>
  /** What is kept is of another history of the database. */
  forget(): void
}

const megabyte = 1024 * 1024
/** What is larger is read, kept and sent in parts, never as one string. */
const largestWhole = 4 * megabyte

export function createKeptBoards(): KeptBoards {
  /** By their ids, which are unique everywhere. Large boards have a place of their own, so that one of them drives out no others. */
  const small = new LRUCache<number, KeptBoard>({ maxSize: 40 * megabyte, sizeCalculation })
  const large = new LRUCache<number, KeptBoard>({ maxSize: 48 * megabyte, sizeCalculation })
  const together = readTogether<KeptBoard | undefined>()

  function keep(id: number, board: KeptBoard) {
    const [own, other] = board.data instanceof Prepared ? [small, large] : [large, small]
    own.set(id, board)
    other.delete(id)
  }

  return {
    get: (id) => small.get(id) ?? large.get(id),
    // By project too, so that nobody shares what is read for those who belong to the board's.
    readAnew: (turns, projectId, id) =>
      together(`${projectId} ${id}`, async () => {
        // It is out of date, and both together would take twice the memory.
        large.delete(id)
        const board = await read(turns, projectId, id)
        if (board) keep(id, board)
        return board
      }),
    forget() {
      small.clear()
      large.clear()
    },
  }
}

function sizeCalculation({ data }: KeptBoard): number {
  // Text, and the bodies of both versions.
  if (data instanceof Prepared) return 4 * (data.json['board'] as string).length
  return data.parts.reduce((sum, { length }) => sum + length, 0)
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

async function read(
  { db, large }: Turns,
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
  if (json === null) return readUnhurried({ db, large }, projectId, boardId)
  return { data: new Prepared({ board: json }), nextDue, ...state }
}

/** A large board takes much of the process and of the database, so its turn lasts four times as long as its reading: others come between. */
function readUnhurried({ db, large }: Turns, projectId: number, boardId: number) {
  const result = Promise.withResolvers<KeptBoard | undefined>()
  const turn = large(async () => {
    const startedAt = performance.now()
    await readLargeBoard(db, projectId, boardId).then(result.resolve, result.reject)
    await delay(3 * (performance.now() - startedAt))
  })
  turn.catch(result.reject)
  return result.promise
}
