// Keeps the JSON of boards in memory, per service, because another service may use another database.
import { LRUCache } from 'lru-cache'
import { Prepared, Streamed } from '#contract/prepared.ts'
import type { Database } from '#database/connect.ts'
import { epoch } from '#database/epoch.ts'
import type { Turn } from '#database/fair-queue.ts'
import { wholeBoardStatement } from './board/whole.ts'
import { type BoardChanges, type BoardPieces, jsonOf, piecesOf, withBoardChanges } from './board-pieces.ts'
import { type KeptState, readChanges } from './bringing-forward.ts'
import { readLargeBoard } from './large-board.ts'
import { withLargeChanges } from './large-board-changes.ts'
import { readTogether } from './reading-together.ts'

/** A board's JSON, and what decides whether it is up to date. */
interface KeptBoard {
  data: Prepared | Streamed
  /** The same as its JSON, once it has changed. */
  pieces?: BoardPieces
  /** The epoch of the version. */
  epoch: string
  /** The project's version when the board was read. */
  version: number
  /** When the next card becomes overdue. */
  nextDue: string | null
  /** When the read of it began, by the clock of this process. */
  readAt: number
}

type ReadBoard = Omit<KeptBoard, 'readAt'>

/** The project's turns at the database and at expensive reads. */
interface Turns {
  db: Database
  large: Turn
}

export interface KeptBoards {
  /** A kept board, which must be checked with `isCurrent` before use. */
  get(id: number): KeptBoard | undefined
  /** The size of a large board when it was last read; 0 of others. */
  largeBytes(id: number): number
  /** Reads the board; concurrent calls share a read that began after their requests arrived (`since`). */
  refresh(turns: Turns, projectId: number, id: number, since: number): Promise<KeptBoard | undefined>
  /** Drops all boards, because the epoch of the database changed. */
  forget(): void
  /** How many there are, and how much memory they take. */
  size(): { boards: number; bytes: number }
}

const megabyte = 1024 * 1024
/** Larger boards wait for a turn before they are read, since many at once would keep all cores busy. */
const largestAtOnce = megabyte / 2
/** Larger boards are read, kept and sent in parts, never as one string. */
const largestWhole = 4 * megabyte
/** A large board that nobody reads is worth less than its memory. */
const largeMilliseconds = 20_000

export function createKeptBoards(): KeptBoards {
  /** By id. Larger boards have their own caches, so that a few of them do not evict the boards of everybody else. */
  const small = new LRUCache<number, KeptBoard>({ maxSize: 24 * megabyte, sizeCalculation })
  const middle = new LRUCache<number, KeptBoard>({ maxSize: 32 * megabyte, sizeCalculation })
  const large = new LRUCache<number, KeptBoard>({
    maxSize: 48 * megabyte,
    sizeCalculation,
    ttl: largeMilliseconds,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (board) => endOfUse.get(board)?.(),
  })
  /** Longer than the boards themselves. */
  const sizes = new LRUCache<number, number>({ max: 1000 })
  const endOfUse = new WeakMap<KeptBoard, () => void>()
  const together = readTogether<KeptBoard | undefined>()

  const caches = [small, middle, large]
  const get = (id: number) => small.get(id) ?? middle.get(id) ?? large.get(id)
  const cacheOf = ({ data }: KeptBoard) => {
    if (data instanceof Streamed) return large
    return textOf(data).length > largestAtOnce ? middle : small
  }

  function keep(id: number, board: KeptBoard) {
    if (board.data instanceof Streamed) {
      endOfUse.set(board, board.data.use().end)
      sizes.set(id, board.data.bytes)
    } else sizes.delete(id)
    const own = cacheOf(board)
    own.set(id, board)
    for (const other of caches) if (other !== own) other.delete(id)
  }

  async function broughtForward(
    { db }: Turns,
    projectId: number,
    id: number,
  ): Promise<ReadBoard | undefined> {
    const kept = get(id)
    // It may be dropped while the changes are read.
    const use = kept?.data instanceof Streamed ? kept.data.use() : undefined
    try {
      const read = kept && (await readChanges(db, projectId, id, kept))
      return read && (await withChanges(kept, read))
    } finally {
      use?.end()
    }
  }

  return {
    get,
    largeBytes: (id) => sizes.get(id) ?? 0,
    // By project too, so that a read is shared only within the board's project.
    refresh: (turns, projectId, id, since) =>
      together(`${projectId} ${id}`, since, async () => {
        const readAt = performance.now()
        const forward = await broughtForward(turns, projectId, id)
        // It is outdated, and keeping both would take twice the memory.
        if (!forward) large.delete(id)
        const found = forward ?? (await read(turns, projectId, id))
        if (!found) return undefined
        const board = { ...found, readAt }
        keep(id, board)
        return board
      }),
    size: () => ({
      boards: caches.reduce((sum, cache) => sum + cache.size, 0),
      bytes: caches.reduce((sum, cache) => sum + (cache.calculatedSize ?? 0), 0),
    }),
    forget() {
      for (const cache of caches) cache.clear()
    },
  }
}

