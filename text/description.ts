// Decides what a description is, and how it is stored.
import { cleanHtml, longestHtmlBytes } from './clean-html.ts'
import { runs, TooMuchMarkup } from './markup.ts'
import { holdsTag, mayRun } from './tag-patterns.ts'
import { asHtml } from './write-html.ts'

export type Reading = { format: 'text' | 'html'; text: string } | { problem: string }

/**
 * Plain text is kept as it is, of HTML what is allowed; `text` is empty where nothing is left. It is stable: what comes out is read
 * as itself, so that the format of a stored text can be told from the text alone.
 */
export function readDescription(given: string): Reading {
  try {
    return readMarkedUp(given)
  } catch (error) {
    if (error instanceof TooMuchMarkup) return { problem: 'has too much markup' }
    throw error
  }
}

/** A text without these is plain: no tag begins in another way. */
export const mayHoldTag = (text: string) => /<[a-z/]/i.test(text)

function readMarkedUp(given: string): Reading {
  if (!mayHoldTag(given)) return { format: 'text', text: given }
  const hasTag = holdsTag(given)
  if (!hasTag && !mayRun(given)) return { format: 'text', text: given }
  if (!hasTag && !runs(given)) return { format: 'text', text: given }
  if (Buffer.byteLength(given) > longestHtmlBytes) return tooLong
  const cleaned = cleanHtml(given)
  if ('plain' in cleaned && !holdsTag(cleaned.plain) && !runs(cleaned.plain))
    return { format: 'text', text: cleaned.plain }
  const html = 'html' in cleaned ? cleaned.html : asHtml(cleaned.plain)
  return Buffer.byteLength(html) > longestHtmlBytes ? tooLong : { format: 'html', text: html }
}

const tooLong = { problem: 'must not be greater than 64 kilobytes' }
