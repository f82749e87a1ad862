import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOutput, usualLimit } from '#api/page.ts'
import { cardTypes } from '#boards/card/card.ts'
import { foundCard, listCards, searchCards } from '#boards/card/searching.ts'
import type { Fail } from '#contract/failure.ts'
import { flag, list, oneOf, optional, record, text } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/search',
  summary:
    'Search the cards of the project by words in titles and descriptions, most relevant first, in pages; all cards, or those assigned to the caller',
  audience: 'read',
  on: 'project',
  input: {
    query: optional(text({ max: 255 })),
    is_mine: optional(flag()),
    is_open: optional(flag()),
    card_type: optional(oneOf(cardTypes)),
    ...pageInput,
  },
  fromReplica: true,
  success: 200,
  message: 'The cards.',
  output: record({ cards: list(foundCard), ...pageOutput }),
  failures: {
    422: { ...badCursor, query: { too_slow: 'This search takes too long. Try more or longer words.' } },
  },
  check: ({ input, fail }) => void readRankedPage(input, fail),
  async handle({ input: { query, ...input }, caller, projectId, db, heavy, fail }) {
    const { after, limit } = readRankedPage(input, fail)
    const wanted = {
      projectId,
      ownerId: input.is_mine ? caller.id : null,
      isOpen: input.is_open ?? null,
      cardType: input.card_type ?? null,
      after,
      limit: limit + 1,
    }
    const found = query ? await heavy(() => searchCards(db, query, wanted)) : await listCards(db, wanted)
    if (!found) throw fail(422, { query: 'too_slow' })
    const cards = found.slice(0, limit)
    const last = cards.at(-1)
    return { cards, next_cursor: last && found.length > limit ? `${last.rank}.${last.id}` : null }
  },
})

/** The cursor holds the sort key of the last card of a page, and its id. */
function readRankedPage(
  { cursor, limit }: { cursor?: string | null; limit?: number | null },
  fail: Fail<{ 422: typeof badCursor }>,
) {
  const [, rank, id] = /^(-?\d{1,16})\.(\d{1,16})$/.exec(cursor ?? '') ?? []
  if (cursor && rank === undefined) throw fail(422, { cursor: 'not_valid' })
  return {
    after: rank === undefined ? null : { rank: Number(rank), id: Number(id) },
    limit: limit ?? usualLimit,
  }
}
