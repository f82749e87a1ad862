import { useCallback, useMemo } from 'react'
import { area } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import type { Member } from '../../projects/types.ts'
import { loadable } from '../../ui/loadable.tsx'
import { useReturnTo } from '../../ui/returning.ts'
import { LoadingRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { dateMove } from '../calendar/date-move.ts'
import type { FoundCard } from '../card/card-row.tsx'
import { useRename, useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import type { Selecting } from '../selecting.ts'
import type { ListedCard, Tag } from '../types.ts'

const CardTable = loadable(() => import('../table/table.tsx'), LoadingRows)
const CardCalendar = loadable(() => import('../calendar/calendar.tsx'), LoadingRows)

interface Props {
  view: string
  shown: readonly FoundCard[]
  tags: readonly Tag[]
  members: readonly Member[]
  tableLabel: string
  calendarLabel: string
  selecting: Selecting | undefined
}

/** Cards of several boards as a table or a calendar. */
export function OtherView(props: Props) {
  const { view, shown, tags, members, tableLabel, calendarLabel, selecting } = props
  const { base } = useProject()
  const refusal = useRefusal('work')
  const { mutateAsync: save } = useWrite(`${area}/cards/update`, { failed: t('The card was not changed') })
  const change = useUndoableChange(save)
  const rename = useRename(save)
  const listing = useListing(useGroups(shown), tags, members)
  const hrefOf = useCallback(
    (card: ListedCard) => `${base}/boards/${(card as FoundCard).board_id}/cards/${card.id}`,
    [base],
  )
  const isFixed = refusal !== undefined
  const returnTo = useReturnTo()
  if (view === 'calendar')
    return (
      <CardCalendar
        label={calendarLabel}
        cards={shown}
        hrefOf={hrefOf}
        isFromList
        returnTo={returnTo}
        onMove={isFixed ? undefined : dateMove(change)}
      />
    )
  return (
    <CardTable
      label={tableLabel}
      cards={shown}
      listing={listing}
      hrefOf={hrefOf}
      isFromList
      returnTo={returnTo}
      canMove={false}
      onChange={isFixed ? undefined : change}
      onRename={isFixed ? undefined : rename}
      selecting={selecting}
    />
  )
}

/** The groups of cards on several boards. */
const useGroups = (cards: readonly FoundCard[]) =>
  useMemo(
    () =>
      [...Map.groupBy(cards, ({ group_id }) => group_id).values()].map(([card]) => {
        const { group_id, group_title, group_icon, group_color } = card as FoundCard
        const { board_title, board_icon, board_color } = card as FoundCard
        return {
          id: group_id,
          title: group_title,
          icon: group_icon,
          color: group_color,
          board: { title: board_title, icon: board_icon, color: board_color },
        }
      }),
    [cards],
  )
