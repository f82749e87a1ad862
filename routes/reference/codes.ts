import { html } from './html.ts'

/** Codes with their sentences. */
export const codeList = (codes: Record<string, string>) => {
  const entries = Object.entries(codes)
  return (
    entries.length > 0 &&
    html`<dl class="codes">${entries.map(([code, sentence]) => html`<dt><code>${code}</code></dt><dd>${sentence}</dd>`)}</dl>`
  )
}
