import { useCallback } from 'react'
import { useRefusal } from '../../identity/permissions.ts'
import type { Member } from '../../projects/types.ts'
import { t } from '../../words/words.ts'
import { useCardActions } from '../card/card-actions.ts'
import { useRename, useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import { useTableSelection } from '../several/table-selection.tsx'
import CardTable from '../table/table.tsx'
import type { Board, Card, ListedCard } from '../types.ts'
import { RowMenu } from './row-menu.tsx'

export interface OtherViewProps {
  board: Board
  members: readonly Member[]
  /** The cards that the filters leave, in the order of the board. */
  cards: readonly Card[]
  openCardId: number | undefined
  returnTo: number | undefined
  hrefOf(card: ListedCard): string
}

/** A board's cards as a table. */
export default function BoardTable({ board, members, ...rest }: OtherViewProps) {
  const refusal = useRefusal('work')
  const { save, move } = useCardActions(board.id)
  const change = useUndoableChange(save)
  const listing = useListing(board.groups, board.tags, members)
  const onChange = useCallback(
    (card: ListedCard, fields: Partial<Card>) => {
      const { group_id: groupId } = fields
      if (typeof groupId === 'number') move(board, card.id, { groupId, before: null })
      else change(card, fields)
    },
    [board, move, change],
  )
  const onRename = useRename(save)
  const isFixed = refusal !== undefined
  const several = useTableSelection({ board, cards: rest.cards, tags: board.tags, members })
  return (
    <RowMenu
      board={board}
      members={members}
      openCardId={rest.openCardId}
      hrefOf={rest.hrefOf}
      several={several?.menu}
    >
      <CardTable
        {...rest}
        label={t('Cards of {board}', { board: board.title })}
        listing={listing}
        canMove
        onChange={isFixed ? undefined : onChange}
        onRename={isFixed ? undefined : onRename}
        selecting={several?.selecting}
      />
      {several?.elements}
    </RowMenu>
  )
}
