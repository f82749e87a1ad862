import { streamPath } from '#events/openapi.ts'
import { type Html, html } from '#text/html.ts'
import { notReady } from '../health.ts'
import { notFromStripe } from '../stripe-webhook.ts'
import { codeBlock, json } from './code.ts'
import { codeList } from './codes.ts'
import type { OpenapiDocument } from './document.ts'
import { fieldTable } from './fields.ts'

export interface Topic {
  id: string
  title: string
  text: Html
  example?: Html
}

/** The topics that apply to all operations. */
export function topicsOf(document: OpenapiDocument, address: string): Topic[] {
  return [
    {
      id: 'quick-start',
      title: 'Quick start',
      text: html`
        <p>The base address is <code>${address}</code>. Every operation is a <code>POST</code> with a JSON object of at most 1 MiB; an empty body counts as <code>{}</code>. Optional fields may be left out or null. Unknown fields are ignored. Types are strict: <code>"5"</code> is not an integer.</p>
        <p>The examples on this page read the address and the token from two variables of your shell. They have the values of the demo that <code>npm start</code> adds: on a fresh one they work in the order of this page. Above each is the account that sends it; all demo accounts have the password <code>demo-password</code>.</p>`,
      example: codeBlock('Shell', html`${quickStart(address)}`),
    },
    {
      id: 'authentication',
      title: 'Authentication',
      text: html`
        <p><a href="#authenticate">Authenticate</a> with email and password, and send <code>data.token</code> of the answer in the <code>Authorization</code> header of every other call. A token is valid for 30 days after its last use. It ends at once when it is revoked or the password changes.</p>
        <p>If the account uses two-factor authentication, a correct password alone is answered with <code>403</code> and the code <code>second_factor_required</code>. Send the request again with <code>code</code>: the 6-digit code of the authenticator app, or with <code>is_recovery</code> a recovery code. The <code>token</code> of an earlier sign-in replaces the code once.</p>
        <p>A call on a board, group, card or comment acts in the project of that thing. Any other call acts in the project of the <code>X-Project-Id</code> header, or in your default project.</p>`,
      example: codeBlock(
        'Headers',
        html`Authorization: Bearer $CARDINAL_TOKEN\nContent-Type: application/json\nX-Project-Id: 1`,
      ),
    },
    {
      id: 'answers',
      title: 'Answers',
      text: html`
        <p>Success has the keys <code>error</code>, <code>message</code> and <code>data</code>, and every key of a result is always present. An error has exactly the keys that its operation lists. A <code>422</code> lists each failing field with its messages; a field inside a list is named like <code>groups.0.id</code>.</p>
        <p>Times are ISO 8601 in UTC with milliseconds. <code>X-Request-Id</code> names the request in the logs of the service: include it when you report a problem.</p>
        <p>Messages are in the language that the caller chose (<code>users/update</code>), else in the one that the header <code>Accept-Language</code> prefers, else in English. Codes, keys and values are the same in every language.</p>`,
      example: codeBlock(
        'Success and validation error',
        html`${json({ error: false, message: 'Done.', data: {} })}\n\n${json({ message: 'The title field is required.', errors: { title: ['The title field is required.'] } })}`,
      ),
    },
    {
      id: 'statuses',
      title: 'Statuses',
      text: html`
        ${statusTable(document)}
        <p>A request is checked in this order, and the first failure is the answer: rate limit, address and method, token, role, body, fields, whether the things it names exist, your role there, their state. Operations that only read can be repeated safely.</p>`,
    },
    {
      id: 'error-codes',
      title: 'Error codes',
      text: html`
        <p>Every refusal has a code. Codes do not change; messages may. The code is in the header <code>X-Error-Code</code>, and at v2 also in the body as <code>code</code>. Each operation lists its own codes. Any operation may answer with these:</p>
        ${Object.entries(document['x-codes']).map(([status, codes]) => html`<h4><span class="status">${status}</span></h4>${codeList(codes)}`)}
        <p>The code of a <code>422</code> joins the first failing field and its problem: <code>title_too_long</code>. At v2 <code>codes</code> lists the codes of every failing field, in the order of the messages in <code>errors</code>. Any field may have these:</p>
        ${codeList(fieldSentences(document))}
        <p>Operations list further ones for single fields, mostly <code>not_found</code>, <code>inactive</code>, <code>taken</code>, <code>limit_reached</code> and <code>incorrect</code>.</p>
        <p>What is not an operation has codes of its own in the same header. <code>GET</code> <code>/health/ready</code> answers <code>503</code> with one of these while the service cannot work:</p>
        ${codeList(notReady)}
        <p>The webhook for Stripe answers <code>400</code> to what Stripe did not send:</p>
        ${codeList(notFromStripe)}`,
      example: codeBlock(
        'Validation error at v2',
        html`${json({
          message: 'The title field is required.',
          errors: { title: ['The title field is required.'] },
          code: 'title_required',
          codes: { title: ['required'] },
        })}`,
      ),
    },
    {
      id: 'rate-limits',
      title: 'Rate limits',
      text: html`
        <p>Calls are counted per minute: by user with a valid token, by address without one. Every answer has your limit in <code>X-RateLimit-Limit</code> and the rest of it in <code>X-RateLimit-Remaining</code>. Over the limit, the answer is <code>429</code>, and <code>Retry-After</code> says how many seconds to wait.</p>`,
    },
    {
      id: 'repeating',
      title: 'Repeating a write',
      text: html`
        <p>An operation that changes something and accepts an <code>Idempotency-Key</code> header says so below. With that header it is done once: the same request with the same key gets the first answer again for 24 hours, with <code>Idempotency-Replayed: true</code>. The answers kept for you take 256 MB at most: beyond that, the oldest are deleted before. Another request with that key is a <code>422</code>.</p>`,
    },
    {
      id: 'fields',
      title: 'What each field does',
      text: html`
        <p>Where the fields of the most important results have effect. Fields of a request are described with each operation.</p>
        ${contractObjects(document, document['x-contract-objects'])}`,
    },
    {
      id: 'live-updates',
      title: 'Live updates',
      text: html`
        <p><code>GET</code> <code>/services/operations/v1/operations/events/stream</code> sends the changes of a project as server-sent events, with a token or the session cookie; the project may be named as <code>?project_id=</code>. To resume after an interruption, send the id of the last message as <code>Last-Event-ID</code>; browsers do this by themselves. After a message of the type <code>reset</code>, load everything again.</p>
        <p>A message of the type <code>changes</code> has a list of <code>events</code>. The fields of <code>data</code> depend on the <code>kind</code>. A missing field is null. Long texts are only named, in <code>texts</code>; read them where you need them. Once a thing is purged, its events contain only ids.</p>
        ${eventKinds(document)}
        <p>A stream may be refused like any other call. In addition, a <code>429</code> may have this code:</p>
        ${codeList(document.paths[streamPath]?.get?.responses['429']?.['x-codes'] ?? {})}`,
      example: codeBlock(
        'Shell',
        html`${'curl -N "$CARDINAL_URL/services/operations/v1/operations/events/stream" \\\n  -H "Authorization: Bearer $CARDINAL_TOKEN"'}`,
      ),
    },
    {
      id: 'versions',
      title: 'Versions',
      text: html`
        <p>Every operation is at <code>/v1/</code> and, with the same input, at <code>/v2/</code>. They differ in three ways: v2 sends objects and numbers where v1 sends JSON text, v2 may have more fields, and error bodies of v2 have the code. Where a success differs, both answers are shown. A version is retired after twelve months of <code>Deprecation</code> and <code>Sunset</code> headers.</p>
        <p>The same is available to programs as an <a href="${document.servers[0]?.url}/openapi.json">OpenAPI 3.1 document</a>.</p>`,
    },
  ]
}

