import { autoUpdate, computePosition, flip, offset, shift } from '@floating-ui/dom'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useRefusal } from '../identity/permissions.ts'
import { announce } from '../ui/announcer.tsx'
import { IconButton } from '../ui/button.tsx'
import { isAnythingFloating } from '../ui/floating.ts'
import { useSpot } from '../ui/spots.ts'
import { t } from '../words/words.ts'
import type { Step } from './steps.ts'

interface Props {
  step: Step
  /** The page that it is on. */
  path: string
  /** `returns`: the person is done with the hint, and the focus goes back to the checklist. */
  onClose(returns: boolean): void
}

/** Focuses the element that a step is about and says what to do there, until the person uses it, leaves the page or closes the hint. */
export function Pointer({ step: { spot, needs, ...step }, path, onClose }: Props) {
  const hint = useRefusal(needs) ?? step.hint
  const target = useSpot(spot)
  const bubble = useRef<HTMLDivElement>(null)
  const [location] = useLocation()
  const hasLeft = location !== path && !location.startsWith(`${path}/`)
  useEffect(() => {
    if (hasLeft) onClose(false)
  }, [hasLeft, onClose])
  useEffect(() => {
    const element = bubble.current
    if (!target || !element) return
    const release = pointAt(target, element)
    announce(hint)
    const onUse = (event: Event) => {
      if (event instanceof KeyboardEvent && ['Tab', 'Shift', 'Escape'].includes(event.key)) return
      onClose(false)
    }
    // Before other listeners, so that Escape closes nothing below.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isAnythingFloating()) return
      event.preventDefault()
      event.stopPropagation()
      onClose(true)
    }
    target.addEventListener('pointerdown', onUse)
    target.addEventListener('keydown', onUse)
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => {
      release()
      target.removeEventListener('pointerdown', onUse)
      target.removeEventListener('keydown', onUse)
      document.removeEventListener('keydown', onKeyDown, { capture: true })
    }
  }, [target, hint, onClose])
  return (
    <div ref={bubble} popover="manual" className="tour-hint">
      <p>{hint}</p>
      <IconButton label={t('Close hint')} icon={<X />} onClick={() => onClose(true)} />
    </div>
  )
}

/** Returns what ends it. */
function pointAt(target: HTMLElement, bubble: HTMLElement): () => void {
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  target.focus({ preventScroll: true })
  target.toggleAttribute('data-pointed', true)
  bubble.showPopover()
  const stop = autoUpdate(target, bubble, async () => {
    const middleware = [offset(8), flip({ padding: 8 }), shift({ padding: 8 })]
    const { x, y } = await computePosition(target, bubble, {
      strategy: 'fixed',
      placement: 'bottom-end',
      middleware,
    })
    Object.assign(bubble.style, { left: `${x}px`, top: `${y}px` })
  })
  return () => {
    stop()
    target.removeAttribute('data-pointed')
    bubble.hidePopover()
  }
}
