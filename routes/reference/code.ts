import { type Html, html } from '#text/html.ts'

export const codeBlock = (title: string, code: Html) => html`
  <figure class="code">
    <figcaption>${title}</figcaption>
    <pre><code>${code}</code></pre>
  </figure>`

const token = /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|\b(true|false|null|-?\d[\d.]*)\b/g

/** JSON with colored values. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2)
  const parts: Html[] = []
  let end = 0
  for (const { 0: found, index, 1: key, 2: string } of text.matchAll(token)) {
    const kind = string ? 'string' : 'literal'
    parts.push(html`${text.slice(end, index)}${key ?? html`<span class="${kind}">${found}</span>`}`)
    end = index + found.length
  }
  return html`${parts}${text.slice(end)}`
}
