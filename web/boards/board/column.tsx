import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { Ellipsis, GripVertical } from 'lucide-react'
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { EditableText } from '../../drafts/editable-text.tsx'
import { sayingReplaced } from '../../drafts/replacing.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { usePrinting } from '../../ui/printing.ts'
import { Sign } from '../../ui/sign.tsx'
import { hidden } from '../../words/hidden.tsx'
import { counted, t } from '../../words/words.ts'
import type { Card as CardData, Group } from '../types.ts'
import { CardList } from './card-list.tsx'
import './column.css'
import { type CardFace, useBoard } from './context.tsx'
import { onGripKey } from './grip-keys.ts'
import { groupMenuEntries } from './menus.tsx'
import { QuickAdd } from './quick-add.tsx'

export interface ColumnProps {
  group: Group
  /** The cards that match the filters. */
  cards: readonly CardData[]
  tuckedCount: number
  face: CardFace
  /** Where a dragged card would land: before a card, at the end (null), or not here (undefined). */
  landing: number | null | undefined
  groupEdge: 'left' | 'right' | undefined
  /** The card of this column that is being moved. */
  movingCardId: number | undefined
  openCardId: number | undefined
  isMoving: boolean
}

export const Column = memo(function Column(props: ColumnProps) {
  const { group, cards, landing, groupEdge, movingCardId, isMoving } = props
  const column = useRef<HTMLElement>(null)
  const header = useRef<HTMLElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const { stage } = useBoard()
  useLayoutEffect(
    () => (column.current ? stage.columns.add(group.id, column.current) : undefined),
    [stage, group.id],
  )
  // A dragged element stays on the page, because browsers report the end of a drag only there.
  const isNear = useIsNear(column)
  const isPrinting = usePrinting()
  const isNeeded = isNear || isPrinting || movingCardId !== undefined
  // Paper shows every card.
  const isCollapsed = group.is_collapsed && !isPrinting
  useColumnDragging(group.id, isCollapsed, column, header, list)
  const isChosenByKey = landing !== undefined && stage.now().moving?.byKeyboard === true
  useEffect(() => {
    if (isChosenByKey) column.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isChosenByKey])
  return (
    <section
      ref={column}
      className="column"
      data-group-id={group.id}
      aria-label={group.title}
      data-collapsed={isCollapsed}
      data-moving={isMoving}
      data-edge={groupEdge}
      data-over={landing !== undefined}
    >
      <div className="column-box">
        {isCollapsed ? (
          <Collapsed group={group} header={header} count={cards.length} />
        ) : (
          <>
            <ColumnHeader group={group} header={header} count={cards.length} />
            {isNeeded ? <CardList {...props} list={list} /> : <div className="column-list slim-scroll" />}
            <QuickAdd groupId={group.id} groupTitle={group.title} />
          </>
        )}
      </div>
    </section>
  )
})

function ColumnHeader({
  group,
  header,
  count,
}: {
  group: Group
  header: RefObject<HTMLElement | null>
  count: number
}) {
  const { stage, refusal, place } = useBoard()
  return (
    <header ref={header} className="column-header">
      <Grip group={group} />
      <Sign icon={group.icon} color={group.color} />
      <h2 className="column-title truncate">
        <EditableText
          value={group.title}
          label={t('Rename the group {title}', { title: group.title })}
          place={`title of group ${group.id} of ${place}`}
          refusal={refusal}
          onSave={sayingReplaced(group.title, (title) => stage.groups.rename(group.id, title))}
        />
      </h2>
      <span className="column-count numbers">
        <span aria-hidden="true">{count}</span>
        {hidden(counted(count, { one: '{count} card', other: '{count} cards' }))}
      </span>
      <GroupMenu group={group} />
    </header>
  )
}

/** Moves the group by keyboard. */
function Grip({ group }: { group: Group }) {
  const { stage, refusal } = useBoard()
  return (
    <IconButton
      className="column-grip"
      label={t('Move the group {title}', { title: group.title })}
      refusal={refusal}
      icon={<GripVertical />}
      aria-describedby="board-keys"
      onKeyDown={(event) => onGripKey(stage, event, group.id)}
      onBlur={() => stage.putBack()}
    />
  )
}

function GroupMenu({ group }: { group: Group }) {
  const { stage } = useBoard()
  const label = t('Actions for the group {title}', { title: group.title })
  return (
    <Menu
      label={label}
      entries={() => groupMenuEntries(stage, group.id)}
      trigger={(props) => <IconButton {...props} label={label} icon={<Ellipsis />} />}
    />
  )
}

function Collapsed({
  group,
  header,
  count,
}: {
  group: Group
  header: RefObject<HTMLElement | null>
  count: number
}) {
  const { stage, collapseRefusal: refusal } = useBoard()
  return (
    <header ref={header} className="column-collapsed">
      <Grip group={group} />
      <GroupMenu group={group} />
      <h2>
        <button
          type="button"
          className="column-expand"
          aria-expanded="false"
          aria-disabled={refusal !== undefined || undefined}
          data-tip={refusal ?? t('Expand {title}', { title: group.title })}
          onClick={() => refusal === undefined && stage.groups.collapse(group.id, false)}
        >
          <Sign icon={group.icon} color={group.color} />
          <span className="column-count numbers" aria-hidden="true">
            {count}
          </span>
          <span className="column-vertical truncate" dir="auto" aria-hidden="true">
            {group.title}
          </span>
          {hidden(
            counted(
              count,
              { one: '{count} card in {group}', other: '{count} cards in {group}' },
              { group: group.title },
            ),
          )}
        </button>
      </h2>
    </header>
  )
}

const nearPixels = 400

/** Columns far out of view render no cards. */
function useIsNear(column: RefObject<HTMLElement | null>): boolean {
  const { scroller } = useBoard()
  const [isNear, setNear] = useState(false)
  // Measured before the first paint, so that nothing jumps.
  useLayoutEffect(() => {
    const box = column.current?.getBoundingClientRect()
    if (box) setNear(box.right > -nearPixels && box.left < window.innerWidth + nearPixels)
  }, [column])
  useEffect(() => {
    if (!column.current) return
    // While the board scrolls, several entries come at once; the last one counts.
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? true), {
      root: scroller.current,
      rootMargin: `0px ${nearPixels}px`,
    })
    observer.observe(column.current)
    return () => observer.disconnect()
  }, [column, scroller])
  return isNear
}

function useColumnDragging(
  groupId: number,
  isCollapsed: boolean,
  column: RefObject<HTMLElement | null>,
  header: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
) {
  const { refusal, scroller } = useBoard()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the header is another element once the group is collapsed.
  useEffect(() => {
    if (!column.current || !header.current) return
    const element = column.current
    const isBelowCards = (y: number) => !list.current || y > list.current.getBoundingClientRect().bottom
    return combine(
      draggable({
        element: header.current,
        canDrag: () => refusal === undefined,
        getInitialData: () => ({ kind: 'group', groupId }),
      }),
      dropTargetForElements({
        element,
        // A gap between the columns still counts as this one; outside of the board nothing does.
        getIsSticky: ({ input: { clientX, clientY } }) =>
          document.elementsFromPoint(clientX, clientY).includes(scroller.current as Element),
        getData: ({ input, element: target, source }) =>
          source.data['kind'] === 'group'
            ? attachClosestEdge(
                { kind: 'group', groupId },
                { input, element: target, allowedEdges: ['left', 'right'] },
              )
            : { kind: 'column', groupId, isBelow: isBelowCards(input.clientY) },
      }),
    )
  }, [column, header, list, groupId, isCollapsed, refusal, scroller])
}
