// Turns Markdown into formatting while it is typed in the editor, and a pasted link into one on the selected text.
import type Squire from 'squire-rte'

/** At the beginning of a line, followed by a space. The editor itself knows `* ` and `1. `. */
const lineMarks: Record<string, (editor: Squire) => unknown> = {
  '-': (editor) => editor.makeUnorderedList(),
  '>': (editor) => editor.increaseQuoteLevel(),
  '#': (editor) => setBlock(editor, 'H2'),
  '##': (editor) => setBlock(editor, 'H2'),
  '###': (editor) => setBlock(editor, 'H3'),
  '[]': (editor) => editor.insertPlainText('☐ ', false),
}

/** Around words; what is typed last ends them. */
const wordMarks: readonly (readonly [RegExp, string])[] = [
  [/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, 'B'],
  [/(?<!\*)\*([^*\s](?:[^*]*[^*\s])?)\*$/, 'I'],
  [/~~([^~\s](?:[^~]*[^~\s])?)~~$/, 'S'],
  [/`([^`]+)`$/, 'CODE'],
]

const isLink = /^https?:\/\/\S+$/i

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
  root.addEventListener(
    'paste',
    (event) => {
      const pasted = event.clipboardData?.getData('text/plain').trim() ?? ''
      if (editor.getSelection().collapsed || !isLink.test(pasted)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      editor.makeLink(pasted)
    },
    // Before the editor's own listener, which would replace the text.
    { signal, capture: true },
  )
  return () => listening.abort()
}

function format(editor: Squire, typed: string) {
  const range = editor.getSelection()
  const { startContainer: text, startOffset: end } = range
  if (!range.collapsed || !(text instanceof Text) || /(?:^|>)(?:PRE|CODE)\b/.test(editor.getPath())) return
  const before = text.data.slice(0, end).replaceAll('\u00a0', ' ')
  const line = before.replaceAll('\u200b', '')
  const isFirst = text.parentElement?.nodeName === 'P' && text.previousSibling === null
  if (isFirst && line === '```') return replace(editor, text, 0, end, (made) => made.code())
  const mark = isFirst && typed === ' ' ? lineMarks[line.slice(0, -1)] : undefined
  if (mark) return replace(editor, text, 0, end, mark)
  for (const [pattern, tag] of wordMarks) {
    const found = pattern.exec(before)
    if (found) return formatWords(editor, text, found, tag)
  }
}

/** Removes the mark and does what it stands for. */
function replace(editor: Squire, text: Text, start: number, end: number, act: (editor: Squire) => unknown) {
  const range = document.createRange()
  editor.saveUndoState(editor.getSelection())
  text.deleteData(start, end - start)
  range.setStart(text, start)
  editor.setSelection(range)
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
