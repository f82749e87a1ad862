import type { Payload } from '#events/catalogue.ts'
import type { Change, OnlyKept } from './apply.ts'

/** More are only counted, so that those who follow events get small ones; the history of a card has the others too. */
const mostCards = 20

/** What the event of a rollout says about a board. */
export function summaryOf({ added, returned, removed, updated, groups, board_fields }: Change) {
  const cards = [
    ...[cardsThat('added', added), cardsThat('returned', returned), cardsThat('removed', removed)].flat(),
    ...alike(updated.slice(mostCards)),
  ]
  return {
    added_count: added.length + returned.length,
    ...(removed.length > 0 && { removed_count: removed.length }),
    updated_count: updated.length,
    updated: updated.slice(0, mostCards),
    ...(cards.length > 0 && { cards }),
    ...(groups.length > 0 && { changed_groups: groups }),
    ...(board_fields.length > 0 && { board_fields }),
  }
}

type ChangedCards = NonNullable<Payload<'template.rolled_out'>['cards']>[number]

const cardsThat = (change: ChangedCards['change'], ids: number[]): ChangedCards[] =>
  ids.length > 0 ? [{ change, ids }] : []

/** Cards in which the same changed are said together, because a rollout often changes the same in many. */
function alike(updated: Change['updated']) {
  const groups = Map.groupBy(updated, ({ card_id: _, ...what }) => JSON.stringify(what))
  return [...groups.values()].map((cards) => {
    const [{ card_id: _, ...what }] = cards as [Change['updated'][number]]
    return { change: 'updated' as const, ids: cards.map(({ card_id }) => card_id), ...what }
  })
}

/** Which fields the cards of each board only kept. */
export const keptIn = (onlyKept: readonly OnlyKept[]) =>
  [...Map.groupBy(onlyKept, ({ board_id }) => board_id)].map(([boardId, cards]) => ({
    projectId: (cards[0] as OnlyKept).project_id,
    boardId,
    cards: alike(cards).map(({ ids, kept }) => ({ ids, kept })),
  }))
