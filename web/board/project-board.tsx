import { useCallback, useMemo } from 'react'
import { useProject, useRefusal } from '../data/project.tsx'
import type { Board as BoardData, Card, Member } from '../data/types.ts'
import { useCardActions, useGroupActions } from './actions.ts'
import { Board } from './board.tsx'
import { CardMeta } from './card-face.tsx'
import { type Filters, matches } from './filters.ts'
import { tuckAwayEntries } from './menus.tsx'

interface Props {
  board: BoardData
  members: readonly Member[]
  unread: ReadonlyMap<number, number>
  filters: Filters
  openCardId: number | undefined
  returnTo: number | undefined
  hrefOf(cardId: number): string
  showAllHref: string
}

/** A board of a project: what of it is shown, and who may do what. */
export function ProjectBoard({ board, members, unread, filters, showAllHref, ...rest }: Props) {
  const { me } = useProject()
  const cards = useCardActions(board.id)
  const groups = useGroupActions(board.id)
  const refusal = useRefusal('work')
  const manageRefusal = useRefusal('manage')
  const anyRefusal = useRefusal('delete any card')
  const visible = useMemo(
    () =>
      new Map(board.groups.map((group) => [group.id, group.cards.filter((card) => matches(card, filters))])),
    [board, filters],
  )
  const context = useMemo(
    () => ({
      tags: new Map(board.tags.map((tag) => [tag.id, tag])),
      members: new Map(members.map((member) => [member.user_id, member])),
      unread,
    }),
    [board.tags, members, unread],
  )
  const face = useCallback((card: Card) => <CardMeta card={card} context={context} />, [context])
  return (
    <Board
      {...rest}
      board={board}
      visible={visible}
      cards={cards}
      groups={groups}
      face={face}
      refusal={refusal}
      manageRefusal={manageRefusal}
      deleteRefusal={(card) => (card.created_by === me.user.id ? undefined : anyRefusal)}
      ownEntries={(card) => tuckAwayEntries(card, cards, refusal)}
      showAllHref={filters.showsAll ? undefined : showAllHref}
    />
  )
}
