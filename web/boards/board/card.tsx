import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { Check, Ellipsis } from 'lucide-react'
import { memo, useEffect, useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../../ui/button.tsx'
import { MenuOf } from '../../ui/menu.tsx'
import { usePopover } from '../../ui/popover.tsx'
import { spot } from '../../ui/spots.ts'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import { isTuckedAway } from '../arrangement.ts'
import { useIsSelected } from '../selection.ts'
import type { Card as CardData } from '../types.ts'
import './card.css'
import { onCardClick, onCardKey } from './card-keys.ts'
import { type CardFace, useBoard } from './context.tsx'
import { cardMenuEntries } from './menus.tsx'

const cardSpot = spot('card')

interface Props {
  card: CardData
  face: CardFace
  /** True for the one card of its column that Tab reaches; the arrow keys reach the others. */
  isTabStop: boolean
  isMoving: boolean
  isOpen: boolean
}

export const Card = memo(function Card({ card, face, isTabStop, isMoving, isOpen }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const menu = usePopover()
  const { stage, hrefOf, refusal } = useBoard()
  // Once it is whole, so that nothing in it moves.
  const whenWhole = (act: () => void) => (stage.now().withTools ?? ((now) => now()))(act)
  const openMenu = (at?: { x: number; y: number }) => whenWhole(() => menu.open(at))
  const isSaved = card.id > 0
  const ofSeveral = menu.isOpen ? stage.now().tools?.current?.ofSeveral(card.id) : undefined
  const isSelected = useIsSelected(stage.now().selection, card.id)
  useLayoutEffect(() => (link.current ? stage.links.add(card.id, link.current) : undefined), [stage, card.id])
  useLayoutEffect(() => cardSpot(link.current), [])
  const isFixed = refusal !== undefined || !isSaved
  useEffect(() => {
    const face = element.current
    if (!face) return
    const data = { kind: 'card', cardId: card.id, groupId: card.group_id }
    return combine(
      draggable({ element: face, canDrag: () => !isFixed, getInitialData: () => data }),
      dropTargetForElements({
        // Including the gap below, so that the pointer is always over a card.
        element: face.parentElement as HTMLElement,
        canDrop: ({ source }) => source.data['kind'] === 'card',
        getIsSticky: () => true,
        getData: ({ input, element: target }) =>
          attachClosestEdge(data, { input, element: target, allowedEdges: ['top', 'bottom'] }),
      }),
    )
  }, [card.id, card.group_id, isFixed])

  return (
    <div
      ref={element}
      className="card"
      data-selected={isSelected}
      data-moving={isMoving}
      data-open={isOpen}
      data-tucked={isTuckedAway(card)}
    >
      {isSaved ? (
        <Link
          ref={link}
          href={hrefOf(card.id)}
          className="card-title"
          draggable={false}
          data-covers-tips
          tabIndex={isTabStop ? 0 : -1}
          data-card-id={card.id}
          {...(refusal !== viewOnly && {
            'aria-keyshortcuts': 'Space M X Delete',
            'aria-describedby': 'board-keys',
          })}
          aria-current={isOpen || undefined}
          dir="auto"
          // While it is captured, since a link hears no clicks with Ctrl or Shift.
          onClickCapture={(event) => onCardClick(stage, event, card.id)}
          onContextMenu={(event) => {
            event.preventDefault()
            const { clientX: x, clientY: y, buttons } = event
            const open = () => openMenu({ x, y })
            // Where the button is still down, its release would close the menu again.
            if (buttons === 0) open()
            else window.addEventListener('pointerup', () => setTimeout(open), { once: true })
          }}
          onKeyDown={(event) => onCardKey(stage, event, card.id, () => openMenu())}
          onBlur={() => stage.putBack()}
        >
          {card.title}
        </Link>
      ) : (
        // A card without an id has no address and no actions until it is saved.
        <span className="card-title" dir="auto">
          {card.title}
        </span>
      )}
      {isSelected && <Check className="card-selected" role="img" aria-label={t('Selected')} />}
      {card.short_description && (
        <p className="card-summary truncate" dir="auto">
          {card.short_description}
        </p>
      )}
      {face(card)}
      {isSaved && (
        <MenuOf
          state={menu}
          label={t('Actions for {title}', { title: ofSeveral?.title ?? card.title })}
          entries={() => ofSeveral?.entries ?? cardMenuEntries(stage, card.id)}
          trigger={(props) => (
            <IconButton
              {...props}
              onClick={() => whenWhole(props.onClick)}
              className="card-menu"
              tabIndex={isTabStop ? 0 : -1}
              label={t('Actions for {title}', { title: card.title })}
              icon={<Ellipsis />}
            />
          )}
        />
      )}
    </div>
  )
})