const fieldSentences = (document: OpenapiDocument) =>
  Object.fromEntries(
    Object.entries(document['x-field-codes']).map(([code, sentence]) => [
      code,
      sentence.replace(':attribute', '…').replace(':value', '…'),
    ]),
  )

/** `Event` first, then each kind with its payload. */
function eventKinds({ components: { schemas } }: OpenapiDocument) {
  const names = ['Event', ...(schemas['Event']?.properties?.['kind']?.enum ?? [])] as string[]
  return names.map((name) => {
    const schema = schemas[name] ?? {}
    return html`
      <details>
        <summary><code>${name}</code> ${name === 'Event' ? 'The fields of an event' : schema.description}</summary>
        ${fieldTable(schema, { label: `Fields of ${name}`, direction: 'result' })}
      </details>`
  })
}

/** The objects of the contract with what each of their fields does. */
const contractObjects = (document: OpenapiDocument, names: readonly string[]) =>
  names.map(
    (name) => html`
      <details>
        <summary><code>${name}</code></summary>
        ${fieldTable(document.components.schemas[name] ?? {}, { label: `What the fields of ${name} do`, direction: 'result' })}
      </details>`,
  )

export const topicSection = ({ id, title, text, example }: Topic) => html`
  <section class="operation" id="${id}">
    <div class="description"><h2>${title}</h2>${text}</div>
    <div class="examples">${example}</div>
  </section>`

const quickStart = (address: string) => `export CARDINAL_URL=${address}

curl -X POST "$CARDINAL_URL/v1/authenticate" \\
  -H "Content-Type: application/json" \\
  -d '{"email": "owner@acme.test", "password": "demo-password"}'

# data.token of the answer
export CARDINAL_TOKEN=…`

/** Successes are described per operation, so the general table needs its own sentences. */
const successes: Record<string, string> = { 200: 'Done', 201: 'Done, and something was created' }

function statusTable({ paths }: OpenapiDocument): Html {
  const meanings = new Map<string, string>()
  for (const { post } of Object.values(paths))
    for (const [status, { description }] of Object.entries(post?.responses ?? {}))
      meanings.set(status, successes[status] ?? description)
  const rows = [...meanings]
    .sort()
    .map(
      ([status, meaning]) =>
        html`<tr><th scope="row"><span class="status">${status}</span></th><td>${meaning}</td></tr>`,
    )
  return html`
    <table class="statuses" aria-label="Statuses">
      <thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>`
}
