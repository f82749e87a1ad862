// Turns Markdown into formatting while it is typed in the editor. The editor itself knows `* ` and `1. `, and puts a pasted link on selected words.
import type Squire from 'squire-rte'
import { insertTable, moveInTable, titlesIn } from './editor-table.ts'

/** At the beginning of a line, followed by a space. */
const lineMarks: Record<string, (editor: Squire) => unknown> = {
  '-': (editor) => editor.makeUnorderedList(),
  '>': (editor) => editor.increaseQuoteLevel(),
  '#': (editor) => setBlock(editor, 'H2'),
  '##': (editor) => setBlock(editor, 'H2'),
  '###': (editor) => setBlock(editor, 'H3'),
}
const box = '[]'

/** Around words; what is typed last ends them. */
const wordMarks: readonly (readonly [RegExp, string])[] = [
  [/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, 'B'],
  [/(?<!\*)\*([^*\s](?:[^*]*[^*\s])?)\*$/, 'I'],
  [/~~([^~\s](?:[^~]*[^~\s])?)~~$/, 'S'],
  [/`([^`]+)`$/, 'CODE'],
]

/** Returns a function that ends it. */
export function typeMarkdown(editor: Squire): () => void {
  const root = editor.getRoot()
  const listening = new AbortController()
  const { signal } = listening
  root.addEventListener(
    'input',
    (event) => {
      const { data, isComposing } = event as InputEvent
      if (data && !isComposing) format(editor, data)
    },
    { signal },
  )
  root.parentElement?.addEventListener(
    'keydown',
    (event) => {
      if (event.target !== root || event.ctrlKey || event.metaKey || event.altKey || !onKey(editor, event))
        return
      event.preventDefault()
      event.stopPropagation()
    },
    // Above the editor's own listener, which would begin a line or indent it.
    { signal, capture: true },
  )
  return () => listening.abort()
}

/** True for a key that needs nothing else. */
function onKey(editor: Squire, { key, shiftKey }: KeyboardEvent): boolean {
  if (key === 'Tab') return moveInTable(editor, shiftKey)
  if (key === 'Enter' && !shiftKey && endCode(editor)) return true
  const line = key === 'Enter' && !shiftKey ? lineAt(editor) : undefined
  if (!line) return false
  const text = line.textContent.replaceAll('\u200b', '')
  const titles = titlesIn(text)
  if (titles) insertTable(editor, titles)
  if (text !== '```') return titles !== undefined
  const mark = document.createRange()
  mark.selectNodeContents(line)
  replace(editor, mark, (made) => made.code())
  return true
}

/** A typed line of ``` at the end of a code block ends it. */
function endCode(editor: Squire): boolean {
  const { startContainer: text, startOffset: end } = editor.getSelection()
  const code = text.parentElement?.closest('pre')
  if (!code || !(text instanceof Text)) return false
  const [mark] = /(?:^|\n)```$/.exec(text.data.slice(0, end)) ?? []
  if (!mark || !code.textContent.endsWith(text.data.slice(end - mark.length))) return false
  editor.saveUndoState(editor.getSelection())
  text.deleteData(end - mark.length, mark.length)
  const next = editor.createDefaultBlock()
  code.after(next)
  if (code.textContent === '') code.remove()
  const cursor = document.createRange()
  cursor.setStart(next, 0)
  editor.setSelection(cursor)
  return true
}

/** The paragraph of the cursor if it is not in a list, a quote or a table. */
function lineAt(editor: Squire): HTMLElement | undefined {
  const { startContainer: node } = editor.getSelection()
  const element = node instanceof HTMLElement ? node : node.parentElement
  return element?.nodeName === 'P' && element.parentElement === editor.getRoot() ? element : undefined
}

function format(editor: Squire, typed: string) {
  // The editor joins texts that are beside each other when it keeps a state, and one of them would be gone then.
  editor.getSelection().startContainer.parentElement?.normalize()
  const range = editor.getSelection()
  const { startContainer: text, startOffset: end } = range
  if (!range.collapsed || !(text instanceof Text) || /(?:^|>)(?:PRE|CODE)\b/.test(editor.getPath())) return
  const before = text.data.slice(0, end).replaceAll('\u00a0', ' ')
  const block = text.parentElement as HTMLElement
  // The beginning of the line may be in several nodes.
  const beginning = document.createRange()
  beginning.setStart(block, 0)
  beginning.setEnd(text, end)
  const line = beginning.toString().replaceAll('\u00a0', ' ').replaceAll('\u200b', '')
  const isLine = block.nodeName === 'P'
  const mark = isLine && typed === ' ' ? lineMarks[line.slice(0, -1)] : undefined
  if (mark) return replace(editor, beginning, mark)
  if (line === `${box} `) return replace(editor, beginning, (made) => made.insertPlainText('☐ ', false))
  for (const [pattern, tag] of wordMarks) {
    const found = pattern.exec(before)
    if (found) return formatWords(editor, text, found, tag)
  }
}

/** Removes the mark and does what it stands for. */
function replace(editor: Squire, mark: Range, act: (editor: Squire) => unknown) {
  editor.saveUndoState(editor.getSelection())
  mark.deleteContents()
  editor.setSelection(mark)
  act(editor)
}

function formatWords(
  editor: Squire,
  text: Text,
  { 0: all, 1: words = '', index }: RegExpExecArray,
  tag: string,
) {
  editor.saveUndoState(editor.getSelection())
  text.replaceData(index, all.length, words)
  const range = document.createRange()
  range.setStart(text, index)
  range.setEnd(text, index + words.length)
  editor.setSelection(range)
  editor.changeFormat({ tag }, null, range)
  // What follows is not formatted.
  const after = editor.getSelection()
  after.collapse(false)
  editor.setSelection(after)
  editor.changeFormat(null, { tag }, after)
}

export function setBlock(editor: Squire, tag: 'H2' | 'H3' | 'P') {
  editor.modifyBlocks((fragment) => {
    for (const block of [...fragment.querySelectorAll('p, h1, h2, h3, h4')]) {
      const other = document.createElement(tag)
      other.append(...block.childNodes)
      // An empty block has no line for the cursor.
      if (other.textContent === '' && !other.querySelector('br')) other.append(document.createElement('br'))
      block.replaceWith(other)
    }
    return fragment
  })
}
