// Writes a mail as plain text and as HTML for narrow windows, in light and dark. It loads nothing, so opening it tells nobody.
import { isLanguage } from '#languages/known.ts'
import { sayIn, speechOf } from '#languages/speech.ts'
import { html } from '#text/html.ts'
import { catalogue } from './catalogue.ts'
import { type Content, type MailKind, oneLine, type Pen } from './content.ts'

export interface StoredMail {
  id: number
  key: string
  kind: string
  to_address: string
  language: string
  content: object
}

export interface WrittenMail {
  subject: string
  text: string
  html: string
  /** The address that ends mails of this kind. */
  unsubscribe?: string
}

/** Writes a stored mail; `baseUrl` is the address that people use. */
export function writeMail(
  { kind, language, content }: StoredMail,
  { baseUrl, secret }: { baseUrl: string; secret: string },
): WrittenMail {
  const known: Readonly<Record<string, MailKind<never>>> = catalogue
  const found = known[kind]
  if (!found) throw new Error(`There is no kind of mail named ${kind}.`)
  const speech = speechOf(isLanguage(language) ? language : 'en')
  const pen: Pen = { say: sayIn(speech), locale: speech.locale, url: (path) => baseUrl + path, secret }
  // The stored kind says what the content is, which its type cannot.
  const written = found.write(content as never, pen)
  return {
    subject: oneLine(written.subject),
    text: textOf(written, pen, baseUrl),
    html: htmlOf(written, pen, baseUrl),
    ...(written.unsubscribe !== undefined && { unsubscribe: written.unsubscribe }),
  }
}

function textOf(content: Content, { say }: Pen, baseUrl: string): string {
  const { paragraphs, lists = [], facts = [], action, notes, unsubscribe } = content
  const parts = [
    ...paragraphs,
    ...lists.flatMap(({ heading, lines, more }) => [
      heading,
      ...lines.map(({ text, detail, quote, url }) =>
        [`- ${text}`, `  ${detail}`, quote && `  “${quote}”`, `  ${url}`].filter(Boolean).join('\n'),
      ),
      more,
    ]),
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    action && `${action.label}:\n${action.url}`,
    ...notes,
    unsubscribe && `${say('Unsubscribe')}:\n${unsubscribe}`,
    `-- \nCardinal\n${baseUrl}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** Mail programs ignore most of CSS: the colors of light are on the elements, those of dark in a rule that the others skip. */
const darkRules = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #191816 !important; }
  .panel { background: #24221f !important; border-color: #d8434e #3a3733 #3a3733 !important; }
  .text { color: #eceae6 !important; }
  .muted { color: #aaa59d !important; }
  .action { background: #eceae6 !important; color: #191816 !important; }
}`

const font = "font-family: Inter, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif;"
const paragraphStyle = `${font} margin: 0 0 16px; font-size: 15px; line-height: 22px; color: #201e1b; overflow-wrap: anywhere;`
const mutedStyle = `${font} margin: 0 0 8px; font-size: 13px; line-height: 19px; color: #6b665f; overflow-wrap: anywhere;`
const actionStyle = `${font} display: inline-block; padding: 10px 16px; border-radius: 6px; background: #201e1b; color: #ffffff; font-size: 15px; font-weight: 600; text-decoration: none;`

const lineStyle = `${font} margin: 0 0 16px; font-size: 15px; line-height: 22px; overflow-wrap: anywhere;`
const linkStyle = 'color: #201e1b; font-weight: 600; text-decoration: underline;'
const headingStyle = `${font} margin: 24px 0 12px; font-size: 15px; line-height: 22px; color: #201e1b;`

function listOf({ heading, lines, more }: NonNullable<Content['lists']>[number]) {
  return html`
      ${heading && html`<h2 class="text" style="${headingStyle}">${heading}</h2>`}
      ${lines.map(({ text, url, detail, quote }) => html`<p style="${lineStyle}"><a class="text" href="${url}" style="${linkStyle}">${text}</a><br><span class="muted" style="font-size: 13px; color: #6b665f;">${detail}</span>${quote && html`<br><span class="text" style="color: #201e1b;">${quote}</span>`}</p>`)}
      ${more && html`<p class="muted" style="${mutedStyle}">${more}</p>`}`
}

function htmlOf(content: Content, { say, locale }: Pen, baseUrl: string): string {
  const { subject, paragraphs, lists = [], facts = [], action, notes, unsubscribe } = content

  return html`<!doctype html>
<html lang="${locale}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${subject}</title>
  <style>${{ html: darkRules }}</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: #f6f5f3;">
  <div role="main"><table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background: #f6f5f3;"><tr><td align="center" style="padding: 24px 12px;">
    <table role="presentation" class="panel" width="100%" cellpadding="0" cellspacing="0" style="max-width: 480px; background: #ffffff; border: 1px solid #e4e1dc; border-top: 4px solid #b3202c; border-radius: 8px;"><tr><td style="padding: 24px;" align="left">
      <h1 class="text" style="${font} margin: 0 0 16px; font-size: 20px; line-height: 28px; color: #201e1b; overflow-wrap: anywhere;">${subject}</h1>
      ${paragraphs.map((text) => html`<p class="text" style="${paragraphStyle}">${text}</p>`)}
      ${lists.map(listOf)}
      ${facts.map(([name, value]) => html`<p class="text" style="${paragraphStyle} margin-bottom: 4px;"><span class="muted" style="color: #6b665f;">${name}:</span> ${value}</p>`)}
      ${action && html`<p style="margin: 24px 0;"><a class="action" href="${action.url}" style="${actionStyle}">${action.label}</a></p>`}
      ${notes.map((text) => html`<p class="muted" style="${mutedStyle}">${text}</p>`)}
    </td></tr></table>
    <p class="muted" style="${mutedStyle} margin: 16px 0 0;">Cardinal · ${baseUrl.replace(/^https?:\/\//, '')}${unsubscribe && html` · <a class="muted" href="${unsubscribe}" style="color: #6b665f;">${say('Unsubscribe')}</a>`}</p>
  </td></tr></table></div>
</body>
</html>
`.html
}
