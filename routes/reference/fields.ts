import { type Html, html, prose } from '#text/html.ts'
import { formatOf, plainType, type SchemaObject } from './document.ts'

interface Options {
  label: string
  /** Input fields have rules, result fields have none. */
  direction: 'input' | 'result'
  textInV1?: Set<string>
}

/** One row per field; the fields of an object or of list entries get their own table below. */
export function fieldTable({ properties = {}, required = [] }: SchemaObject, options: Options): Html {
  const fields = Object.entries(properties)
  const isInput = options.direction === 'input'
  const rows = fields.map(([name, schema]) => {
    const asText = options.textInV1?.has(name) ?? false
    const notes = [
      ...(schema.description ? [prose(schema.description)] : []),
      ...(isInput ? limitsOf(schema) : []),
      ...valuesOf(schema),
      ...(asText ? [v1Note(schema)] : []),
      ...(schema['x-since'] ? [html`<span class="v1">v2 only</span>`] : []),
    ]
    return html`
      <tr>
        <th scope="row"><code>${name}</code>${isInput && required.includes(name) && html` <span class="required">required</span>`}</th>
        <td class="type">${typeInWords(schema)}</td>
        <td>${notes.map((note, index) => html`${index > 0 && html`<br>`}${note}`)}</td>
      </tr>
      ${nestedRow(name, schema, options, fields.length === 1)}`
  })
  return html`
    <table aria-label="${options.label}">
      <thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>`
}

function nestedRow(
  name: string,
  schema: SchemaObject,
  { direction, label }: Options,
  isOnly: boolean,
): Html | undefined {
  const nested = plainType(schema).type === 'array' ? schema.items : schema
  const count = Object.keys(nested?.properties ?? {}).length
  if (!nested || count === 0) return undefined
  const owner = nested === schema ? name : `each entry of ${name}`
  return html`
    <tr class="nested"><td colspan="3">
      <details${isOnly && html` open`}>
        <summary>${count} ${count === 1 ? 'field' : 'fields'} of ${owner}</summary>
        ${fieldTable(nested, { direction, label: `${label}: ${owner}` })}
      </details>
    </td></tr>`
}

function typeInWords(schema: SchemaObject): string {
  const { type, isNullable } = plainType(schema)
  const words = type === 'array' ? listInWords(schema) : (formats[formatOf(schema) ?? ''] ?? type)
  return isNullable ? `${words} or null` : words
}

const formats: Record<string, string> = {
  email: 'email address',
  'date-time': 'date and time',
  password: 'secret string',
}

function listInWords({ items, maxItems }: SchemaObject): string {
  if (maxItems === 0) return 'empty list'
  return items?.type ? `list of ${plainType(items).type}s` : 'list'
}

function limitsOf(schema: SchemaObject): string[] {
  return [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum),
    range(schema.minItems, schema.maxItems, 'entries'),
  ].filter((limit) => limit !== undefined)
}

const numbers = new Intl.NumberFormat('en')

function range(least: number | undefined, most: number | undefined, unit = ''): string | undefined {
  const show = (value: number) => numbers.format(value)
  if (least !== undefined && most !== undefined) return `${show(least)} to ${show(most)} ${unit}`.trim()
  if (least !== undefined) return `at least ${show(least)} ${unit}`.trim()
  if (most !== undefined) return `at most ${show(most)} ${unit}`.trim()
  return undefined
}

function valuesOf(schema: SchemaObject): Html[] {
  if (schema.const !== undefined) return [html`always <code>${String(schema.const)}</code>`]
  const values = schema.enum?.filter((value) => value !== null)
  return values ? [html`${values.map((value) => html`<code>${value}</code> `)}`] : []
}

function v1Note(schema: SchemaObject): Html {
  const { type } = plainType(schema)
  if (type === 'array') return html`<span class="v1">v1: each entry as JSON text</span>`
  return html`<span class="v1">v1: ${type === 'object' ? 'as JSON text' : 'as a string'}</span>`
}
