import { computePosition, flip, offset, shift } from '@floating-ui/dom'
import { useEffect, useRef } from 'react'
import './tooltip.css'

const delayMilliseconds = 400

/** One tooltip for the whole page: whatever has `data-tip` shows it on hover and on keyboard focus. */
export function Tooltip() {
  const bubble = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = bubble.current
    return element ? attach(element) : undefined
  }, [])
  // Its words are the label or the description of what it belongs to already.
  return <div ref={bubble} className="tooltip" popover="manual" aria-hidden="true" />
}

function attach(bubble: HTMLDivElement) {
  let timer: ReturnType<typeof setTimeout> | undefined
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
  const consider = (event: Event) => {
    hide()
    const target = (event.target as Element | null)?.closest?.<HTMLElement>('[data-tip]')
    if (!target) return
    if (event.type === 'focusin' && !target.matches(':focus-visible')) return
    timer = setTimeout(() => void show(target), event.type === 'focusin' ? 0 : delayMilliseconds)
  }
  const ways = [
    ['pointerover', consider],
    ['focusin', consider],
    ['focusout', hide],
    ['pointerdown', hide],
    ['keydown', hide],
    ['dragstart', hide],
    ['scroll', hide],
  ] as const
  for (const [name, listener] of ways) document.addEventListener(name, listener, true)
  return () => {
    hide()
    for (const [name, listener] of ways) document.removeEventListener(name, listener, true)
  }
}
