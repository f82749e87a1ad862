// The frame of the pages where a checkout is paid: one panel under the logo, without scripts.
import { type Html, html } from '../reference/html.ts'
import { logo } from '../reference/page.ts'

interface Frame {
  title: string
  stylePath: string
  banner?: Html
}

export const paymentDocument = ({ title, stylePath, banner }: Frame, content: Html[]) =>
  html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${stylePath}">
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

export const paymentNotice = (title: string, sentence: string, url: string) => html`
  <section class="notice"><h2>${title}</h2><p>${sentence}</p><a class="button" href="${url}">Back to Cardinal</a></section>`
