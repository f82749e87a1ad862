import { LRUCache } from 'lru-cache'
import { Prepared } from '#contract/operation.ts'
import type { Queries } from '#database/connect.ts'
import { wholeBoardStatement } from './board.ts'

/** A board's JSON, and what tells whether it is still true. */
export interface KeptBoard {
  prepared: Prepared
  /** PostgreSQL's name for the state that was read: what is not visible in it is news. */
  snapshot: string
  /** When a card of it becomes overdue. */
  nextDue: string | null
}

const keptBytes = 64 * 1024 * 1024

/** The JSON of boards that were read, by their ids, which are unique everywhere; nothing in it is trusted before `isNews` has been asked. */
export const keptBoards = new LRUCache<number, KeptBoard>({
  maxSize: keptBytes,
  // Text, and the bodies of both versions.
  sizeCalculation: ({ prepared }) => 4 * (prepared.json['board'] as string).length,
})

/**
 * Whether anything has happened to the board since it was kept. Exact on every instance and without any lock: each change
 * writes its event in its own transaction, and an event is news unless that transaction was visible when the board was read.
 */
export const isNews = (board: string, snapshot: string, nextDue: string) => `
  (${snapshot}::pg_snapshot is null or now() >= ${nextDue} or exists (
    select from events e where e.project_id = ${board}.project_id and e.board_id in (${board}.id, 0)
      and e.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
      and not pg_visible_in_snapshot(e.xid, ${snapshot}::pg_snapshot)))`

interface Reading {
  running: Promise<KeptBoard | undefined>
  /** Starts when the running one has ended; whoever comes meanwhile waits for it, since the running one may be too old. */
  next?: Promise<KeptBoard | undefined>
}

/** By project too: whoever asks in another project must not share what is read for those who belong to the board's. */
const readings = new Map<string, Reading>()

/** Reads the board anew; calls at the same time share readings that began after they came. */
export function readAnew(
  queries: Queries,
  projectId: number,
  boardId: number,
): Promise<KeptBoard | undefined> {
  const reading = readings.get(`${projectId} ${boardId}`)
  if (!reading) return start(queries, projectId, boardId)
  const startNext = () => start(queries, projectId, boardId)
  reading.next ??= reading.running.then(startNext, startNext)
  return reading.next
}

function start(queries: Queries, projectId: number, boardId: number) {
  const reading: Reading = { running: read(queries, projectId, boardId) }
  const key = `${projectId} ${boardId}`
  readings.set(key, reading)
  const ended = () => {
    if (readings.get(key) === reading) readings.delete(key)
  }
  reading.running.then(ended, ended)
  return reading.running
}

async function read(queries: Queries, projectId: number, boardId: number): Promise<KeptBoard | undefined> {
  const [row] = await queries.run<{ json: string; snapshot: string; next_due: string | null }>(
    wholeBoardStatement,
    [projectId, boardId],
  )
  if (!row) return undefined
  const kept = { prepared: new Prepared({ board: row.json }), snapshot: row.snapshot, nextDue: row.next_due }
  keptBoards.set(boardId, kept)
  return kept
}
