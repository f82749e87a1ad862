// Keeps the focus: when the focused element disappears, the nearest one gets it. One place for the whole app, because any
// element can disappear at any time, by the person's action, someone else's, or a page change.

/** Areas such as dialogs and panels; once they are gone, the focus returns to where it was before. */
const visited = '.toasts, .popover, dialog, .panel, .tour'
/** The search for a near element ends here, because outside is another page. */
const ends = '#content, #root, body'
const focusable = 'a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex]'

/** An element that had the focus, and its path: each parent with the index of the child below. */
interface Held {
  element: HTMLElement
  visit: Element | null
  trail: { parent: Element; place: number }[]
}

/** How long code that recreates an element may take to focus it. */
const usualFrames = 2
let framesToWait = 0

/** Called by code that will focus an element that does not exist yet. */
export function expectFocus(frames: number) {
  framesToWait = Math.max(framesToWait, frames)
}

const headings = new Set<HTMLElement>()

/** The `ref` of a page's heading. */
export function pageHeading(element: HTMLElement | null) {
  if (element) headings.add(element)
  return () => {
    if (element) headings.delete(element)
  }
}

export function keepFocus(): void {
  let last: Held | undefined
  let isWaiting = false
  const cameFrom = new WeakMap<Element, Held>()

  document.addEventListener('focusin', ({ target }) => {
    const held = hold(target as HTMLElement)
    const isReturn = last?.visit && (last.visit.matches('.toasts') || held.visit?.contains(last.visit))
    if (held.visit && last && held.visit !== last.visit && !isReturn) cameFrom.set(held.visit, last)
    last = held
    framesToWait = 0
  })
  // A press on the background removes the focus on purpose; a removed element is gone by then.
  document.addEventListener('focusout', () =>
    setTimeout(() => {
      if (isNowhere() && last?.element.isConnected) last = undefined
    }),
  )
  new MutationObserver(() => {
    if (isWaiting || !isLost()) return
    isWaiting = true
    framesToWait = Math.max(framesToWait, usualFrames)
    requestAnimationFrame(rescue)
  }).observe(document.body, { childList: true, subtree: true })

  const isLost = () => isNowhere() && last?.element.isConnected === false

  function rescue() {
    if (isLost() && framesToWait-- > 0) return void requestAnimationFrame(rescue)
    isWaiting = false
    if (isLost()) (returnTo(last) ?? heading())?.focus()
  }

  /** The element itself, the nearest one, or the one that was focused before its area was entered. */
  function returnTo(held: Held | undefined): HTMLElement | undefined {
    if (!held || held.element.isConnected) return held?.element
    if (!held.visit || (held.visit.isConnected && !held.visit.matches('.toasts'))) return nearest(held)
    const before = cameFrom.get(held.visit)
    cameFrom.delete(held.visit)
    return returnTo(before)
  }
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body

function hold(element: HTMLElement): Held {
  const trail: Held['trail'] = []
  for (let child: Element = element; child.parentElement; child = child.parentElement)
    trail.push({ parent: child.parentElement, place: [...child.parentElement.children].indexOf(child) })
  return { element, visit: element.closest(visited), trail }
}

/** The element at the same index or after it, or else before it; preferably of the same kind, so that people can work through a list. */
function nearest({ element, visit, trail }: Held): HTMLElement | undefined {
  for (const { parent, place } of trail) {
    if (parent.matches(ends)) return undefined
    if (!parent.isConnected) continue
    const children = [...parent.children]
    const after = children.slice(place).map(within)
    const before = children.slice(0, place).reverse().map(within)
    for (const [candidates, other] of [
      [after.find(({ length }) => length > 0), 0],
      [before.find(({ length }) => length > 0), -1],
    ] as const)
      if (candidates)
        return candidates.find(({ className }) => className === element.className) ?? candidates.at(other)
    if (parent === visit) return undefined
  }
  return undefined
}

const within = (element: Element): HTMLElement[] =>
  [element, ...element.querySelectorAll(focusable)].filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement &&
      one.matches(focusable) &&
      one.checkVisibility({ visibilityProperty: true }),
  )

/** A new page gets the focus on its heading. */
function heading(): HTMLElement | undefined {
  const newest = [...headings].at(-1)
  if (newest) newest.tabIndex = -1
  return newest
}
