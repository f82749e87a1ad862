import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useState } from 'react'
import { dragByTouch } from '../../ui/touch.ts'
import type { Landing } from '../arrangement.ts'
import type { Arranged } from '../types.ts'
import { autoScroll } from './auto-scroll.ts'
import type { Shown, Visible } from './stage.ts'

/** A card or group that is being moved, and where it would land. */
export type Moving =
  | { kind: 'card'; cardId: number; landing: Landing | undefined; byKeyboard: boolean }
  | { kind: 'group'; groupId: number; position: number | undefined; byKeyboard: boolean }

interface Target {
  data: Record<string | symbol, unknown>
}

/** Tracks drags by mouse and touch, and calls `onDrop` at the end. */
export function usePointerMoving(
  shown: RefObject<Shown>,
  scroller: RefObject<HTMLElement | null>,
  onDrop: (moving: Moving) => void,
) {
  const [moving, setMoving] = useState<Moving>()
  useEffect(() => {
    if (!scroller.current) return
    const at = (source: Target, targets: readonly Target[]) => movingAt(shown.current, source, targets)
    return combine(
      monitorForElements({
        onDragStart: ({ source }) => setMoving(at(source, [])),
        onDrag: ({ source, location }) => {
          const next = at(source, location.current.dropTargets)
          setMoving((now) => (isSame(now, next) ? now : next))
        },
        onDrop: ({ source, location }) => {
          setMoving(undefined)
          const dropped = at(source, location.current.dropTargets)
          if (dropped) onDrop(dropped)
        },
      }),
      autoScroll(scroller.current),
      dragByTouch(scroller.current),
    )
  }, [shown, scroller, onDrop])
  return [moving, setMoving] as const
}

function movingAt({ board, visible }: Shown, source: Target, targets: readonly Target[]): Moving | undefined {
  const target = targets[0]
  if (source.data['kind'] === 'group') {
    const groupId = source.data['groupId'] as number
    return {
      kind: 'group',
      groupId,
      position: target && groupPosition(board, groupId, target),
      byKeyboard: false,
    }
  }
  if (source.data['kind'] !== 'card') return undefined
  return {
    kind: 'card',
    cardId: source.data['cardId'] as number,
    landing: target && cardLanding(visible, target, targets),
    byKeyboard: false,
  }
}

function cardLanding(visible: Visible, { data }: Target, targets: readonly Target[]): Landing {
  const groupId = data['groupId'] as number
  // The last card under the pointer counts, except below all cards.
  const isBelow = targets.some((target) => target.data['isBelow'])
  if (data['kind'] !== 'card' || isBelow) return { groupId, before: null }
  const cards = visible.get(groupId) ?? []
  const place = cards.findIndex(({ id }) => id === data['cardId'])
  const after = extractClosestEdge(data) === 'bottom' ? 1 : 0
  return { groupId, before: cards[place + after]?.id ?? null }
}

function groupPosition(board: Arranged, groupId: number, { data }: Target): number | undefined {
  const from = board.groups.findIndex(({ id }) => id === groupId)
  const over = board.groups.findIndex(({ id }) => id === data['groupId'])
  if (over === -1) return undefined
  const slot = over + (extractClosestEdge(data) === 'right' ? 1 : 0)
  return (slot > from ? slot - 1 : slot) + 1
}

function isSame(a: Moving | undefined, b: Moving | undefined): boolean {
  if (a?.kind === 'card' && b?.kind === 'card')
    return a.landing?.groupId === b.landing?.groupId && a.landing?.before === b.landing?.before
  if (a?.kind === 'group' && b?.kind === 'group') return a.position === b.position
  return a === b
}
