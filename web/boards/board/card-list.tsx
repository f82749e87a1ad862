import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { usePrinting } from '../../ui/printing.ts'
import { t } from '../../words/words.ts'
import { autoScroll } from './auto-scroll.ts'
import { Card } from './card.tsx'
import type { ColumnProps } from './column.tsx'
import { useBoard } from './context.tsx'

const usualHeight = 78

/** The cards of a column. Only visible cards are rendered, and the one that is focused or moved. */
export function CardList({
  group,
  cards,
  tuckedCount,
  face,
  landing,
  movingCardId,
  openCardId,
  list,
}: ColumnProps & { list: RefObject<HTMLOListElement | null> }) {
  const { stage, showAllHref } = useBoard()
  const scroller = useRef<HTMLDivElement>(null)
  const [activeId, setActiveId] = useState<number>()
  const active = cards.find(({ id }) => id === activeId)?.id ?? cards[0]?.id
  const kept = [active, movingCardId].flatMap((id) => {
    const index = cards.findIndex((card) => card.id === id)
    return index === -1 ? [] : [index]
  })
  const keptKey = kept.join()
  const isPrinting = usePrinting()
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    // Kept while the cards stay the same, because a new function makes the places of all of them be computed again.
    getItemKey: useCallback((index: number) => cards[index]?.id ?? index, [cards]),
    overscan: 6,
    // With the line of a landing, which is drawn above a card.
    scrollPaddingStart: 8,
    rangeExtractor: useCallback(
      (range: Range) => {
        if (isPrinting) return Array.from({ length: range.count }, (_, index) => index)
        const kept = keptKey === '' ? [] : keptKey.split(',').map(Number)
        return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b)
      },
      [keptKey, isPrinting],
    ),
  })
  useEffect(
    () =>
      stage.lists.add(group.id, {
        reveal(cardId) {
          const index = cards.findIndex(({ id }) => id === cardId)
          if (index === -1) return
          virtualizer.scrollToIndex(index)
          setActiveId(cardId)
        },
      }),
    [stage, group.id, cards, virtualizer],
  )
  useEffect(() => (scroller.current ? autoScroll(scroller.current) : undefined), [])
  // During a drag, the list scrolls near the pointer.
  useEffect(() => {
    if (landing === undefined || !stage.now().moving?.byKeyboard) return
    const index = cards.findIndex(({ id }) => id === landing)
    virtualizer.scrollToIndex(index === -1 ? cards.length - 1 : index)
  }, [landing, cards, stage, virtualizer])
  const lastId = cards.at(-1)?.id ?? 0
  // A card that was just created in this window is scrolled into view.
  useEffect(() => {
    if (lastId < 0) virtualizer.scrollToIndex(cards.length - 1, { align: 'end' })
  }, [lastId, cards.length, virtualizer])
  const items = virtualizer.getVirtualItems()
  const landingAt = landing === undefined ? undefined : landingOffset(landing)

  function landingOffset(before: number | null): number {
    const index = before === null ? -1 : cards.findIndex(({ id }) => id === before)
    if (index === -1) return virtualizer.getTotalSize()
    return virtualizer.getOffsetForIndex(index, 'start') === undefined
      ? 0
      : (virtualizer.measurementsCache[index]?.start ?? 0)
  }

  return (
    <div ref={scroller} className="column-list slim-scroll">
      <ol
        ref={list}
        style={isPrinting ? {} : { height: virtualizer.getTotalSize() }}
        aria-label={t('Cards in {group}', { group: group.title })}
      >
        {items.map(({ index, key, start }) => {
          const card = cards[index]
          if (!card) return null
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={cards.length}
              aria-posinset={index + 1}
              style={isPrinting ? {} : { transform: `translateY(${start}px)` }}
              onFocus={() => setActiveId(card.id)}
            >
              <Card
                card={card}
                face={face}
                isTabStop={card.id === active}
                isMoving={card.id === movingCardId}
                isOpen={card.id === openCardId}
              />
            </li>
          )
        })}
      </ol>
      {landingAt !== undefined && (
        <div className="landing" style={{ transform: `translateY(${Math.max(landingAt - 5, 0)}px)` }} />
      )}
      {tuckedCount > 0 && showAllHref !== undefined && (
        <Link href={showAllHref} className="column-tucked numbers">
          {t('{count} snoozed or hidden', { count: tuckedCount })}
        </Link>
      )}
    </div>
  )
}
