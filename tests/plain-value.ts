import { type Schema, typeOf } from '#contract/schema.ts'

/** Words of the catalogue. */
const words: Record<string, string> = { product: 'website', plan: 'pro' }

/** A value that the field accepts but that names no existing thing. */
export function plainValue(name: string, schema: Schema): unknown {
  const { type } = typeOf(schema)
  if (type === 'array') return [plainEntry(name, schema['items'])]
  if (schema['format'] === 'email') return 'someone@example.test'
  if (schema['format'] === 'date-time') return '2099-12-31'
  return words[name] ?? schema['enum']?.[0] ?? { string: 'some text', integer: 1, boolean: true }[type]
}

function plainEntry(name: string, entry: Schema): unknown {
  if (typeOf(entry).type !== 'object') return plainValue(name, entry)
  const fields: [string, Schema][] = Object.entries(entry['properties'])
  const required = fields.filter(([, schema]) => !typeOf(schema).isNullable)
  return Object.fromEntries(required.map(([field, schema]) => [field, plainValue(field, schema)]))
}
