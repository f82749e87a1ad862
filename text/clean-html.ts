// HTML reduced to what a description may hold, without losing a word.
import { allowed, leavesBreak, tableParts } from './elements.ts'
import { type Piece, parseInPage, readMarkup, type Tag } from './markup.ts'
import { escaped, startTag, withoutControls, writeTree } from './write-html.ts'

/** What is longer than this is refused, as sent and as cleaned. */
export const longestHtmlBytes = 64 * 1024

/** HTML of allowed elements; or, where no element is left, what it says as plain text. */
export type Cleaned = { html: string } | { plain: string }

export function cleanHtml(given: string): Cleaned {
  const pieces = readMarkup(given)
  const { html, text, hasElements } = settled(onlyAllowed(pieces))
  if (text.trim() === '') return { plain: '' }
  if (hasElements) return { html: html.trim() }
  // A browser shows a line break as a space; but where no tag was found, it was written to be one.
  const isMarkup = pieces.some((piece) => typeof piece !== 'string')
  return { plain: isMarkup ? text.replace(/[\t\n\r ]+/g, ' ').trim() : text.trim() }
}

/** Parsed until it changes no more: a link around a table is repaired in two steps. */
function settled(html: string) {
  let output = writeTree(parseInPage(html))
  for (let pass = 0; pass < 4; pass++) {
    if (output.html.length > longestHtmlBytes) return output
    const next = writeTree(parseInPage(output.html))
    if (next.html === output.html) return output
    output = next
  }
  return { html: '', text: output.text, hasElements: false }
}

/** A reference like `&#1;` can bring a character that nobody may send. */
const storable = (text: string) => withoutControls(text.replace(/\r\n?/g, '\n'))

/** The same with allowed tags only. `<wbr>`, which is not allowed, marks where a block that is gone began or ended. */
function onlyAllowed(pieces: readonly Piece[]): string {
  let openTables = 0
  const write = (piece: Piece) => {
    if (typeof piece === 'string') return escaped(storable(piece))
    const { name, isEnd, attributes } = piece
    if (name === 'table') openTables = Math.max(0, openTables + (isEnd ? -1 : 1))
    if (allowed.has(name) && (openTables > 0 || !tableParts.has(name)))
      return isEnd ? `</${name}>` : startTag(name, attributes)
    return leavesBreak(name) ? '<wbr>' : replacementOf(piece)
  }
  return pieces.map(write).join('')
}

/** Mail programs send emoji as images. */
const replacementOf = ({ name, attributes }: Tag) =>
  name === 'img' ? escaped(storable(attributes.get('alt') ?? '')) : ''
