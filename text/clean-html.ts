// Reduces HTML to what a description may contain, without losing text.
import { allowed } from './allowed-html.ts'
import { tableParts } from './elements.ts'
import { type Piece, parseInPage, readMarkup, type Tag } from './markup.ts'
import { edgeOf, wordsOf } from './unwrapping.ts'
import { escaped, startTag, withoutControls, writeTree } from './write-html.ts'

/** Longer HTML is refused, as sent and as cleaned. */
export const longestHtmlBytes = 64 * 1024

/** HTML with allowed elements, or plain text if no element is left. */
type Cleaned = { html: string } | { plain: string }

export function cleanHtml(given: string): Cleaned {
  const pieces = readMarkup(given)
  const { html, text, hasElements } = settled(onlyAllowed(pieces))
  if (text.trim() === '') return { plain: '' }
  if (hasElements) return { html: html.trim() }
  // Browsers show a line break as a space, but in a text without tags it is meant as a line break.
  const isMarkup = pieces.some((piece) => typeof piece !== 'string')
  return { plain: isMarkup ? text.replace(/[\t\n\r ]+/g, ' ').trim() : text.trim() }
}

/** Parses until nothing changes, because a link around a table is repaired in two steps. */
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

/** A reference like `&#1;` can stand for a character that is not allowed. */
const storable = (text: string) => withoutControls(text.replace(/\r\n?/g, '\n'))

function markFor(tag: Tag, isKept: boolean): string {
  const edge = edgeOf(tag, isKept)
  return edge ? `<${edge}>` : ''
}

/** Keeps allowed tags only. `<wbr>` marks where a removed block began or ended, `<img>` where a control did. */
function onlyAllowed(pieces: readonly Piece[]): string {
  let openTables = 0
  let openQuotes = 0
  /** The marks of start tags by name, because an end tag has no style. */
  const open = new Map<string, string[]>()
  const markOf = (tag: Tag, isKept: boolean) => {
    const marks = open.get(tag.name) ?? []
    if (tag.isEnd) return marks.pop() ?? markFor(tag, isKept)
    const mark = markFor(tag, isKept)
    open.set(tag.name, marks)
    marks.push(mark)
    return mark
  }
  const quotationMark = (isEnd: boolean) => {
    if (!isEnd) return openQuotes++ === 0 ? '“' : '‘'
    if (openQuotes === 0) return ''
    return --openQuotes === 0 ? '”' : '’'
  }
  const write = (piece: Piece, index: number) => {
    if (typeof piece === 'string') return escaped(storable(piece))
    const { name, isEnd, attributes } = piece
    if (name === 'table') openTables = Math.max(0, openTables + (isEnd ? -1 : 1))
    const isKept = allowed.has(name) && (openTables > 0 || !tableParts.has(name))
    const mark = markOf(piece, isKept)
    if (isKept) return isEnd ? `</${name}>${mark}` : mark + startTag(name, attributes)
    if (name === 'q') return isEnd ? quotationMark(isEnd) + mark : mark + quotationMark(isEnd)
    const words = isEnd ? '' : escaped(storable(wordsOf(piece, typeof pieces[index + 1] !== 'string')))
    return words ? mark + words + mark : mark
  }
  return pieces.map(write).join('')
}
