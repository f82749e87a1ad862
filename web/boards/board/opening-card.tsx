import { Panel } from '../../ui/panel.tsx'
import { Loading, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { cardOf, groupOf } from '../arrangement.ts'
import { GroupName } from '../signs.tsx'
import type { Board } from '../types.ts'

interface Props {
  cardId: number
  board: Board
  onClose(): void
}

/** The panel of a card until its code is loaded. */
export function OpeningCard({ cardId, board, onClose }: Props) {
  const title = cardOf(board, cardId)?.title
  return (
    <Panel
      label={title === undefined ? t('Card') : t('Card: {title}', { title })}
      heading={<GroupName group={groupOf(board, cardId)} />}
      onClose={onClose}
    >
      <p className="opening-card" dir="auto">
        {title}
      </p>
      <Loading>
        <SkeletonRows />
      </Loading>
    </Panel>
  )
}
