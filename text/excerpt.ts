// Cuts the excerpt of a search result out of a text and marks the matching words. Parts are plain text, even of HTML.
import { textOfHtml } from './html-text.ts'

export interface Part {
  text: string
  is_match: boolean
}

const shownBefore = 40
const shownCharacters = 180

interface Cut {
  text: string
  isHtml: boolean
  /** False if it is cut from the middle of a longer text. */
  isBeginning: boolean
}

/** The text around its first match, without tags. */
export function excerpt(cut: Cut, words: readonly string[]): Part[] {
  const { isBeginning } = cut
  const text = (cut.isHtml ? withoutTags(cut) : cut.text).replace(/\s+/g, ' ').trim()
  if (text === '') return []
  const first = matchesIn(text, words)[0]?.start ?? 0
  const start = first <= shownBefore ? 0 : cutAt(text, first - shownBefore)
  const end = text.length - start <= shownCharacters ? text.length : cutAt(text, start + shownCharacters)
  const before = start > 0 || !isBeginning ? [{ text: '… ', is_match: false }] : []
  const after = end < text.length ? [{ text: ' …', is_match: false }] : []
  return [...before, ...markWords(text.slice(start, end).trim(), words), ...after]
}

/** Splits the text into parts; a match is a word that begins with one of these, or with `anywhere` any part of a word. */
export function markWords(text: string, words: readonly string[], where?: 'anywhere'): Part[] {
  const parts: Part[] = []
  let done = 0
  const add = (end: number, is_match: boolean) => {
    const last = parts.at(-1)
    if (last?.is_match === is_match) last.text += text.slice(done, end)
    else if (end > done) parts.push({ text: text.slice(done, end), is_match })
    done = end
  }
  for (const { start, end } of matchesIn(text, words, where)) {
    if (start > done) add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return parts
}

/** A text that was cut may begin or end in the middle of a tag. */
const withoutTags = ({ text, isBeginning }: Cut) =>
  textOfHtml((isBeginning ? text : text.replace(/^[^<>]*>/, '')).replace(/<\/?[a-z][^<>]*$/i, ''))

/** After the next space, if there is one nearby, and never inside a surrogate pair. */
function cutAt(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  if (space !== -1 && space - at <= 20) return space + 1
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at + 1 : at
}

/** Characters that are words by themselves, as in the search, and characters that are in no word. */
const isFoundAnywhere = /^[^\p{L}\p{N}]|^[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u

function matchesIn(text: string, words: readonly string[], where?: 'anywhere') {
  if (words.length === 0) return []
  const { folded, origin } = fold(text)
  const wanted = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => (where || isFoundAnywhere.test(word) ? '' : '(?<![\\p{L}\\p{N}])') + RegExp.escape(word))
  return Array.from(folded.matchAll(new RegExp(wanted.join('|'), 'gu')), ({ index, 0: { length } }) => ({
    start: origin(index),
    end: origin(index + length),
  }))
}

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }

/** Does the same as the database's search_fold, and knows the original position of each character. */
function fold(text: string): { folded: string; origin(index: number): number } {
  // A fast path for ASCII, which most text is.
  if (/^[\t\n\r -~]*$/.test(text)) return { folded: text.toLowerCase(), origin: (index) => index }
  const places: number[] = []
  let folded = ''
  let place = 0
  for (const character of text) {
    const plain = character
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]+/g, '')
      .toLowerCase()
    const folding = letters[plain] ?? plain
    for (let letter = 0; letter < folding.length; letter++) places.push(place)
    folded += folding
    place += character.length
  }
  places.push(place)
  return { folded, origin: (index) => places[index] as number }
}
