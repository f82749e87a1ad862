import { flushSync } from 'react-dom'
import { isTyping } from './commands.ts'

/** Presses a key again that was pressed before the code for it was loaded. Browsers do nothing by themselves with such a key. */
export function pressAgain(held: KeyboardEvent, target: HTMLElement) {
  const { key } = held
  // What it opens has the focus before the next one.
  const isUnused = flushSync(() => target.dispatchEvent(new KeyboardEvent('keydown', held)))
  if (!isUnused) return
  if (!isTyping(target)) {
    if (key === 'Enter') target.click()
  } else if (key === 'Enter') (target as HTMLInputElement).form?.requestSubmit()
  else if (key === 'Backspace') document.execCommand('delete')
  else if (key.length === 1) document.execCommand('insertText', false, key)
}
