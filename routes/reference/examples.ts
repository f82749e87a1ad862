// Makes example values from the schemas: a request that can be sent unchanged, and its response.
import {
  bodyOf,
  type Entry,
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
  password: 'correct horse battery staple',
  'date-time': '2026-01-31T09:00:00.000Z',
  title: 'Publish the opening hours',
  name: 'Ada Lovelace',
  language: 'en',
}

export function exampleOf(schema: SchemaObject, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const { type } = plainType(schema)
  if (type === 'object') return exampleRecord(schema)
  if (type === 'array') return schema.maxItems === 0 ? [] : [exampleOf(schema.items ?? {}, name)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  const text = samples[formatOf(schema) ?? name] ?? name.replaceAll('_', ' ')
  return text.slice(0, schema.maxLength)
}

/** Examples show v1. */
const exampleRecord = ({ properties = {} }: SchemaObject) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, schema]) => schema['x-since'] === undefined)
      .map(([name, schema]) => [name, exampleOf(schema, name)]),
  )

/** The success body as v1 sends it. */
export function exampleAnswer(entry: Entry): unknown {
  const [, response] = successOf(entry.v2)
  const body = exampleOf(bodyOf(response)) as { data: Record<string, unknown> }
  for (const key of textInV1(entry)) {
    const value = body.data[key]
    body.data[key] = Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : JSON.stringify(value)
  }
  return { ...body, message: response.description }
}

/** Only the required fields, so that a copied command does nothing unexpected. */
export function curlOf({ path, v1 }: Entry): string {
  const { properties = {}, required = [] } = inputOf(v1)
  const input = Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, name)]))
  const lines = [`curl -X POST "$CARDINAL_URL${path}"`]
  if (v1['x-audience'] !== 'public') lines.push('-H "Authorization: Bearer $CARDINAL_TOKEN"')
  if (required.length > 0) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${quoted(input)}'`)
  }
  return lines.join(' \\\n  ')
}

/** JSON between the single quotes of a shell, indented like the lines around it. */
const quoted = (input: unknown) =>
  JSON.stringify(input, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')
