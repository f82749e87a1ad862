// Prepares pasted HTML for the editor, so that no word and no line break is lost.
import { allowed, allowedBlocks } from '#text/allowed-html.ts'
import { silent, tableParts } from '#text/elements.ts'
import { edgeOf, wordsOf } from '#text/unwrapping.ts'
import { writeTree } from '#text/write-html.ts'
import { widened } from './editor-text.ts'
import { cleanFragment } from './html.tsx'

type Tree = Parameters<typeof writeTree>[0]

/** Removes what a description cannot contain by the same rules as the service, and puts each line into a paragraph. */
export function pastedHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const { html: clean } = writeTree({ childNodes: treeOf(body, false) } as Tree)
  return inParagraphs(cleanFragment(clean))
}

type Branch = { value: string } | { tagName: string; attrs: Attr[]; childNodes: Branch[] }

const branch = (tagName: string, element?: Element, childNodes: Branch[] = []): Branch => ({
  tagName,
  attrs: [...(element?.attributes ?? [])],
  childNodes,
})

/** `keepsSpaces` is true where the style of the page shows spaces and line breaks as they are. */
function treeOf(parent: Element, keepsSpaces: boolean): Branch[] {
  return [...parent.childNodes].flatMap((node) => {
    if (node instanceof Text) return keepsSpaces ? linesOf(node.data) : [{ value: node.data }]
    if (!(node instanceof Element) || silent.has(node.localName)) return []
    const name = node.localName
    const style = node.getAttribute('style') ?? ''
    const [, spaces] = /white-space(?:-collapse)?:\s*([\w-]+)/i.exec(style) ?? []
    // Code is kept as it is.
    const keeps = !node.closest('pre') && (spaces ? /^(?:pre|break)/.test(spaces) : keepsSpaces)
    const inside = treeOf(node, keeps)
    const isKept = allowed.has(name) && (!tableParts.has(name) || node.closest('table') !== null)
    const element = {
      name,
      attributes: new Map([...node.attributes].map((given) => [given.name, given.value])),
    }
    const edge = edgeOf(element, isKept)
    const mark = edge ? [branch(edge)] : []
    if (isKept) return [...mark, branch(name, node, inside), ...mark]
    const words = wordsOf(element, node.textContent === '')
    if (words) inside.unshift({ value: words }, ...mark)
    return [...mark, ...(name === 'q' ? [{ value: '“' }, ...inside, { value: '”' }] : inside), ...mark]
  })
}

function linesOf(text: string): Branch[] {
  const [first = '', ...rest] = text.split('\n')
  // A single space before the first word may follow another word.
  const begun = widened(`-${first}`).slice(1)
  return [{ value: begun }, ...rest.flatMap((line) => [branch('br'), { value: widened(line) }])]
}

/** A single line gets no paragraph, so that it continues the line of the cursor. */
function inParagraphs(fragment: DocumentFragment): string {
  const blocks: Element[] = []
  let lines = 0
  let line: HTMLElement | undefined
  const startLine = () => {
    line = document.createElement('p')
    lines = blocks.push(line)
    return line
  }
  for (const node of [...fragment.childNodes]) {
    const isBreak = node.nodeName === 'BR'
    const isBlock = node instanceof Element && allowedBlocks.has(node.localName)
    if (isBlock) blocks.push(node)
    else if (!isBreak && (line || /[^\t\n\r ]/.test(node.textContent ?? '')))
      (line ?? startLine()).append(node)
    else if (isBreak && !line) startLine().append(node)
    if (isBreak || isBlock) line = undefined
  }
  const isOneLine = blocks.length === 1 && lines === 1
  return blocks.map((block) => (isOneLine ? block.innerHTML : block.outerHTML)).join('')
}
