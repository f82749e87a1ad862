import { Streamed } from '#contract/operation.ts'
import type { Database } from '#database/connect.ts'
import { boardStatement, cardsStatement, groupsStatement } from './board.ts'

interface LargeBoard {
  data: Streamed
  epoch: string
  version: number
  nextDue: string | null
}

/** Few, because a batch is read in one turn of the event loop, and a card may have 65,000 characters. */
const cardsAtOnce = 20

/** A board too large for one string: read row by row in one state of the database, and kept as bytes in parts. */
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
    add(`${opened(found.json)},"groups":[`)
    for (const [index, group] of groups.entries()) {
      add(`${index > 0 ? ',' : ''}${opened(group.json)},"cards":[`)
      let separator = ''
      const cards = sql.unsafe<{ json: string }[]>(cardsStatement, [projectId, group.id])
      for await (const rows of cards.cursor(cardsAtOnce))
        for (const { json } of rows) {
          add(separator + json)
          separator = ','
        }
      add(']}')
    }
    add(`],"tags":${found.tags}}`)
    const { epoch, version, next_due: nextDue } = found
    return { data: new Streamed('board', finish()), epoch, version, nextDue }
  })
}

/** The JSON of an object that is still to get keys. */
const opened = (json: string) => json.slice(0, -1)

const partLength = 128 * 1024

/** Gathers pieces of text to parts of some size, as bytes; a piece is never cut. */
function partsOfText() {
  const parts: Buffer[] = []
  let text = ''
  const flush = () => {
    parts.push(Buffer.from(text))
    text = ''
  }
  return {
    add(piece: string) {
      text += piece
      if (text.length >= partLength) flush()
    },
    finish() {
      flush()
      return parts
    },
  }
}
