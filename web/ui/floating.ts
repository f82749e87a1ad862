/** The dialogs and popovers of the page, open or not. */
const floating = new Set<HTMLElement>()

/** What is returned takes it away again. */
export function addFloating(element: HTMLElement): () => void {
  floating.add(element)
  return () => floating.delete(element)
}

/** True if something above the page is open; Esc then closes it and nothing below. */
export const isAnythingFloating = (): boolean =>
  [...floating].some((element) => element.matches(':popover-open, dialog[open]'))
