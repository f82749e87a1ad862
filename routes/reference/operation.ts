import { type Html, html, prose } from '#text/html.ts'
import { codeBlock, json } from './code.ts'
import { codeList } from './codes.ts'
import {
  bodyOf,
  type Entry,
  inputOf,
  isSuccess,
  plainType,
  type ResponseObject,
  type SchemaObject,
  successOf,
  textInV1,
} from './document.ts'
import { curlOf, exampleAnswer, exampleOf } from './examples.ts'
import { fieldTable } from './fields.ts'

export function operationSection(entry: Entry, base: string): Html {
  const { v1, path } = entry
  const id = v1.operationId
  const [status] = successOf(v1)
  return html`
    <section class="operation" id="${id}">
      <div class="description">
        <h3><a href="#${id}">${entry.resource !== entry.name && html`<span class="quiet">${entry.resource} /</span> `}${entry.name}</a></h3>
        <p class="endpoint"><b>POST</b> <code>${base}${path}</code></p>
        <p class="endpoint"><b>POST</b> <code>${base}${entry.v2Path}</code></p>
        ${v1.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
        <h4>Input</h4>
        ${inputPart(entry)}
        <h4>Result <span class="status">${status}</span></h4>
        ${resultPart(entry, base)}
        <h4>Errors</h4>
        ${errorTable(entry)}
        ${headersPart(entry)}
      </div>
      <div class="examples">
        ${codeBlock(requestTitle(entry), html`${curlOf(entry)}`)}
        ${answers(entry, status)}
      </div>
    </section>`
}

function requestTitle({ v1 }: Entry): string {
  const account = v1['x-example-account']
  const refusal = v1['x-example-refusal']
  return [
    'Request',
    ...(account ? [`as ${account}`] : []),
    ...(refusal ? [`(on the demo: ${refusal.code}. ${refusal.because})`] : []),
  ].join(' ')
}

/** One answer if v1 and v2 send the same. */
function answers(entry: Entry, status: string): Html {
  const [v1, v2] = [exampleAnswer(entry, 'v1'), exampleAnswer(entry, 'v2')]
  if (JSON.stringify(v1) === JSON.stringify(v2)) return codeBlock(`Answer ${status} at v1 and v2`, json(v1))
  return html`${codeBlock(`Answer ${status} at v1`, json(v1))}${codeBlock(`Answer ${status} at v2`, json(v2))}`
}

function inputPart({ v1, path }: Entry): Html {
  const schema = inputOf(v1)
  if (Object.keys(schema.properties ?? {}).length === 0) return html`<p>None: the body may be empty.</p>`
  return fieldTable(schema, { label: `Input of ${path}`, direction: 'input' })
}

/** Shows v2, where every result has its real type, and marks what v1 sends as text. */
function resultPart(entry: Entry, base: string): Html {
  const body = bodyOf(successOf(entry.v2)[1])
  const { data = {}, ...others } = body.properties ?? {}
  const asText = textInV1(entry)
  const beside = Object.keys(others).filter((key) => key !== 'error' && key !== 'message')
  return html`
    ${asText.size > 0 && v2Note(base + entry.v2Path, [...asText])}
    ${dataPart(data, entry, asText)}
    ${beside.map((key) => html`<p>Beside <code>data</code>: <code>${key}</code>, always <code>${JSON.stringify(exampleOf(others[key] ?? {}))}</code>.</p>`)}`
}

const v2Note = (address: string, keys: string[]) => html`
  <p class="note">v1 sends ${keys.map((key, index) => html`${index > 0 && ' and '}<code>${key}</code>`)} as text. <code>${address}</code> is the same operation with the types below.</p>`

function dataPart(data: SchemaObject, { path }: Entry, asText: Set<string>): Html {
  const isList = plainType(data).type === 'array'
  if (isList && data.maxItems === 0) return html`<p><code>data</code> is an empty list.</p>`
  const table = fieldTable((isList ? data.items : data) ?? {}, {
    label: `Result of ${path}`,
    direction: 'result',
    textInV1: asText,
  })
  return isList ? html`<p><code>data</code> is a list; each entry has:</p>${table}` : table
}

function errorTable({ v1, path }: Entry): Html {
  const shared = sharedHeaders(Object.values(v1.responses))
  const rows = Object.entries(v1.responses)
    .filter(([status]) => !isSuccess(status))
    .map(([status, response]) => {
      const own = Object.keys(response.headers).filter(
        (name) => !shared.includes(name) && name !== 'X-Error-Code',
      )
      return html`
      <tr>
        <th scope="row"><span class="status">${status}</span></th>
        <td>${response.description}${codeList(response['x-codes'] ?? {})}</td>
        <td><code>${keysOf(bodyOf(response))}</code>${own.map((name) => html`<br>with the header <code>${name}</code>`)}</td>
      </tr>`
    })
  return html`
    <table class="statuses" aria-label="Errors of ${path}">
      <thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Body</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>
    <p>At v2 each of these bodies also has <code>code</code>, and a 422 <code>codes</code>.</p>`
}

/** The exact keys of a body with their fixed values: `{ error: true, message, data: [] }`. */
function keysOf({ properties = {} }: SchemaObject): string {
  const keys = Object.entries(properties).map(([key, schema]) => {
    if (schema.const !== undefined) return `${key}: ${schema.const}`
    if (schema.maxItems === 0) return `${key}: []`
    return typeof schema.additionalProperties === 'object' ? `${key}: { field: […] }` : key
  })
  return `{ ${keys.join(', ')} }`
}

function headersPart({ v1 }: Entry): Html {
  const names = sharedHeaders(Object.values(v1.responses))
  return html`<p class="headers">Headers of every answer: ${names.map((name) => html`<code>${name}</code> `)}</p>`
}

const sharedHeaders = (responses: ResponseObject[]) =>
  Object.keys(responses[0]?.headers ?? {}).filter((name) => responses.every(({ headers }) => name in headers))
