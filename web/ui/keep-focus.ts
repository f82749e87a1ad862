// Focus is never lost: when the element that has it goes away, what is nearest to it takes it. One place for the whole app,
// because any element can go at any moment: by an own action, by somebody else's, by leaving the page.

/** Places that are entered and left again; once they are gone, focus is where it was before. */
const visited = '.toasts, .popover, dialog, .panel'
/** Above these there is another page, on which nothing is near. */
const ends = '#content, #root, body'
const focusable = 'a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex]'

/** An element that had focus, and the way to where it was: each parent with the place of the child below. */
interface Held {
  element: HTMLElement
  visit: Element | null
  trail: { parent: Element; place: number }[]
}

/** Whoever makes the element anew focuses it within a few frames. */
const usualFrames = 2
let framesToWait = 0

/** Told by who is about to focus something that is not there yet. */
export function expectFocus(frames: number) {
  framesToWait = Math.max(framesToWait, frames)
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
  // A press on nothing is a wish to have nothing focused; an element that is taken away is gone by then.
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

  /** The element itself, what is nearest to it, or where focus was before the place that it was in. */
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

/** What is in the place now or comes after it, else before; of the same looks if it can be, so that a list can be worked through. */
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

/** A page that has just been opened is read from its heading. */
function heading(): HTMLElement | null {
  const found = document.querySelector<HTMLElement>('h1')
  if (found) found.tabIndex = -1
  return found
}
