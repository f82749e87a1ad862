// What stays of elements that a description does not keep: where a line or a word ends, and the words of their attributes. The service
// unwraps what was sent with it, the web app what was pasted.
import { allowedBlocks } from './allowed-html.ts'
import { leavesBreak, leavesSpace } from './elements.ts'
import { standsApart } from './foreign-elements.ts'

interface Element {
  name: string
  attributes: ReadonlyMap<string, string>
}

const display = /(?:^|;)\s*display\s*:\s*([a-z-]+)/gi

/** What stands for the edges of an element besides its tags: a break, a space or nothing. */
export function edgeOf({ name, attributes }: Element, isKept: boolean): 'wbr' | 'img' | undefined {
  if (isKept && (allowedBlocks.has(name) || name === 'br')) return undefined
  // A block ends the paragraph before it, whatever its style.
  if (!isKept && leavesBreak(name)) return 'wbr'
  const shownAs = [...(attributes.get('style') ?? '').matchAll(display)].at(-1)?.[1]?.toLowerCase() ?? ''
  if (/inline-/.test(shownAs)) return 'img'
  if (/^(?:block|flex|flow|grid|list-item|table|-)/.test(shownAs)) return 'wbr'
  if (isKept) return undefined
  return leavesSpace(name) || standsApart(name, attributes) || isWordedImage(name, attributes)
    ? 'img'
    : undefined
}

/** The words for an image are no part of those beside it; an emoji may be. */
const isWordedImage = (name: string, attributes: Element['attributes']) =>
  (name === 'img' || name === 'image') && /[\p{L}\p{N}]/u.test(attributes.get('alt') ?? '')

/** Mail programs send emoji as images. */
const shownAttributes = new Map([
  ['img', 'alt'],
  ['image', 'alt'],
  ['option', 'label'],
  ['optgroup', 'label'],
])
const inputsWithoutValue = /^(?:checkbox|color|file|hidden|password|radio|range)$/
const inputsWithoutPlaceholder =
  /^(?:button|checkbox|color|date|datetime-local|file|hidden|month|radio|range|reset|submit|time|week)$/

/** The text that a browser shows for the tag itself. */
export function wordsOf({ name, attributes }: Element, isEmpty: boolean): string {
  const given = (attribute: string) => attributes.get(attribute) ?? ''
  if (name === 'textarea') return isEmpty ? given('placeholder') : ''
  if (name !== 'input') return given(shownAttributes.get(name) ?? '')
  const type = given('type').toLowerCase()
  if (type === 'image') return given('alt')
  const value = inputsWithoutValue.test(type) ? '' : given('value')
  return value || (inputsWithoutPlaceholder.test(type) ? '' : given('placeholder'))
}
