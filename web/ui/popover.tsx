import {
  autoUpdate,
  computePosition,
  flip,
  offset,
  type Placement,
  type ReferenceElement,
  shift,
  size,
} from '@floating-ui/dom'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { addFloating } from './floating.ts'
import './popover.css'

/** A place in the window. */
interface Point {
  x: number
  y: number
}

export interface PopoverState {
  isOpen: boolean
  /** At its button, or where the pointer is. */
  open(at?: Point): void
  /** Where it was opened, if not at its button. */
  at: Point | undefined
  close(): void
  anchor: RefObject<HTMLButtonElement | null>
  /** Props for the button that opens it. */
  triggerProps: {
    ref: RefObject<HTMLButtonElement | null>
    'aria-expanded': boolean
    onPointerDown(): void
    onClick(): void
  }
}

export function usePopover(): PopoverState {
  const [opened, setOpened] = useState<boolean | Point>(false)
  const isOpen = opened !== false
  const anchor = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  return {
    isOpen,
    anchor,
    at: typeof opened === 'object' ? opened : undefined,
    open: (at) => setOpened(at ?? true),
    close: () => setOpened(false),
    triggerProps: {
      ref: anchor,
      'aria-expanded': isOpen,
      // If it was open, this press has already closed it.
      onPointerDown: () => {
        wasOpen.current = isOpen
      },
      onClick: () => {
        setOpened(!wasOpen.current)
        wasOpen.current = false
      },
    },
  }
}

interface Props {
  state: PopoverState
  placement?: Placement
  className?: string
  /** Rather covers its button than being cut off. */
  isWhole?: boolean
  children: ReactNode
}

/** Shown in the browser's top layer, where nothing clips it; Esc or a press elsewhere closes it, and focus returns to its button. */
export function Popover({
  state,
  placement = 'bottom-start',
  className = '',
  isWhole = false,
  children,
}: Props) {
  const floating = useRef<HTMLDivElement>(null)
  const { isOpen, anchor, at, close } = state
  useLayoutEffect(() => {
    const element = floating.current
    const button = anchor.current
    if (!isOpen || !element || !button) return
    element.showPopover()
    const remove = addFloating(element)
    const origin = at
      ? { getBoundingClientRect: () => new DOMRect(at.x, at.y), contextElement: button }
      : button
    const from = at ? 'right-start' : placement
    const stop = autoUpdate(origin, element, () => place(origin, element, { placement: from, isWhole }))
    return () => {
      stop()
      remove()
    }
  }, [isOpen, anchor, at, placement, isWhole])
  if (!isOpen) return null
  return (
    <div
      ref={floating}
      popover="auto"
      className={`popover ${className}`}
      onToggle={(event) => {
        if (event.newState === 'closed') close()
      }}
    >
      {children}
    </div>
  )
}

async function place(
  anchor: ReferenceElement,
  element: HTMLElement,
  { placement, isWhole }: { placement: Placement; isWhole: boolean },
) {
  const { x, y } = await computePosition(anchor, element, {
    strategy: 'fixed',
    placement,
    middleware: [
      offset(4),
      flip({ padding: 8 }),
      shift({ padding: 8, crossAxis: isWhole }),
      size({
        padding: 8,
        apply({ availableHeight }) {
          element.style.maxHeight = `${Math.max(160, availableHeight)}px`
        },
      }),
    ],
  })
  Object.assign(element.style, { left: `${x}px`, top: `${y}px` })
}
