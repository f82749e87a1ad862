import './touch.css'

/** Longer than a scroll or tap, shorter than the browser's own long press. */
const pressMilliseconds = 300
/** A finger always moves a little. */
const slopPixels = 8

interface Lifted {
  moveTo(touch: Touch): void
  /** Drops at the finger's position, or cancels. */
  end(isDropped: boolean): void
}

/**
 * Dragging by touch. Browsers handle a long press differently or not at all, so it is turned into the drag events of a mouse here.
 * Edges, scrolling and landing then work the same for finger and mouse.
 */
export function dragByTouch(scroller: HTMLElement): () => void {
  const listening = new AbortController()
  const { signal } = listening
  let pressing: { touch: Touch; timer: number; following: AbortController } | undefined
  let lifted: Lifted | undefined

  function letGo(isDropped: boolean) {
    clearTimeout(pressing?.timer)
    pressing?.following.abort()
    pressing = undefined
    const ended = lifted
    lifted = undefined
    ended?.end(isDropped)
  }

  function onStart({ touches, target }: TouchEvent) {
    // A second finger zooms or scrolls.
    letGo(false)
    const source = (target as Element).closest<HTMLElement>('[draggable="true"]')
    const [touch] = touches
    if (!source || !touch || touches.length > 1) return
    const timer = window.setTimeout(() => {
      lifted = lift(source, touch)
    }, pressMilliseconds)
    const following = new AbortController()
    pressing = { touch, timer, following }
    follow(target as Element, AbortSignal.any([signal, following.signal]))
  }

  /** Listens on the touched element itself, because events of a card that was deleted meanwhile do not bubble. */
  function follow(target: Element, signal: AbortSignal) {
    const on = (type: 'touchmove' | 'touchend' | 'touchcancel', listener: (event: TouchEvent) => void) =>
      target.addEventListener(type, listener as EventListener, { signal, passive: false })
    on('touchmove', onMove)
    on('touchend', onEnd)
    on('touchcancel', () => letGo(false))
  }

  function onMove(event: TouchEvent) {
    const [touch] = event.touches
    if (!touch || !pressing) return
    const { clientX, clientY } = pressing.touch
    if (lifted) {
      event.preventDefault()
      lifted.moveTo(touch)
    } else if (Math.hypot(touch.clientX - clientX, touch.clientY - clientY) > slopPixels) letGo(false)
  }

  function onEnd(event: TouchEvent) {
    // A drop is not also a tap.
    if (lifted) event.preventDefault()
    letGo(true)
  }

  /** The browser's own reaction to a long press, and pointer events, which a drag by mouse does not have. */
  function onForeign(event: Event) {
    if (!lifted || !event.isTrusted) return
    event.stopImmediatePropagation()
    event.preventDefault()
  }

  scroller.addEventListener('touchstart', onStart, { signal, passive: true })
  // Safari allows preventing a scroll only if a listener existed before the touch began.
  scroller.addEventListener('touchmove', () => {}, { signal, passive: false })
  for (const type of ['contextmenu', 'dragstart', 'pointerdown', 'pointermove'])
    window.addEventListener(type, onForeign, { signal, capture: true })
  return () => {
    letGo(false)
    listening.abort()
  }
}

/** Undefined if it must not be moved. */
function lift(source: HTMLElement, from: Touch): Lifted | undefined {
  const dataTransfer = new DataTransfer()
  let at = from
  const tell = (type: string, target: Element) => {
    const { clientX, clientY } = at
    const event = new DragEvent(type, { bubbles: true, cancelable: true, clientX, clientY, dataTransfer })
    return { isTaken: !target.dispatchEvent(event) }
  }
  if (tell('dragstart', source).isTaken) return undefined
  const image = imageOf(source)
  const target = () => document.elementFromPoint(at.clientX, at.clientY) ?? source
  let frame = requestAnimationFrame(over)
  return {
    moveTo(touch) {
      at = touch
      image.style.translate = `${at.clientX - from.clientX}px ${at.clientY - from.clientY}px`
    },
    end(isDropped) {
      cancelAnimationFrame(frame)
      image.remove()
      // Again, because the finger may have moved since the last frame.
      if (isDropped && tell('dragover', target()).isTaken) tell('drop', target())
      tell('dragend', source.isConnected ? source : document.body)
      // For code that waits for a mouse move after a drag.
      window.dispatchEvent(new PointerEvent('pointermove', at))
    },
  }

  /** Also while the finger rests, because the content under it may scroll. */
  function over() {
    tell('dragover', target())
    frame = requestAnimationFrame(over)
  }
}

/** The drag image under the finger. */
function imageOf(source: HTMLElement): HTMLElement {
  const image = source.cloneNode(true) as HTMLElement
  const { left, top, width } = source.getBoundingClientRect()
  image.inert = true
  image.classList.add('touch-image')
  Object.assign(image.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
  document.body.append(image)
  return image
}
