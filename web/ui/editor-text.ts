// Fills and reads the editor. Unformatted plain text stays plain text, including every tab and space.
import type Squire from 'squire-rte'
import { holdsTag, mayRun } from '#text/tag-patterns.ts'

/** Puts a text into the editor, and returns a function that reads it as plain text or HTML. */
export function fill(editor: Squire, text: string, isHtml: boolean): () => string {
  if (!isHtml) return fillPlain(editor, text)
  // Leaves a line to type after a table; it is not saved unless it is used.
  editor.setHTML(text.endsWith('</table>') ? `${text}<p><br></p>` : text)
  return () => htmlIn(editor.getHTML(), editor.getRoot())
}

/** A zero-width character that the editor uses itself; it keeps the spaces beside it. */
const guard = '\u200b'

const lineEnd = /\r\n?|\n/g

/** A paragraph for each line. */
export function paragraphsOf(text: string, isHtml: boolean): HTMLElement[] {
  return text.split(lineEnd).map((line) => {
    const paragraph = document.createElement('p')
    const guarded = /^\s|\s$/.test(line) ? guard + line + guard : line
    paragraph.append(line === '' ? document.createElement('br') : isHtml ? widened(line) : guarded)
    return paragraph
  })
}

/** Each paragraph remembers how its line ended, also after an undo, which restores HTML. */
function fillPlain(editor: Squire, text: string): () => string {
  const root = editor.getRoot()
  const ends = text.match(lineEnd) ?? []
  const newline = ends[0] ?? '\n'
  const paragraphs = paragraphsOf(text, false).map((paragraph, index) => {
    const end = ends[index]
    if (end) paragraph.dataset['end'] = encodeURIComponent(end)
    return paragraph.outerHTML
  })
  editor.setHTML(paragraphs.join(''))
  return () => {
    const plain = plainIn(root, newline)
    // Text that the service would read as HTML is sent as escaped HTML; the patterns are the service's own.
    if (plain !== undefined && !holdsTag(plain) && !mayRun(plain)) return plain.trim() === '' ? '' : plain
    const copy = root.cloneNode(true) as HTMLElement
    for (const line of copy.querySelectorAll('[data-end]')) line.removeAttribute('data-end')
    const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode as Text
      node.data = widened(node.data.replaceAll(guard, ''))
    }
    return htmlIn(copy.innerHTML, root)
  }
}

/** An unformatted text, with `newline` after new lines; undefined if there is formatting. */
function plainIn(root: HTMLElement, newline: string): string | undefined {
  let text = ''
  for (const block of root.childNodes) {
    const parts = [...block.childNodes]
    const isPlain = parts.every(({ nodeName }) => /^(?:#text|BR)$/.test(nodeName))
    if (!(block instanceof HTMLParagraphElement && isPlain)) return undefined
    // The last break only keeps the line visible.
    if (parts.at(-1)?.nodeName === 'BR') parts.pop()
    const line = parts.map((part) => (part.nodeName === 'BR' ? newline : part.textContent)).join('')
    const { end } = block.dataset
    text += line.replaceAll(guard, '')
    if (block.nextSibling) text += end ? decodeURIComponent(end) : newline
  }
  return text
}

/** HTML collapses spaces, so each becomes a non-breaking one. */
export const widened = (text: string) =>
  text.replaceAll('\t', '    ').replace(/^ +| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length))

/** The editor writes a trailing space as a non-breaking one, which is not intended; non-breaking spaces that indent or align are kept. */
const htmlIn = (html: string, root: HTMLElement) =>
  root.textContent?.trim()
    ? html
        .replaceAll('&nbsp;', '\u00a0')
        .replace(/(?<![ \u00a0]|<p>|<br>)\u00a0(?![ \u00a0])/g, ' ')
        .replace(/(<\/(?:table|ul|ol)>)(?:<p><br><\/p>)+$/, '$1')
        // The editor leaves these behind when a block of code is left.
        .replace(/(?<=<\/(?:p|pre)>)(?:<br>|<div><br><\/div>)(?:<p><br><\/p>)*$/, '')
        // A break after the text of a line only keeps the line visible.
        .replace(/(?<=[^>])<br><\/p>/g, '</p>')
    : ''

/** Browsers show no line after a break at the end of a block, so what is typed next would continue the line before. */
export function keepLastLine({ startContainer, startOffset }: Range) {
  const added = startContainer.childNodes[startOffset - 1]
  if (!(added instanceof HTMLBRElement)) return
  const rest = document.createRange()
  rest.setStartAfter(added)
  rest.setEndAfter(added.closest('p, li, td, th, h1, h2, h3')?.lastChild ?? added)
  if (rest.toString() === '' && !rest.cloneContents().querySelector('br'))
    added.after(document.createElement('br'))
}
