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

/** After a field disappeared, letters do nothing on the page until nothing was typed for this long. */
const pauseMilliseconds = 2000
let last: Held | undefined
/** The person ended typing in the focused field by a key or by pressing something else. */
let hasEnded = false
let typedOnUntil = 0

const otherInputs = ['checkbox', 'radio', 'file', 'range', 'color'].map((type) => `[type=${type}]`)
const texts = `textarea, [contenteditable=true], input:not(${otherInputs})`
const isText = (target: EventTarget | null | undefined) => target instanceof Element && target.matches(texts)

const isNowhere = () => document.activeElement === null || document.activeElement === document.body
const isLost = () => isNowhere() && last?.element.isConnected === false

/** True if the text field with the focus disappeared just now. */
export const hasLostField = (): boolean =>
  performance.now() < typedOnUntil || (isLost() && isText(last?.element))

const headings = new Set<HTMLElement>()

/** The `ref` of a page's heading. */
export function pageHeading(element: HTMLElement | null) {
  if (element) headings.add(element)
  return () => {
    if (element) headings.delete(element)
  }
}

export function keepFocus(): void {
  let isWaiting = false
  const cameFrom = new WeakMap<Element, Held>()

  document.addEventListener('focusin', ({ target }) => {
    // Code that shows something else in the place of the field may focus that at once.
    noteLostField()
    const held = hold(target as HTMLElement)
    const isReturn = last?.visit && (last.visit.matches('.toasts') || held.visit?.contains(last.visit))
    if (held.visit && last && held.visit !== last.visit && !isReturn) cameFrom.set(held.visit, last)
    last = held
    framesToWait = 0
    hasEnded = false
    if (isText(target)) typedOnUntil = 0
  })
  // A press on the background removes the focus on purpose; a removed element is gone by then.
  document.addEventListener('focusout', () =>
    setTimeout(() => {
      if (isNowhere() && last?.element.isConnected) last = undefined
    }),
  )
  // On the window, before all shortcuts.
  addEventListener('keydown', onKeyDown, { capture: true })
  // Assistive technology may click without a pointer.
  for (const kind of ['pointerdown', 'click'] as const)
    addEventListener(
      kind,
      ({ target }) => {
        typedOnUntil = 0
        hasEnded = !last?.element.contains(target as Node)
      },
      { capture: true },
    )
  new MutationObserver(() => {
    if (isWaiting || !isLost()) return
    isWaiting = true
    noteLostField()
    framesToWait = Math.max(framesToWait, usualFrames)
    requestAnimationFrame(rescue)
  }).observe(document.body, { childList: true, subtree: true })

  function rescue() {
    if (isLost() && framesToWait-- > 0) return void requestAnimationFrame(rescue)
    isWaiting = false
    if (!isLost()) return
    // No button in the middle of typing, or in place of a notice: the next key would press it.
    const isUnasked = performance.now() < typedOnUntil || last?.element.matches('section')
    const found = isUnasked ? connected(last?.visit) : returnTo(last)
    ;(found ?? heading())?.focus()
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

function noteLostField() {
  if (last?.element.isConnected === false && isText(last.element) && !hasEnded)
    typedOnUntil = performance.now() + pauseMilliseconds
}

function onKeyDown(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey } = event
  const isTyped = !ctrlKey && !metaKey && (/^.$/u.test(key) || /^(Enter|Backspace|Delete)$/.test(key))
  // Who moves on with Tab sees where they are.
  if (key === 'Tab') typedOnUntil = 0
  if (performance.now() < typedOnUntil && !isText(document.activeElement)) {
    if (!isTyped) return
    typedOnUntil = performance.now() + pauseMilliseconds
    event.preventDefault()
    event.stopImmediatePropagation()
    return
  }
  if (isText(document.activeElement))
    hasEnded = ctrlKey || metaKey || altKey || /^(Enter|Escape|Tab)$/.test(key)
}

const connected = (visit: Element | null | undefined) =>
  visit instanceof HTMLElement && visit.isConnected && visit.matches('[tabindex]') ? visit : undefined

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
