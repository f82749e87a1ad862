import { useState } from 'react'
import { useRefusal } from '../../identity/permissions.ts'
import { loadable } from '../../ui/loadable.tsx'
import { t } from '../../words/words.ts'
import CardCalendar from '../calendar/calendar.tsx'
import { dateMove } from '../calendar/date-move.ts'
import { useCardActions } from '../card/card-actions.ts'
import { useUndoableChange } from '../changing.ts'
import type { OtherViewProps } from './board-table.tsx'
import { RowMenu } from './row-menu.tsx'

const NewCard = loadable(() => import('./new-card.tsx'))

/** A board's cards in a calendar. */
export default function BoardCalendar({ board, members, ...rest }: OtherViewProps) {
  const refusal = useRefusal('work')
  const { save } = useCardActions(board.id)
  const move = dateMove(useUndoableChange(save))
  const [newOn, setNewOn] = useState<string>()
  return (
    <RowMenu board={board} members={members} openCardId={rest.openCardId} hrefOf={rest.hrefOf}>
      <CardCalendar
        {...rest}
        label={t('Due dates of {board}', { board: board.title })}
        onMove={refusal === undefined ? move : undefined}
        onAdd={refusal === undefined && board.groups.length > 0 ? setNewOn : undefined}
      />
      {newOn !== undefined && (
        <NewCard boardId={board.id} dueOn={newOn} onClose={() => setNewOn(undefined)} />
      )}
    </RowMenu>
  )
}
