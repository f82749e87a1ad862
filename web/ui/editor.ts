import Squire from 'squire-rte'
import { paragraphsOf } from './editor-text.ts'
import { cleanFragment } from './html.tsx'
import { pastedHtml } from './pasted.ts'

/** Squire, except that pasted text keeps its words, line breaks and indentation. */
export class Editor extends Squire {
  readonly #isHtml: boolean

  constructor(field: HTMLElement, isHtml: boolean) {
    super(field, { blockTag: 'P', sanitizeToDOMFragment: cleanFragment })
    this.#isHtml = isHtml
  }

  override insertHTML(html: string, isPaste?: boolean) {
    return super.insertHTML(isPaste ? pastedHtml(html) : html, isPaste)
  }

  override insertPlainText(text: string, isPaste: boolean) {
    // Code is text already.
    if (!isPaste || /(?:^|>)PRE\b/.test(this.getPath())) return super.insertPlainText(text, isPaste)
    const [first, ...rest] = paragraphsOf(text, this.#isHtml)
    // The first line continues the line of the cursor.
    const html = (first?.innerHTML ?? '') + rest.map(({ outerHTML }) => outerHTML).join('')
    return super.insertHTML(html, true)
  }
}
