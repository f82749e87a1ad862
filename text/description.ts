// Decides what a description is, and how it is stored.
import { cleanHtml, longestHtmlBytes } from './clean-html.ts'
import { holdsTag, mayRun, runs } from './markup.ts'
import { asHtml } from './write-html.ts'

type Reading = { format: 'text' | 'html'; text: string } | { problem: string }

/** Far more than a person writes: everyone else waits while a text is cleaned. */
const mostTags = 5000

/**
 * Plain text is kept as it is, of HTML what is allowed; `text` is empty where nothing is left. It is stable: what comes out is read
 * as itself, so that the format of a stored text can be told from the text alone.
 */
export function readDescription(given: string): Reading {
  const hasTag = holdsTag(given)
  if (!hasTag && !mayRun(given)) return { format: 'text', text: given }
  if (countTags(given) > mostTags) return { problem: 'has too much markup' }
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
