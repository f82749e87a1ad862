// A board to which the events of the stream are applied is the one that is read anew.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { LiveEvent } from '#live/live-event.ts'
import { createBoard } from '#tests/board.ts'
import { randomChanges } from '#tests/board-changes.ts'
import { effort } from '#tests/effort.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { randomNumbers } from '#tests/random.ts'
import { startTestService } from '#tests/service.ts'
import { cardOf, withCard } from '../arrangement.ts'
import type { Board } from '../types.ts'
import { boardAfter } from './board-events.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()

/** Comments and what other boards are about change nothing on a board. */
const isAbout = ({ kind, board_id }: LiveEvent, board: Board) =>
  /^(board|group|card|tag)s?\./.test(kind) && (board_id === null || board_id === board.id)

/** The app reads the texts that events only name. */
function withTexts(board: Board, fresh: Board, { card_id, data }: LiveEvent): Board {
  const read = card_id !== null && 'texts' in (data as object) ? cardOf(fresh, card_id) : undefined
  if (!read) return board
  const { description, description_format, short_description } = read
  return withCard(board, read.id, (card) => ({
    ...card,
    description,
    description_format,
    short_description,
  }))
}

/** An event is recorded a moment after the time of its change. */
const comparable = (board: Board) =>
  JSON.parse(JSON.stringify({ ...board, version: 0 }), (key, value) => (key === 'updated_at' ? '' : value))

test('events applied to a board give the board as it is, after any change of several people', async (t) => {
  const random = randomNumbers('board events')
  const scene = await createBoard(service, { cards: 6 })
  const change = await randomChanges(scene, random)
  const stream = await openStream(service, scene.members.viewer.token)
  t.after(() => stream.close())
  const read = async () => (await scene.member.call(`${operations}/boards/get`, { id: scene.boardId })).board
  let board = await read()
  const { version: first } = board
  let applied = 0
  let readAgain = 0
  for (let step = 0; step < 40 * effort; step++) {
    await Promise.all(Array.from({ length: 1 + random(4) }, change))
    const fresh = await read()
    const reached = () => stream.events().at(-1)?.id ?? first
    await until(() => reached() >= fresh.version, 'the last event')
    const history: string[] = []
    for (const event of stream.events()) {
      if (event.id <= board.version || event.id > fresh.version || !isAbout(event, board)) continue
      const next = boardAfter(board, event)
      history.push(`${event.kind} ${JSON.stringify(event.data)}${next ? '' : ' (read again)'}`)
      if (next) applied++
      else readAgain++
      board = next ? withTexts(next, fresh, event) : fresh
    }
    assert.deepEqual(comparable(board), comparable(fresh), `step ${step}: ${history.join('\n')}`)
  }
  t.diagnostic(`${applied} applied, ${readAgain} read again`)
  assert.ok(applied > 4 * readAgain, `${applied} applied, ${readAgain} read again`)
})
