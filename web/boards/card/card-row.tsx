import { Check } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { area, Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { Marked } from '../../ui/marked.tsx'
import { OptionalSign } from '../../ui/sign.tsx'
import { hidden } from '../../words/hidden.tsx'
import { counted, t } from '../../words/words.ts'
import type { RowSelecting } from '../selecting.ts'
import { useIsSelected } from '../selection.ts'
import { PrioritySign, StatusSign, statusName } from '../signs.tsx'
import { Due } from './card-face.tsx'
import './card-row.css'
import { rememberOpened, useReturnFocus, useReturnTo } from '../../ui/returning.ts'

export type FoundCard = Output<`${typeof area}/cards/search`>['cards'][number]

interface Props {
  cards: readonly (FoundCard & { unread_count?: number })[]
  label: string
  /** Undefined where cards are not selected. */
  selecting?: RowSelecting | undefined
}

/** Cards of several boards, one line each, with an excerpt of the description in search results. */
export function CardRows({ cards, label, selecting }: Props) {
  const returnTo = useReturnTo()
  return (
    <ul className="card-rows" aria-label={label}>
      {cards.map((card) => (
        <CardRow key={card.id} card={card} isReturned={card.id === returnTo} selecting={selecting} />
      ))}
    </ul>
  )
}

interface RowProps extends Pick<Props, 'selecting'> {
  card: Props['cards'][number]
  isReturned: boolean
}

function CardRow({ card, isReturned, selecting }: RowProps) {
  const { base } = useProject()
  const link = useReturnFocus(isReturned)
  const isSelected = useIsSelected(selecting?.selection, card.id)
  useEffect(() => (link.current ? selecting?.addLink(card.id, link.current) : undefined))
  return (
    <li className="card-row" data-card-row data-selected={isSelected}>
      <span role="img" aria-label={statusName(card.status)} data-tip={statusName(card.status)}>
        <StatusSign status={card.status} />
      </span>
      {isSelected && <Check className="card-row-selected" role="img" aria-label={t('Selected')} />}
      <div className="card-row-main">
        <Link
          ref={link}
          href={`${base}/boards/${card.board_id}/cards/${card.id}`}
          state={{ isFromList: true }}
          className="card-row-title truncate"
          data-card-id={card.id}
          dir="auto"
          onClick={() => rememberOpened(card.id)}
          aria-keyshortcuts={selecting && 'M X'}
          // While it is captured, since a link hears no clicks with Ctrl or Shift.
          onClickCapture={(event) => selecting?.onClick(event, card.id)}
          onKeyDown={(event) => selecting?.onKey(event, card.id)}
        >
          {card.title_parts.length === 0 ? card.title : <Marked parts={card.title_parts} />}
        </Link>
        {card.snippet.length > 0 && (
          <p className="card-row-snippet" dir="auto">
            <Marked parts={card.snippet} />
          </p>
        )}
      </div>
      <span className="card-row-place" dir="auto">
        <span className="truncate">
          <OptionalSign icon={card.board_icon} color={card.board_color} /> {card.board_title}
        </span>
        <span aria-hidden="true">›</span>
        <span className="truncate">
          <OptionalSign icon={card.group_icon} color={card.group_color} /> {card.group_title}
        </span>
      </span>
      {card.unread_count !== undefined && (
        <span className="card-unread numbers">
          <span className="dot" data-hue="blue" aria-hidden="true" />
          <span aria-hidden="true">{card.unread_count}</span>
          {hidden(
            counted(card.unread_count, {
              one: '{count} unread comment',
              other: '{count} unread comments',
            }),
          )}
        </span>
      )}
      <span className="card-row-due">
        <Due of={card} />
      </span>
      <span className="card-row-priority">
        <PrioritySign priority={card.priority} />
      </span>
    </li>
  )
}
