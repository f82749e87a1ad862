import './touch.css'

/** Long enough that a scroll or a tap is none, short enough that the browser's own long press comes later. */
const pressMilliseconds = 300
/** A finger never rests quite still. */
const slopPixels = 8

interface Lifted {
  moveTo(touch: Touch): void
  /** Drops it where the finger is, or puts it back. */
  end(isDropped: boolean): void
}

/**
 * Dragging by touch. Browsers turn a long press into a drag each in its own way, or not at all. Here it is told as the drag events that
 * a mouse would cause, so that everything behind them (edges, scrolling, landing) is the same for finger and mouse.
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

  /** On what was touched itself: somebody may delete the card meanwhile, and what is not on the page tells nobody else. */
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
    // What was dropped is not also tapped.
    if (lifted) event.preventDefault()
    letGo(true)
  }

  /** What the browser makes of a long press itself, and pointer events, which no drag by mouse has. */
  function onForeign(event: Event) {
    if (!lifted || !event.isTrusted) return
    event.stopImmediatePropagation()
    event.preventDefault()
  }

  scroller.addEventListener('touchstart', onStart, { signal, passive: true })
  // Safari lets a touch be kept from scrolling only where somebody listened before it began.
  scroller.addEventListener('touchmove', () => {}, { signal, passive: false })
  for (const type of ['contextmenu', 'dragstart', 'pointerdown', 'pointermove'])
    window.addEventListener(type, onForeign, { signal, capture: true })
  return () => {
    letGo(false)
    listening.abort()
  }
}

/** Undefined where it must not be moved. */
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
      // Once more, since the finger may have moved after the last frame.
      if (isDropped && tell('dragover', target()).isTaken) tell('drop', target())
      tell('dragend', source.isConnected ? source : document.body)
      // What waits for the mouse to move again after a drag.
      window.dispatchEvent(new PointerEvent('pointermove', at))
    },
  }

  /** Also while the finger rests: what is under it may scroll. */
  function over() {
    tell('dragover', target())
    frame = requestAnimationFrame(over)
  }
}

/** What is seen under the finger: a picture and nothing else. */
function imageOf(source: HTMLElement): HTMLElement {
  const image = source.cloneNode(true) as HTMLElement
  const { left, top, width } = source.getBoundingClientRect()
  image.inert = true
  image.classList.add('touch-image')
  Object.assign(image.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
  document.body.append(image)
  return image
}
