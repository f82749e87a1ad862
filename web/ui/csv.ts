// Files for spreadsheets.

/** Without this mark at the beginning of a file, Excel does not read UTF-8. */
export const csvMark = '\ufeff'

export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/**
 * A spreadsheet would run a text that begins like a formula; people choose their names and strangers the addresses they try. In some
 * countries semicolons or tabs separate cells, and quotes in the middle of a line do not hold them together.
 */
function cellOf(text: string): string {
  const isFormula = /^[\s"]*[=+\-@＝＋－＠]/
  const parts = text.split(/(?<=[;\t\r\n])/)
  const safe = parts.map((part) => (isFormula.test(part) ? `'${part}` : part)).join('')
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves a file in the browser. */
export function saveFile(file: Blob, name: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

export const csvFile = (parts: BlobPart[]): Blob => new Blob(parts, { type: 'text/csv;charset=utf-8' })
