import Squire from 'squire-rte'
import { paragraphsOf } from './editor-text.ts'
import { cleanFragment } from './html.tsx'
import { pastedHtml } from './pasted.ts'

/** Squire, except that pasted text keeps its words, line breaks and indentation. */
export class Editor extends Squire {
  #isHtml: boolean
  readonly #becomesPlain: (pasted: string) => boolean

  /** `becomesPlain` takes a pasted text as the whole text if nothing was written before it. */
  constructor(field: HTMLElement, isHtml: boolean, becomesPlain: (pasted: string) => boolean) {
    super(field, { blockTag: 'P', sanitizeToDOMFragment: cleanFragment })
    this.#isHtml = isHtml
    this.#becomesPlain = becomesPlain
  }

  override insertHTML(html: string, isPaste?: boolean) {
    return super.insertHTML(isPaste ? pastedHtml(html) : html, isPaste)
  }

  override insertPlainText(text: string, isPaste: boolean): Squire {
    // Code is text already.
    if (!isPaste || /(?:^|>)PRE\b/.test(this.getPath())) return super.insertPlainText(text, isPaste)
    // HTML has no tabs and no runs of spaces.
    if (this.#isHtml && /\t| {2}|^ /m.test(text) && this.#becomesPlain(text)) {
      this.#isHtml = false
      return this
    }
    const [first, ...rest] = paragraphsOf(text, this.#isHtml)
    // The first line continues the line of the cursor.
    const html = (first?.innerHTML ?? '') + rest.map(({ outerHTML }) => outerHTML).join('')
    return super.insertHTML(html, true)
  }
}
