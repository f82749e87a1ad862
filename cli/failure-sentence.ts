// What cardinal.ts prints when a command has failed.
import { StartFailure } from '#start-failure.ts'
import { CommandProblem } from './command-problem.ts'

/** A sentence for problems that the operator can fix; all other errors keep their stack. */
export async function sentenceFor(given: unknown): Promise<string> {
  const error = firstOf(given)
  if (error instanceof StartFailure || error instanceof CommandProblem) return error.message
  const { quotaSentence, reachedQuota } = await import('#quotas/quotas.ts')
  const reached = reachedQuota(error)
  if (reached) {
    const { text, values } = quotaSentence(reached)
    return text.replace(':most', values.most('en'))
  }
  const { isUnreachable } = await import('#database/unreachable.ts')
  if (!isUnreachable(error)) throw error
  return 'The connection to the database was lost. Run the command again when the database is back.'
}

/** What failed first; closing what was open failed after it, often because of it. */
const firstOf = (error: unknown): unknown =>
  error instanceof SuppressedError ? firstOf(error.suppressed) : error

/** Shows characters that would change what a terminal shows, which an argument may contain. */
export const printable = (text: string): string =>
  text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
    /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
