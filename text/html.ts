/** Text that is already HTML; anything else is escaped when it enters a template. */
export interface Html {
  readonly html: string
}

/** `false` and `undefined` write nothing, so that `condition && html…` works. */
type Part = Html | string | number | false | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.map((text, index) => text + write(parts[index])).join('') }
}

function write(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map(write).join('')
}

/** Text in which \`words\` are code. */
export const prose = (text: string) =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string)
