// Puts changed cards into the parts of a large board. Texts here have one character per byte, since all that is looked for is ASCII.
import { setImmediate as turn } from 'node:timers/promises'
import { Streamed } from '#contract/prepared.ts'
import { type BoardChanges, cardPiece, cardsAfter, numberAfter, sortedChanges } from './board-pieces.ts'
import { partBytes } from './large-board.ts'

/** Each card is searched for in the whole board, and its list of cards is written again. */
const mostCards = 10
const mostBytes = 8 * 1024 * 1024

/** Other work has its turn after this many parts. */
const partsAtOnce = 16

/** Undefined if more changed than a few cards. */
export async function withLargeChanges(
  before: Streamed,
  changes: BoardChanges,
): Promise<Streamed | undefined> {
  const { board, groups, tags, changed } = changes
  if (groups || tags || changed.length > mostCards || before.bytes > mostBytes) return undefined
  const needleOf = needles(board)
  const parts = [...before.parts]
  const head = textOf(parts[0] as Buffer)
  parts[0] = bufferOf(asBytes(board).slice(0, -1) + head.slice(head.indexOf(',"groups":[')))
  const inBytes = changed.map((card) => ({ ...card, json: card.json === null ? null : asBytes(card.json) }))
  const sorted = sortedChanges(inBytes)
  const lists = new Set(sorted.placed.keys())
  for (const { id, json, isPlaced } of inBytes) {
    const index = await indexOfPart(parts, needleOf.card(id))
    if (index === -1) continue
    const text = textOf(parts[index] as Buffer)
    const start = text.indexOf(needleOf.card(id))
    const end = endOfCard(text, start)
    if (json === null || isPlaced) lists.add(numberAfter('"group_id":', text.slice(start, end)))
    else {
      const position = numberAfter('"position":', text.slice(start, end))
      const { before, after } = cardPiece(json)
      parts[index] = bufferOf(`${text.slice(0, start)}${before}${position}${after}${text.slice(end)}`)
    }
  }
  for (const id of lists)
    await replaceList(parts, needleOf.group(id), (cards) => cardsAfter({ id, cards }, sorted))
  return new Streamed(before.key, parts, before)
}

/** How cards and groups of a board begin. */
function needles(board: string) {
  const [project] = /"project_id":\d+,"platform_id":\d+/.exec(board) ?? []
  if (project === undefined) throw new Error('The text of the board does not name its project.')
  return {
    card: (id: number) => `{"id":${id},${project},"master_card_id":`,
    group: (id: number) => `{"id":${id},${project},"master_group_id":`,
  }
}

const textOf = (part: Buffer) => part.toString('latin1')

const asBytes = (text: string) => Buffer.from(text).toString('latin1')

/** In memory of its own, which is freed once it was sent. */
function bufferOf(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(text.length)
  buffer.write(text, 'latin1')
  return buffer
}

/** -1 if it is in none of them. */
async function indexOfPart(parts: readonly Buffer[], needle: string): Promise<number> {
  for (const [index, part] of parts.entries()) {
    if (part.includes(needle, 0, 'latin1')) return index
    if (index % partsAtOnce === 0) await turn()
  }
  return -1
}

const endOfCard = (text: string, start: number) =>
  text.indexOf('}', text.indexOf(',"card_type":"', start)) + 1

type CardPiece = ReturnType<typeof cardPiece>

const cardsKey = ',"cards":['

/** Replaces the cards of a group that is on the board. */
async function replaceList(
  parts: Buffer[],
  group: string,
  change: (cards: CardPiece[]) => readonly CardPiece[],
) {
  const first = await indexOfPart(parts, group)
  let index = first
  let text = textOf(parts[index] as Buffer)
  let at = text.indexOf(cardsKey, text.indexOf(group)) + cardsKey.length
  const head = text.slice(0, at)
  const cards: CardPiece[] = []
  // Neither a card nor what is between two of them is in two parts.
  for (;;) {
    if (at === text.length) {
      text = textOf(parts[++index] as Buffer)
      at = 0
      if (index % partsAtOnce === 0) await turn()
    } else if (text[at] === ',') at++
    else if (text[at] === '{') {
      const end = endOfCard(text, at)
      cards.push(cardPiece(text.slice(at, end)))
      at = end
    } else break
  }
  const texts: string[] = []
  let present = head
  for (const [place, { before, after }] of change(cards).entries()) {
    present += `${place > 0 ? ',' : ''}${before}${place + 1}${after}`
    if (present.length < partBytes) continue
    texts.push(present)
    present = ''
  }
  texts.push(present + text.slice(at))
  parts.splice(first, index - first + 1, ...texts.filter((one) => one !== '').map(bufferOf))
}
