import { mostNamed, type Payload } from '#events/catalogue.ts'
import type { Change, OnlyKept, TitledCard, UpdatedCard } from './apply.ts'

/** More are only counted, so that those who follow events get small ones; the history of a card has the others too. */
const mostCards = 20

/** What the event of a rollout says about a board. */
export function summaryOf(change: Change) {
  const { added, returned, removed, groups, board_fields } = change
  const updated = change.updated.map(({ title: _, ...card }) => card)
  const cards = [
    ...[cardsThat('added', added), cardsThat('returned', returned), cardsThat('removed', removed)].flat(),
    ...alike(updated.slice(mostCards)),
  ]
  const named = namedIn(change)
  return {
    added_count: added.length + returned.length,
    ...(removed.length > 0 && { removed_count: removed.length }),
    updated_count: updated.length,
    updated: updated.slice(0, mostCards),
    ...(cards.length > 0 && { cards }),
    ...(groups.length > 0 && { changed_groups: groups.map(({ title: _, ...group }) => group) }),
    ...(board_fields.length > 0 && { board_fields }),
    ...(named.length > 0 && { named }),
  }
}

type ChangedCards = NonNullable<Payload<'template.rolled_out'>['cards']>[number]
type Named = NonNullable<Payload<'template.rolled_out'>['named']>[number]

const cardsThat = (change: ChangedCards['change'], cards: readonly TitledCard[]): ChangedCards[] =>
  cards.length > 0 ? [{ change, ids: cards.map(({ card_id }) => card_id) }] : []

/** Cards with the same changes are listed together, because a rollout often changes many cards alike. */
function alike(updated: readonly Omit<UpdatedCard, 'title'>[]) {
  const groups = Map.groupBy(updated, ({ card_id: _, ...what }) => JSON.stringify(what))
  return [...groups.values()].map((cards) => {
    const [{ card_id: _, ...what }] = cards as [Omit<UpdatedCard, 'title'>]
    return { change: 'updated' as const, ids: cards.map(({ card_id }) => card_id), ...what }
  })
}

const cardNamed = ({ card_id: id, title }: TitledCard): Named => ({ thing: 'card', id, title })
const isOnlyMoved = ({ fields, is_moved }: { fields: readonly string[]; is_moved: boolean }) =>
  is_moved && fields.length === 0

/** The first cards and groups of each kind of change, which boards/activity.ts lists by name. One that came back and was then changed has its last title. */
function namedIn({ added, returned, removed, updated, groups }: Change): Named[] {
  const isKept = ({ kept }: UpdatedCard) => kept.length > 0
  const ofCards = [
    ...[added, returned, removed],
    ...[updated.filter(isOnlyMoved), updated.filter((card) => !isOnlyMoved(card)), updated.filter(isKept)],
  ]
  const byChange = Map.groupBy(groups, (group) => (isOnlyMoved(group) ? 'moved' : group.change))
  const all = [
    ...ofCards.flatMap((cards) => cards.slice(0, mostNamed).map(cardNamed)),
    ...[...byChange.values()].flatMap((some) =>
      some.slice(0, mostNamed).map(({ group_id: id, title }) => ({ thing: 'group' as const, id, title })),
    ),
  ]
  return [...new Map(all.map((one) => [`${one.thing} ${one.id}`, one])).values()]
}

/** Which fields the cards of each board only kept. */
export const keptIn = (onlyKept: readonly OnlyKept[]) =>
  [...Map.groupBy(onlyKept, ({ board_id }) => board_id)].map(([boardId, cards]) => ({
    projectId: (cards[0] as OnlyKept).project_id,
    boardId,
    said: {
      cards: alike(
        cards.map(({ card_id, fields, kept, is_moved }) => ({ card_id, fields, kept, is_moved })),
      ).map(({ ids, kept }) => ({ ids, kept })),
      named: cards.slice(0, mostNamed).map(cardNamed),
    },
  }))
