import { setTimeout as delay } from 'node:timers/promises'
import { Streamed } from '#contract/prepared.ts'
import type { Database } from '#database/connect.ts'
import { collectNew } from '#garbage.ts'
import { boardStatement, cardsStatement, groupsStatement } from './board/whole.ts'

interface LargeBoard {
  data: Streamed
  epoch: string
  version: number
  nextDue: string | null
}

/** Small, because a batch is read in one turn of the event loop, and a card may have 65,000 characters. */
const cardsAtOnce = 20

/** What was read before is collected after this many bytes; the engine itself would let 64 MB of it pile up. */
const bytesPerCollection = 4 * 1024 * 1024

/** Reads a board that is too large for one string, row by row in one snapshot, and keeps it as bytes in parts. */
export function readLargeBoard(
  db: Database,
  projectId: number,
  boardId: number,
): Promise<LargeBoard | undefined> {
  return db.transaction(async ({ sql }) => {
    await sql`set transaction isolation level repeatable read, read only`
    const [found] = await sql.unsafe<
      { json: string; tags: string; epoch: string; version: number; next_due: string | null }[]
    >(boardStatement, [projectId, boardId])
    if (!found) return undefined
    const groups = await sql.unsafe<{ id: number; json: string }[]>(groupsStatement, [projectId, boardId])
    const { add, finish } = partsOfText()
    let uncollected = 0
    add(`${opened(found.json)},"groups":[`)
    for (const [index, group] of groups.entries()) {
      add(`${index > 0 ? ',' : ''}${opened(group.json)},"cards":[`)
      let separator = ''
      // The bytes of the database are used directly, because decoding and encoding them took longer than reading.
      const cards = sql.unsafe(cardsStatement, [projectId, group.id]).raw()
      let startedAt = performance.now()
      for await (const rows of cards.cursor(cardsAtOnce)) {
        for (const row of rows) {
          add(separator)
          const card = row[0] as Buffer
          add(card)
          uncollected += card.length
          separator = ','
        }
        if (uncollected > bytesPerCollection) {
          collectNew()
          uncollected = 0
        }
        // Half of the time is left to others, such as sign-ins, which have a low priority.
        await delay(performance.now() - startedAt)
        startedAt = performance.now()
      }
      add(']}')
    }
    add(`],"tags":${found.tags}}`)
    const { epoch, version, next_due: nextDue } = found
    return { data: new Streamed('board', finish()), epoch, version, nextDue }
  })
}

/** The JSON of an object to which keys are added. */
const opened = (json: string) => json.slice(0, -1)

/** Small enough that other responses do not wait noticeably while a part is sent. */
export const partBytes = 32 * 1024

/** What is freed at once while a board is sent. */
const blockBytes = 1024 * 1024

/** Collects pieces into parts; a piece is never split. */
function partsOfText() {
  const parts: Buffer[] = []
  let block = Buffer.alloc(0)
  let start = 0
  let end = 0
  const flush = () => {
    if (end > start) parts.push(block.subarray(start, end))
    start = end
  }
  return {
    add(piece: Buffer | string) {
      const bytes = Buffer.byteLength(piece)
      if (end + bytes > block.length) {
        flush()
        block = Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes))
        start = end = 0
      }
      end += typeof piece === 'string' ? block.write(piece, end) : piece.copy(block, end)
      if (end - start >= partBytes) flush()
    },
    finish() {
      flush()
      return parts
    },
  }
}
