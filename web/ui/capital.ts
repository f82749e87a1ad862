import { locale } from '../words/locale.ts'

/** A word at the beginning of a label. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
