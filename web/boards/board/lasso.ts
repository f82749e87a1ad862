import { announceSelection } from '../selecting.ts'
import type { Selection } from '../selection.ts'
import './lasso.css'
import type { Stage } from './stage.ts'

const slopPixels = 4

/** Selects cards with a rectangle that is drawn from an empty place of the board; a click there ends the selection. */
export function lasso(scroller: HTMLElement, stage: Stage, selection: Selection): () => void {
  const listening = new AbortController()
  const { signal } = listening
  scroller.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 || event.pointerType !== 'mouse' || !isEmptyPlace(event, scroller)) return
      draw(event, stage, selection, signal)
    },
    { signal },
  )
  return () => listening.abort()
}

/** Cards and headers can be dragged, and controls have other uses; text can be selected. */
function isEmptyPlace(event: PointerEvent, scroller: HTMLElement): boolean {
  const path = event.composedPath() as HTMLElement[]
  const inside = path.slice(0, path.indexOf(scroller))
  // A press on a scrollbar is on its element, beyond the content.
  const { target, offsetX, offsetY } = event
  const { clientWidth, clientHeight } = target as HTMLElement
  if (offsetX >= clientWidth || offsetY >= clientHeight) return false
  return inside.every(
    (element) =>
      !element.draggable && !['A', 'BUTTON', 'INPUT', 'TEXTAREA', 'FORM', 'HEADER'].includes(element.tagName),
  )
}

function draw(start: PointerEvent, stage: Stage, selection: Selection, outer: AbortSignal) {
  const drawing = new AbortController()
  const signal = AbortSignal.any([outer, drawing.signal])
  const isAdding = start.ctrlKey || start.metaKey || start.shiftKey
  const before = isAdding ? [...selection.ids()] : []
  let box: HTMLElement | undefined
  let last: number | undefined
  function onMove({ clientX, clientY }: PointerEvent) {
    const area = new DOMRect(start.clientX, start.clientY, clientX - start.clientX, clientY - start.clientY)
    if (!box && Math.hypot(area.width, area.height) < slopPixels) return
    box ??= addBox()
    const { left, top, right, bottom } = area
    Object.assign(box.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${right - left}px`,
      height: `${bottom - top}px`,
    })
    // Only cards in sight have an element, however many the board has.
    const touched = Array.from(stage.links.entries(), ([id, link]) => ({
      id,
      at: (link.parentElement as HTMLElement).getBoundingClientRect(),
    })).filter(({ at }) => at.left < right && at.right > left && at.top < bottom && at.bottom > top)
    // In the order of the board.
    touched.sort((a, b) => a.at.left - b.at.left || a.at.top - b.at.top)
    selection.set([...before, ...touched.map(({ id }) => id)])
    last = touched.at(-1)?.id
  }
  function end() {
    drawing.abort()
    if (!box && !isAdding && selection.ids().size > 0) selection.set([])
    if (box) announceSelection(selection)
    box?.remove()
    // Keys that are pressed on it then act on all selected cards.
    if (last !== undefined) stage.focusCard(last)
  }
  // Keeps the pointer from selecting text on its way.
  start.preventDefault()
  ;(document.activeElement as HTMLElement | null)?.blur()
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', end, { signal })
  window.addEventListener('pointercancel', end, { signal })
}

function addBox(): HTMLElement {
  const box = document.createElement('div')
  box.className = 'lasso'
  document.body.append(box)
  return box
}
