// Finds the tags that a sentence only names, as in "Put it before </body> and after <option>", and type parameters such as `List<A>`;
// they are text.
import { allowed } from './allowed-html.ts'
import { pageParts, tableParts } from './elements.ts'

/** Around which elements an element stands that HTML does not require to be closed. */
const parents = new Map<string, readonly string[]>([
  ...['dd', 'dt'].map((name) => [name, ['dl']] as const),
  ...['rb', 'rp', 'rt', 'rtc'].map((name) => [name, ['ruby']] as const),
  ...[...tableParts, 'col', 'colgroup'].map((name) => [name, ['table']] as const),
  ['optgroup', ['select']],
  ['option', ['select', 'datalist']],
  ['li', ['ul', 'ol', 'menu', 'dir']],
  ['p', []],
])

/** They have no end tag; browsers read a mistaken `</br>` as a line break. */
const withoutEnd = new Set(['br', 'hr', 'wbr'])

interface Neighbors {
  /** The text right before and after the tag, up to the next tag; undefined where the whole text begins or ends. */
  before: string | undefined
  after: string | undefined
}

interface Seen {
  /** Whether a start tag of this name comes before. */
  isOpened(name: string): boolean
  /** Whether an end tag of this name is anywhere. */
  isClosed(name: string): boolean
  hasWordsBefore: boolean
}

/** True for a tag without attributes that has no counterpart and no element around it, and is a word of a sentence. */
export function isNamed(
  { name, isEnd, attributes }: { name: string; isEnd: boolean; attributes: ReadonlyMap<string, string> },
  { isOpened, isClosed, hasWordsBefore }: Seen,
  neighbors: Neighbors,
): boolean {
  if (attributes.size > 0) return false
  if (isEnd) return !withoutEnd.has(name) && !isOpened(name) && standsInSentence(neighbors)
  if (isClosed(name)) return false
  // Browsers ignore these tags after the first words of a page.
  if (pageParts.has(name)) return hasWordsBefore
  const around = parents.get(name)
  if (around?.some(isOpened)) return false
  const isNameable = around !== undefined || (allowed.has(name) && !withoutEnd.has(name))
  if (!isNameable) return false
  const endsText = around === undefined && neighbors.after === undefined && neighbors.before?.trim()
  return standsInSentence(neighbors) || isTypeParameter(neighbors) || Boolean(endsText)
}

/** A paragraph or an item begins after a sentence, on a line of its own, or without spaces around its tag. */
const standsInSentence = ({ before = '', after }: Neighbors) =>
  /[^\s.!?:;…][^\S\n]+$|["'`(“‘„]$/.test(before) &&
  (after === undefined || /^(?:[^\S\n]+\S|["'`)”’“.,;:!?…])/.test(after))

/** `List<A> list`, but not `H<sub>2`. */
const isTypeParameter = ({ before = '', after }: Neighbors) =>
  /[\p{L}\p{N}_]$/u.test(before) && (after === undefined || /^(?:[^\S\n]+\S|[^\s\p{L}\p{N}_])/u.test(after))
