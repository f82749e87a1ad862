// Decides whether a description is text or HTML, and how it is stored.
import { cleanHtml, longestHtmlBytes } from './clean-html.ts'
import { runs, TooMuchMarkup } from './markup.ts'
import { holdsTag, mayRun } from './tag-patterns.ts'
import { asHtml } from './write-html.ts'

export type Reading = { format: 'text' | 'html'; text: string } | { problem: 'too_much_markup' | 'too_long' }

/**
 * Keeps plain text as it is, and the allowed part of HTML; `text` is empty if nothing is left. Reading the result again gives
 * the same result, so the format of a stored text follows from the text alone.
 */
export function readDescription(given: string): Reading {
  try {
    return readMarkedUp(given)
  } catch (error) {
    if (error instanceof TooMuchMarkup) return { problem: 'too_much_markup' }
    throw error
  }
}

/** A text without a match is plain, because every tag begins like this. */
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

const tooLong = { problem: 'too_long' } as const
