// Descriptions in lists of boards: 200 of the longest would be 50 MB, so a long one is shown by its beginning.
import { excerpt } from '#text/excerpt.ts'
import { escaped } from '#text/write-html.ts'

const longestListed = 1000

interface Described {
  description: string | null
  description_format: 'text' | 'html'
}

/** One character more than is shown, so that a longer one is known. */
export const listedDescription = (column: string) =>
  `left(${column}, ${longestListed + 1}) as description, description_format(${column}),`

/** Whole up to 1,000 characters; of a longer one the beginning, without formatting. HTML stays HTML, since v1 does not name the format. */
export function withListedDescription<Row extends Described>(row: Row): Row {
  const { description: text, description_format: format } = row
  if (text === null || [...text].length <= longestListed) return row
  const parts = excerpt({ text, isHtml: format === 'html', isBeginning: true }, []).map((part) => part.text)
  const shown = `${parts.join('').replace(/ …$/, '')} …`.trim()
  return { ...row, description: format === 'html' ? `<p>${escaped(shown)}</p>` : shown }
}
