import { computePosition, flip, offset, shift } from '@floating-ui/dom'
import { useEffect, useRef } from 'react'
import './tooltip.css'

const delayMilliseconds = 400

/** One tooltip for the whole page, shown for elements with `data-tip` on hover and keyboard focus. */
export function Tooltip() {
  const bubble = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = bubble.current
    return element ? attach(element) : undefined
  }, [])
  // Its text is already the label or description of its element.
  return <div ref={bubble} className="tooltip" popover="manual" aria-hidden="true" />
}

function attach(bubble: HTMLDivElement) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hovered: HTMLElement | undefined
  const hide = () => {
    clearTimeout(timer)
    if (bubble.matches(':popover-open')) bubble.hidePopover()
  }
  const show = async (target: HTMLElement) => {
    if (!target.isConnected || !target.dataset['tip']) return
    bubble.textContent = target.dataset['tip']
    bubble.showPopover()
    const middleware = [offset(6), flip(), shift({ padding: 8 })]
    const { x, y } = await computePosition(target, bubble, {
      strategy: 'fixed',
      placement: 'bottom',
      middleware,
    })
    Object.assign(bubble.style, { left: `${x}px`, top: `${y}px` })
  }
  const considerHovered = (event: PointerEvent) => {
    const target = tippedUnder(event)
    if (target === hovered) return
    hide()
    hovered = target
    if (target) timer = setTimeout(() => void show(target), delayMilliseconds)
  }
  const considerFocused = ({ target }: FocusEvent) => {
    hide()
    const tipped = tippedAround(target as Element)
    // Delayed, because no other popover can be shown while a closing one returns the focus.
    if (tipped?.matches(':focus-visible')) timer = setTimeout(() => void show(tipped))
  }
  const ways = [
    ['pointerover', considerHovered],
    ['pointermove', considerHovered],
    ['focusin', considerFocused],
    ['focusout', hide],
    ['pointerdown', hide],
    ['keydown', hide],
    ['dragstart', hide],
    ['scroll', hide],
  ] as const
  for (const [name, listener] of ways) document.addEventListener(name, listener as EventListener, true)
  return () => {
    hide()
    for (const [name, listener] of ways) document.removeEventListener(name, listener as EventListener, true)
  }
}

const tippedAround = (element: Element) => element.closest?.<HTMLElement>('[data-tip]') ?? undefined

/** Includes elements below a link that covers them, such as that of a card (`data-covers-tips`). */
function tippedUnder({ target, clientX, clientY }: PointerEvent): HTMLElement | undefined {
  if (!(target as Element).closest?.('[data-covers-tips]')) return tippedAround(target as Element)
  return document.elementsFromPoint(clientX, clientY).map(tippedAround).find(Boolean)
}