/** Undefined if the board has to be read again. */
async function withChanges(
  { data, pieces: known }: KeptBoard,
  { changes, ...state }: KeptState & { changes: BoardChanges },
): Promise<ReadBoard | undefined> {
  if (data instanceof Streamed) {
    const changed = await withLargeChanges(data, changes)
    return changed && { ...state, data: changed }
  }
  const pieces = withBoardChanges(known ?? piecesOf(textOf(data)), changes)
  const json = jsonOf(pieces)
  // Larger ones are kept in another way.
  return json.length > largestWhole ? undefined : { ...state, pieces, data: new Prepared({ board: json }) }
}

const textOf = ({ json }: Prepared) => json['board'] as string

function sizeCalculation({ data, pieces }: KeptBoard): number {
  // Text, its pieces, and the bodies of both versions, which are much smaller when compressed.
  if (data instanceof Prepared) return (pieces ? 5 : 4) * textOf(data).length
  return data.bytes
}

/**
 * True if the board changed since it was kept. This is exact on every instance: each change records its event in its own
 * transaction, and versions commit in order. In most projects nothing has happened, which is one row.
 */
const isNews = (board: string, kept: string) => `
  (${kept}.epoch is distinct from ${epoch} or now() >= ${kept}.next_due or exists (
    select from project_versions v
    where v.project_id = ${board}.project_id and v.version <> ${kept}.version and (v.version < ${kept}.version or v.forgotten_until > ${kept}.version
      or exists (${eventsAfter(kept, board)} and e.board_id = ${board}.id)
      or exists (${eventsAfter(kept, board)} and e.board_id is null))))`

function eventsAfter(kept: string, board: string) {
  return `select from events e where e.project_id = ${board}.project_id and e.id > ${kept}.version`
}

/** Judges what a caller's instance keeps (`asked`) of a board of the project `p`; null if there is no such board. */
export const judgedColumn = `
  (select json_build_object('is_news', ${isNews('b', 'asked')}, 'epoch', asked.epoch, 'version', asked.version)
  from boards b where b.project_id = p.id and b.id = asked.board_id and b.deleted_at is null) as judgment`

export interface Judged {
  judgment: { is_news: boolean | null; epoch: string; version: number } | null
}

/** True if the kept board was read after the request arrived, or is the one that was judged and has not changed. */
export const isCurrent = (kept: KeptBoard, { judgment }: Judged, arrivedAt: number): boolean =>
  judgment !== null &&
  (kept.readAt >= arrivedAt ||
    (!judgment.is_news && judgment.epoch === kept.epoch && judgment.version === kept.version))

async function read(
  { db, large }: Turns,
  projectId: number,
  boardId: number,
): Promise<ReadBoard | undefined> {
  const board = await readWhole(db, projectId, boardId, largestAtOnce)
  if (board !== 'larger') return board
  return large(async () => {
    const board = await readWhole(db, projectId, boardId, largestWhole)
    return board === 'larger' ? readLargeBoard(db, projectId, boardId) : board
  })
}

/** A larger board costs the statement no time. */
async function readWhole(
  db: Database,
  projectId: number,
  boardId: number,
  mostBytes: number,
): Promise<ReadBoard | 'larger' | undefined> {
  const [row] = await db.run<{
    json: string | null
    epoch: string
    version: number
    next_due: string | null
  }>(wholeBoardStatement, [projectId, boardId, mostBytes])
  if (!row) return undefined
  const { json, next_due: nextDue, ...state } = row
  return json === null ? 'larger' : { data: new Prepared({ board: json }), nextDue, ...state }
}
