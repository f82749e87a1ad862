import { html } from '#text/html.ts'

/** Codes with their sentences; codes with the same sentence are listed together. */
export function codeList(codes: Record<string, string>) {
  const bySentence = [...Map.groupBy(Object.entries(codes), ([, sentence]) => sentence)]
  if (bySentence.length === 0) return undefined
  return html`
    <dl class="codes">${bySentence.map(
      ([sentence, entries]) =>
        html`<dt>${entries.map(([code]) => html`<code>${code}</code> `)}</dt><dd>${sentence}</dd>`,
    )}</dl>`
}
