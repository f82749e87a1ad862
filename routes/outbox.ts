import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forwardingHeader } from '#contract/forwarding.ts'
import type { Database } from '#database/connect.ts'
import { sayIn, speechOf } from '#languages/speech.ts'
import type { Mail } from '#mail/mail.ts'
import { listOutbox, type OutboxMail, readOutbox } from '#mail/outbox.ts'
import { html } from '#text/html.ts'
import { languageOf } from './language.ts'
import { type Counting, limited } from './limited.ts'
import { logo } from './reference/page.ts'
import { headersOf, securityHeaders } from './security-headers.ts'

type Requested = FastifyRequest<{ Params: { id: string } }>

/** A mail has its styles on its elements, and loads and runs nothing. */
const headersOfMail = {
  ...securityHeaders,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** The mails of a demo on this machine, which has nobody to send them to. They hold links that sign people in. */
export function addOutbox(app: FastifyInstance, mail: Mail, db: Database, gate: Counting) {
  if (mail.way !== 'outbox') return
  const onRequest = limited(gate, 'outbox')
  const missing = (reply: FastifyReply) =>
    reply.code(404).type('text/plain; charset=utf-8').send('Not found.\n')
  /** A proxy that nobody declared makes a service public without its knowledge. */
  const isForwarded = ({ headers }: FastifyRequest) => forwardingHeader(headers) !== undefined

  app.get('/outbox', { onRequest }, async (request, reply) => {
    const mails = isForwarded(request) ? undefined : await listOutbox(db)
    if (!mails) return missing(reply)
    const page = outboxPage(mails, mail, request)
    return reply
      .headers({ ...headersOf(page), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page)
  })
  app.get('/outbox/:id', { onRequest }, async (request: Requested, reply) => {
    const id = Number(request.params.id)
    const found = isForwarded(request) || !Number.isSafeInteger(id) ? undefined : await readOutbox(db, id)
    if (!found) return missing(reply)
    return reply.headers(headersOfMail).type('text/html; charset=utf-8').send(mail.write(found).html)
  })
}

const style = `
:root { color-scheme: light dark; --text: #201e1b; --muted: #6b665f; --line: #e4e1dc; --page: #f6f5f3; }
@media (prefers-color-scheme: dark) { :root { --text: #eceae6; --muted: #aaa59d; --line: #3a3733; --page: #191816; } }
body { margin: 0 auto; max-width: 640px; padding: 32px 16px; background: var(--page); color: var(--text);
  font: 15px/22px Inter, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
h1 { display: flex; align-items: center; gap: 8px; font-size: 20px; line-height: 28px; }
p, small { color: var(--muted); }
ul { padding: 0; list-style: none; }
li { padding: 12px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
a { color: inherit; font-weight: 600; }
small { display: block; font-size: 13px; }
.brand { display: flex; width: 24px; color: #b3202c; }
`

function outboxPage(mails: OutboxMail[], mail: Mail, request: FastifyRequest): string {
  const speech = speechOf(languageOf(request))
  const say = sayIn(speech)
  const at = (iso: string) =>
    new Date(iso).toLocaleString(speech.locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return html`<!doctype html>
<html lang="${speech.locale}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${say('Outbox')} · Cardinal</title>
  <link rel="icon" href="data:,">
  <style>${{ html: style }}</style>
</head>
<body>
  <main>
    <h1><span class="brand">${logo('currentColor')}</span>${say('Outbox')}</h1>
    <p>${say('This demo sends no email. What it would send is listed here, newest first.')}</p>
    ${mails.length === 0 && html`<p>${say('No emails yet. Invite someone or reset a password to see one.')}</p>`}
    <ul>${mails.map(
      (one) => html`
      <li><a href="/outbox/${one.id}">${mail.write(one).subject}</a><small>${one.to_address} · ${at(one.created_at)} UTC</small></li>`,
    )}</ul>
  </main>
</body>
</html>
`.html
}
