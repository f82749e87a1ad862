// The frame of the pages where a checkout is paid: one panel under the logo, usable without scripts.
import type { Language } from '#languages/known.ts'
import { type Say, sayIn, speechOf } from '#languages/speech.ts'
import { type Html, html } from '#text/html.ts'
import { logo } from '../reference/page.ts'

/** The language of a page. */
export interface Spoken {
  locale: string
  say: Say
}

export const spokenIn = (language: Language): Spoken => ({
  locale: language,
  say: sayIn(speechOf(language)),
})

interface Frame {
  locale: string
  title: string
  stylePath: string
  script?: string
  banner?: Html
}

export const paymentDocument = ({ locale, title, stylePath, script, banner }: Frame, content: Html[]) =>
  html`<!doctype html>
<html lang="${locale}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${stylePath}">
  ${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
  ${banner}
  <main>
    <p class="brand">${logo('currentColor')}Cardinal</p>
    <div class="panel">${content}</div>
  </main>
</body>
</html>
`.html

export const paymentNotice = (say: Say, title: string, sentence: string, url: string) => html`
  <section class="notice"><h2>${title}</h2><p>${sentence}</p><a class="button" href="${url}">${say('Back to Cardinal')}</a></section>`
