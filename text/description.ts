// Decides what a description is, and how it is stored.
import { cleanHtml, longestHtmlBytes } from './clean-html.ts'
import { runs } from './markup.ts'
import { holdsTag, mayRun } from './tag-patterns.ts'
import { asHtml } from './write-html.ts'

type Reading = { format: 'text' | 'html'; text: string } | { problem: string }

/** Far more than a person writes: everyone else waits while a text is cleaned. */
const mostTags = 5000
/** The parser's time grows with the square of what is open at once: 4,900 open elements took it half a second. */
const mostOpen = 100

/**
 * Plain text is kept as it is, of HTML what is allowed; `text` is empty where nothing is left. It is stable: what comes out is read
 * as itself, so that the format of a stored text can be told from the text alone.
 */
export function readDescription(given: string): Reading {
  const hasTag = holdsTag(given)
  if (!hasTag && !mayRun(given)) return { format: 'text', text: given }
  if (countTags(given) > mostTags || countOpen(given) > mostOpen) return { problem: 'has too much markup' }
  if (!hasTag && !runs(given)) return { format: 'text', text: given }
  if (Buffer.byteLength(given) > longestHtmlBytes) return tooLong
  const cleaned = cleanHtml(given)
  if ('plain' in cleaned && !holdsTag(cleaned.plain) && !runs(cleaned.plain))
    return { format: 'text', text: cleaned.plain }
  const html = 'html' in cleaned ? cleaned.html : asHtml(cleaned.plain)
  return Buffer.byteLength(html) > longestHtmlBytes ? tooLong : { format: 'html', text: html }
}

const tooLong = { problem: 'must not be greater than 64 kilobytes' }

/** What may be the beginning of a tag, and is followed by the end of one. */
const countTags = (text: string) => text.slice(0, text.lastIndexOf('>')).match(/<[a-z/!?]/gi)?.length ?? 0

/** Elements that the next of their kind closes, or that hold nothing. */
const closesItself =
  /^(?:p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|br|hr|img|input|wbr|col|meta|link|base|area|source|track|embed|param)$/i

/** How many elements are open at the same time at most. */
function countOpen(text: string): number {
  let open = 0
  let most = 0
  for (const [, end, name = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (closesItself.test(name)) continue
    open = Math.max(0, open + (end ? -1 : 1))
    most = Math.max(most, open)
  }
  return most
}
