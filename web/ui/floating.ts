/** The dialogs and popovers of the page, open or not. */
const floating = new Set<HTMLElement>()

/** What is returned takes it away again. */
export function addFloating(element: HTMLElement): () => void {
  floating.add(element)
  return () => floating.delete(element)
}

/** Whether Esc closes something above the page, which is then not for what lies beneath. */
export const isAnythingFloating = (): boolean =>
  [...floating].some((element) => element.matches(':popover-open, dialog[open]'))
