// Moves cards and groups on a board, as pure functions from one board to the next.
import type { Arranged, Card, Group, Personal } from './types.ts'

/** A position in a group: before a card, or at the end. */
export interface Landing {
  groupId: number
  before: number | null
}

export const groupOf = (board: Arranged, cardId: number): Group | undefined =>
  board.groups.find(({ cards }) => cards.some(({ id }) => id === cardId))

export const cardOf = (board: Arranged, cardId: number): Card | undefined =>
  groupOf(board, cardId)?.cards.find(({ id }) => id === cardId)

export const isSnoozed = ({ snoozed_until }: Pick<Card, 'snoozed_until'>, now = Date.now()): boolean =>
  snoozed_until !== null && Date.parse(snoozed_until) > now

/** Snoozed and hidden cards are not shown. */
export const isTuckedAway = (card: Pick<Card, 'is_active' | 'snoozed_until'>, now = Date.now()): boolean =>
  !card.is_active || isSnoozed(card, now)

/** The position of a landing for the service, counting hidden cards but not the card itself. */
export function positionAt(board: Arranged, cardId: number, { groupId, before }: Landing): number {
  const others = (board.groups.find(({ id }) => id === groupId)?.cards ?? []).filter(
    ({ id }) => id !== cardId,
  )
  const place = others.findIndex(({ id }) => id === before)
  return (place === -1 ? others.length : place) + 1
}

export function withCardMoved<Board extends Arranged>(
  board: Board,
  cardId: number,
  groupId: number,
  position: number,
): Board {
  const card = cardOf(board, cardId)
  if (!card) return board
  return {
    ...board,
    groups: board.groups.map((group) => {
      const holds = group.cards.some(({ id }) => id === cardId)
      if (!holds && group.id !== groupId) return group
      const others = group.cards.filter(({ id }) => id !== cardId)
      const cards =
        group.id === groupId ? others.toSpliced(position - 1, 0, { ...card, group_id: groupId }) : others
      return { ...group, cards: renumbered(cards) }
    }),
  }
}

export const withGroupMoved = <Board extends Arranged>(
  board: Board,
  groupId: number,
  position: number,
): Board => {
  const group = board.groups.find(({ id }) => id === groupId)
  if (!group) return board
  const others = board.groups.filter(({ id }) => id !== groupId)
  return { ...board, groups: renumbered(others.toSpliced(position - 1, 0, group)) }
}

export const withCard = <Board extends Arranged>(
  board: Board,
  cardId: number,
  change: (card: Card) => Card,
): Board => ({
  ...board,
  groups: board.groups.map((group) =>
    group.cards.some(({ id }) => id === cardId)
      ? { ...group, cards: group.cards.map((card) => (card.id === cardId ? change(card) : card)) }
      : group,
  ),
})

export const withoutCard = <Board extends Arranged>(board: Board, cardId: number): Board => ({
  ...board,
  groups: board.groups.map((group) =>
    group.cards.some(({ id }) => id === cardId)
      ? { ...group, cards: renumbered(group.cards.filter(({ id }) => id !== cardId)) }
      : group,
  ),
})

export const withGroup = <Board extends Arranged>(
  board: Board,
  groupId: number,
  change: (group: Group) => Group,
): Board => ({
  ...board,
  groups: board.groups.map((group) => (group.id === groupId ? change(group) : group)),
})

/** The board with the groups collapsed and expanded as the person left them. */
export function withOwnGroups<Board extends Arranged>(board: Board, own: Personal['groups'] = []): Board {
  const collapsed = new Map(own.map(({ group_id, is_collapsed }) => [group_id, is_collapsed]))
  return {
    ...board,
    groups: board.groups.map((group) => {
      const is_collapsed = collapsed.get(group.id) ?? group.is_collapsed
      return is_collapsed === group.is_collapsed ? group : { ...group, is_collapsed }
    }),
  }
}

export const withoutGroup = <Board extends Arranged>(board: Board, groupId: number): Board => ({
  ...board,
  groups: renumbered(board.groups.filter(({ id }) => id !== groupId)),
})

/** Only cards that moved become new objects, so that nothing else is drawn again. */
const renumbered = <Thing extends { position: number }>(things: Thing[]): Thing[] =>
  things.map((thing, index) => (thing.position === index + 1 ? thing : { ...thing, position: index + 1 }))
