import { useRefusal } from '../../identity/permissions.ts'
import { t } from '../../words/words.ts'
import CardCalendar from '../calendar/calendar.tsx'
import { dateMove } from '../calendar/date-move.ts'
import { useCardActions } from '../card/card-actions.ts'
import type { OtherViewProps } from './board-table.tsx'

/** A board's cards in a calendar. */
export default function BoardCalendar({ board, members: _members, ...rest }: OtherViewProps) {
  const refusal = useRefusal('work')
  const { update } = useCardActions(board.id)
  const move = dateMove(update)
  return (
    <CardCalendar
      {...rest}
      label={t('Due dates of {board}', { board: board.title })}
      onMove={refusal === undefined ? move : undefined}
    />
  )
}
