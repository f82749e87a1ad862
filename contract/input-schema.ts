// The schema of a request's body in the OpenAPI document, with the descriptions of its fields; used by openapi.ts.
import { type Fields, type Schema, typeOf } from './schema.ts'

/** `descriptions` are by the name of the field; `thing` is what the operation is about. */
export function inputSchema(input: Fields, descriptions: Readonly<Record<string, string>>, thing: string) {
  const required = Object.entries(input)
    .filter(([, schema]) => !typeOf(schema).isNullable)
    .map(([name]) => name)
  return {
    type: 'object',
    properties: explained(asGiven(input), descriptions, thing),
    ...(required.length > 0 && { required }),
  }
}

/** The fields with their descriptions, those of list entries too. */
function explained(given: Fields, descriptions: Readonly<Record<string, string>>, thing: string): Fields {
  return Object.fromEntries(
    Object.entries(given).map(([name, schema]) => {
      const sentence = descriptions[name]?.replace(':thing', thing)
      const entry: Schema | undefined = schema['items']
      const entryFields = entry?.['properties'] && explained(entry['properties'], descriptions, thing)
      return [
        name,
        {
          ...(sentence !== undefined && { description: sentence }),
          ...schema,
          ...(entryFields && { items: { ...entry, properties: entryFields } }),
        } as Schema,
      ]
    }),
  )
}

/** The request's fields with the rules of validate.ts: required fields are not empty, and unknown ones are ignored. */
export function asGiven(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, given(schema)]))
}

function given({ additionalProperties: _ignored, ...schema }: Schema): Schema {
  const { type, isNullable } = typeOf(schema as Schema)
  const { format, keepsOffset: _, ...formless } = schema
  if (format === 'date-time') return { ...formless, ...givenTimestamp } as Schema
  const isText = type === 'string' && !schema['enum']
  return {
    ...schema,
    ...(!isNullable && isText && { minLength: schema['minLength'] ?? 1 }),
    ...(!isNullable && type === 'array' && { minItems: 1 }),
    ...(schema['items'] && { items: given(schema['items']) }),
    ...(schema['properties'] && { properties: asGiven(schema['properties']) }),
  } as Schema
}

/** The forms that contract/timestamp.ts reads; a proxy that checks requests lets all of them pass. */
const givenTimestamp = {
  anyOf: [
    { format: 'date-time' },
    { format: 'date' },
    {
      pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?([Zz]|[+-]\\d{2}:?\\d{2})?$',
    },
  ],
}
