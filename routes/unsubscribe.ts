import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#database/connect.ts'
import { findByKey, type MailList, mailLists, unsubscribe } from '#inbox/settings.ts'
import { isLanguage } from '#languages/known.ts'
import { sayIn, speechOf } from '#languages/speech.ts'
import { html } from '#text/html.ts'
import { languageOf } from './language.ts'
import { type Counting, limited } from './limited.ts'
import { logo } from './reference/page.ts'
import { headersOf } from './security-headers.ts'

type Requested = FastifyRequest<{ Params: { key: string; list: string } }>

/**
 * The address at the end of a mail. Mail programs send it a POST without a session (RFC 8058); people get a page with a button, because programs
 * that look at links before them must not end anything. The random key allows ending mails, and nothing else.
 */
export function addUnsubscribe(app: FastifyInstance, db: Database, gate: Counting) {
  const onRequest = limited(gate, 'unsubscribe')
  const path = '/unsubscribe/:key/:list'
  const listIn = ({ params }: Requested): MailList | undefined =>
    mailLists.find((known) => known === params.list)

  async function answer(request: Requested, reply: FastifyReply, isDone: boolean) {
    const list = listIn(request)
    const { key } = request.params
    const person = list && (await (isDone ? unsubscribe(db, key, list) : findByKey(db, key)))
    const language = isLanguage(person?.language) ? person.language : languageOf(request)
    const page = unsubscribePage(language, person ? (isDone ? 'done' : 'asked') : 'unknown', list)
    return reply
      .code(person ? 200 : 404)
      .headers({ ...headersOf(page), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page)
  }
  app.get(path, { onRequest }, (request: Requested, reply) => answer(request, reply, false))
  app.post(path, { onRequest }, (request: Requested, reply) => answer(request, reply, true))
}

const style = `
:root { color-scheme: light dark; --text: #201e1b; --muted: #6b665f; --page: #f6f5f3; --on-text: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --text: #eceae6; --muted: #aaa59d; --page: #191816; --on-text: #191816; } }
body { margin: 0 auto; max-width: 480px; padding: 32px 16px; background: var(--page); color: var(--text);
  font: 15px/22px Inter, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
h1 { display: flex; align-items: center; gap: 8px; font-size: 20px; line-height: 28px; }
p { color: var(--muted); }
a { color: inherit; }
button { padding: 10px 16px; border: 0; border-radius: 6px; background: var(--text); color: var(--on-text); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible, a:focus-visible { outline: 2px solid #3b76d6; outline-offset: 2px; }
.brand { display: flex; width: 24px; color: #b3202c; }
`

type State = 'asked' | 'done' | 'unknown'

function unsubscribePage(
  language: Parameters<typeof speechOf>[0],
  state: State,
  list: MailList | undefined,
): string {
  const speech = speechOf(language)
  const say = sayIn(speech)
  const titles = {
    asked: say('Unsubscribe'),
    done: say("You're unsubscribed"),
    unknown: say("This link doesn't work"),
  }
  const words = {
    asked:
      list === 'digest'
        ? say('You get a daily summary by email. Stop it?')
        : say('You get emails about unread items in your inbox. Stop them?'),
    done:
      list === 'digest'
        ? say('You no longer get a daily summary by email.')
        : say('You no longer get emails about your inbox. The inbox stays as it is.'),
    unknown: say(
      'It was not copied completely. Sign in and choose on the account page what you get by email.',
    ),
  }
  return html`<!doctype html>
<html lang="${speech.locale}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${titles[state]} · Cardinal</title>
  <link rel="icon" href="data:,">
  <style>${{ html: style }}</style>
</head>
<body>
  <main>
    <h1><span class="brand">${logo('currentColor')}</span>${titles[state]}</h1>
    <p>${words[state]}</p>
    ${state === 'asked' && html`<form method="post"><button>${say('Stop these emails')}</button></form>`}
    ${state === 'done' && html`<p>${say('You can turn them on again on the account page.')}</p>`}
    ${state !== 'asked' && html`<p><a href="/">${say('Open Cardinal')}</a></p>`}
  </main>
</body>
</html>
`.html
}
