// How the editor is filled and read. Plain text that nobody formats stays plain text, to the last tab and space.
import type Squire from 'squire-rte'
import { holdsTag, mayRun } from '#text/tag-patterns.ts'

/** Begins the editor with a text; answers what reads it: the text as it is now, plain or HTML. */
export function fill(editor: Squire, text: string, isHtml: boolean): () => string {
  if (!isHtml) return fillPlain(editor, text)
  // There has to be a place to write after a table; it is not saved unless it is used.
  editor.setHTML(text.endsWith('</table>') ? `${text}<p><br></p>` : text)
  return () => htmlIn(editor.getHTML(), editor.getRoot())
}

/** No width and no meaning: the editor uses it itself, and leaves the spaces beside it alone. */
const guard = '\u200b'

/** A paragraph for each line. */
function fillPlain(editor: Squire, text: string): () => string {
  const root = editor.getRoot()
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const paragraphs = text.split(/\r\n?|\n/).map((line) => {
    const paragraph = document.createElement('p')
    const guarded = /^\s|\s$/.test(line) ? guard + line + guard : line
    paragraph.append(line === '' ? document.createElement('br') : guarded)
    return paragraph.outerHTML
  })
  editor.setHTML(paragraphs.join(''))
  return () => {
    const lines = linesIn(root)
    const plain = lines?.join(newline) ?? ''
    // The same patterns as the service has: what it would read as HTML is sent as HTML, with every character escaped.
    if (lines && !holdsTag(plain) && !mayRun(plain)) return plain.trim() === '' ? '' : plain
    const copy = root.cloneNode(true) as HTMLElement
    const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) widen(texts.currentNode as Text)
    return htmlIn(copy.innerHTML, root)
  }
}

/** The lines of a text without any formatting; undefined where there is some. */
function linesIn(root: HTMLElement): string[] | undefined {
  const lines: string[] = []
  for (const block of root.childNodes) {
    const parts = [...block.childNodes]
    const isPlain = block.nodeName === 'P' && parts.every(({ nodeName }) => /^(?:#text|BR)$/.test(nodeName))
    if (!isPlain) return undefined
    // The last break only keeps the line open.
    if (parts.at(-1)?.nodeName === 'BR') parts.pop()
    const line = parts.map((part) => (part.nodeName === 'BR' ? '\n' : part.textContent)).join('')
    lines.push(line.replaceAll(guard, ''))
  }
  return lines
}

/** In HTML spaces fall together, so each is one that does not. */
function widen(text: Text) {
  text.data = text.data
    .replaceAll(guard, '')
    .replaceAll('\t', '    ')
    .replace(/^ +| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length))
}

/** The editor writes a space at the end as one that does not break, which nobody means; those that indent or align are meant. */
const htmlIn = (html: string, root: HTMLElement) =>
  root.textContent?.trim()
    ? html
        .replaceAll('&nbsp;', '\u00a0')
        .replace(/(?<![ \u00a0]|<p>|<br>)\u00a0(?![ \u00a0])/g, ' ')
        .replace(/(<\/table>)(?:<p><br><\/p>)+$/, '$1')
    : ''
