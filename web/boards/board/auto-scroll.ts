/** Scrolls an element near the pointer during a drag. Its code is loaded once the board is drawn, before anyone can drag far. */
export function autoScroll(element: HTMLElement): () => void {
  let isOver = false
  let end = () => {
    isOver = true
  }
  void import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element').then(
    ({ autoScrollForElements }) => {
      if (!isOver) end = autoScrollForElements({ element })
    },
    // Without it a card is still moved within view.
    () => {},
  )
  return () => end()
}
