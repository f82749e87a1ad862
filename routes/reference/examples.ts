// A request that can be sent unchanged, with the values of the document's example, and a response made from the schemas.
import {
  bodyOf,
  type Entry,
  exampleInputOf,
  formatOf,
  inputOf,
  plainType,
  type SchemaObject,
  successOf,
  textInV1,
} from './document.ts'

/** By format, or by the name of the field. */
const samples: Record<string, string> = {
  email: 'you@example.com',
  password: 'tall oaks hum at noon',
  'date-time': '2026-01-31T09:00:00.000Z',
  title: 'Publish the opening hours',
  name: 'Ada Lovelace',
  language: 'en',
  token: 'cardinal_…',
  warn_message: '',
  status: 'open',
  color: 'green',
  icon: 'leaf',
  description: 'On the start page and in the footer.',
  comment: 'The new hours start on Monday.',
}

export function exampleOf(schema: SchemaObject, name = '', version: 'v1' | 'v2' = 'v1'): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const { type } = plainType(schema)
  if (type === 'object') return exampleRecord(schema, version)
  if (type === 'array') return schema.maxItems === 0 ? [] : [exampleOf(schema.items ?? {}, name, version)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  const text = samples[formatOf(schema) ?? name] ?? name.replaceAll('_', ' ')
  return text.slice(0, schema.maxLength)
}

const exampleRecord = ({ properties = {} }: SchemaObject, version: 'v1' | 'v2') =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, schema]) => version === 'v2' || schema['x-since'] === undefined)
      .map(([name, schema]) => [name, exampleOf(schema, name, version)]),
  )

/** The success body as the version sends it. */
export function exampleAnswer(entry: Entry, version: 'v1' | 'v2'): unknown {
  const [, response] = successOf(entry.v2)
  const body = exampleOf(bodyOf(response), '', version) as { data: Record<string, unknown> }
  for (const key of version === 'v1' ? textInV1(entry) : []) {
    const value = body.data[key]
    body.data[key] = Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : JSON.stringify(value)
  }
  return { ...body, message: response.description }
}

/** The document's example, or else the required fields. */
export function curlOf({ path, v1 }: Entry): string {
  const { properties = {}, required = [] } = inputOf(v1)
  const input =
    exampleInputOf(v1) ??
    Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, name)]))
  const lines = [`curl -X POST "$CARDINAL_URL${path}"`]
  if (v1['x-audience'] !== 'public') lines.push('-H "Authorization: Bearer $CARDINAL_TOKEN"')
  if (Object.keys(input).length > 0) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${quoted(input)}'`)
  }
  return lines.join(' \\\n  ')
}

/** JSON between the single quotes of a shell, indented like the lines around it. */
const quoted = (input: unknown) =>
  JSON.stringify(input, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')
