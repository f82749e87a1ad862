// Tables in the editor: a new one, and the keys that lead from cell to cell.
import type Squire from 'squire-rte'

/** The titles of a typed line such as `| Name | Price |`. */
export function titlesIn(line: string): string[] | undefined {
  const [, inside] = /^\s*\|(.*\S.*)\|\s*$/.exec(line) ?? []
  return inside?.split('|').map((title) => title.trim())
}

/** Puts a table in the place of a typed line, or after the block of the cursor. */
export function insertTable(editor: Squire, titles?: string[]) {
  const root = editor.getRoot()
  const selection = editor.getSelection()
  const block = [...root.childNodes].find((child) => child.contains(selection.startContainer))
  editor.saveUndoState(selection)
  const table = document.createElement('table')
  const names = titles ?? ['', '']
  table.createTHead().append(rowOf('th', names))
  table.createTBody().append(
    rowOf(
      'td',
      names.map(() => ''),
    ),
  )
  if (block) block.after(table)
  else root.append(table)
  // Leaves a line to type after it.
  if (!table.nextSibling) table.after(filled('p', ''))
  if (titles || block?.textContent === '') block?.remove()
  enter(editor, table.querySelector(titles ? 'td' : 'th'))
}

function rowOf(tag: 'th' | 'td', texts: readonly string[]) {
  const row = document.createElement('tr')
  row.append(...texts.map((text) => filled(tag, text)))
  return row
}

/** An empty element needs a break, or it has no line for the cursor. */
function filled(tag: string, text: string) {
  const element = document.createElement(tag)
  element.append(text === '' ? document.createElement('br') : text)
  return element
}

function enter(editor: Squire, cell: Element | null | undefined) {
  if (!cell) return
  const range = document.createRange()
  range.setStart(cell, 0)
  editor.setSelection(range)
}

/** Tab leads to the next cell, and after the last one to a new row; Shift and Tab lead back. False outside of tables. */
export function moveInTable(editor: Squire, isBack: boolean): boolean {
  const { startContainer: node } = editor.getSelection()
  const cell = (node instanceof Element ? node : node.parentElement)?.closest('th, td')
  const table = cell?.closest('table')
  if (!cell || !table) return false
  const cells = [...table.querySelectorAll('th, td')]
  const next = cells[cells.indexOf(cell) + (isBack ? -1 : 1)]
  // Before the first cell the focus leaves the field as usual.
  if (!next && isBack) return false
  if (next) enter(editor, next)
  else {
    editor.saveUndoState(editor.getSelection())
    const count = cell.parentElement?.children.length ?? 1
    const row = rowOf(
      'td',
      Array.from({ length: count }, () => ''),
    )
    ;(table.tBodies[0] ?? table.createTBody()).append(row)
    enter(editor, row.firstElementChild)
  }
  return true
}
