import { formatNumber } from '../words/locale.ts'

/** A text or a number that a person types to confirm. */
export type Typed = string | number

export const inLetters = (typed: Typed): string => (typeof typed === 'number' ? formatNumber(typed) : typed)

/** True if the text is what was asked for; a number may be typed with or without separators between thousands. */
export function isTyped(typed: Typed, text: string): boolean {
  if (typeof typed === 'string') return text.trim() === typed
  return text.replaceAll(/[\s.,'’]/g, '') === String(typed)
}
