// The words of cleaned HTML, for excerpts and for the app's filters.
import { allowed, allowedBlocks } from './allowed-html.ts'

const tag = /<\/?([a-z][a-z0-9]*)(?: [a-z-]+="[^"]*")*\s*\/?>/gi
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** Inline elements may be part of a word; blocks and line breaks separate words. */
const shownFor = (name: string) => (allowed.has(name) && !allowedBlocks.has(name) && name !== 'br' ? '' : ' ')

export const textOfHtml = (html: string): string =>
  html
    .replace(tag, (_, name: string) => shownFor(name))
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] as string)
