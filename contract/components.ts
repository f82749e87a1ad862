// Gives the schemas and responses that recur in the OpenAPI document a name under `components`; used by openapi.ts.
import { withoutLater } from './bodies.ts'
import { type Fields, type Schema, typeOf } from './schema.ts'

export interface Naming {
  /** The schema with references in place of all schemas that have a name. */
  named(schema: Schema): Schema
  /** The named schemas that were used, by name. */
  schemas(): Record<string, Schema>
}

/** A schema is recognized by its content. If v2 adds fields to `Thing`, v2's schema is `ThingV2`. */
export function schemaNaming(
  schemas: Readonly<Record<string, Schema>>,
  descriptions: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Naming {
  const names = new Map<string, { name: string; of: string }>()
  for (const [of, schema] of Object.entries(schemas)) {
    names.set(contentOf(withoutLater(schema)), { name: of, of })
    if (contentOf(withoutLater(schema)) !== contentOf(schema))
      names.set(contentOf(schema), { name: `${of}V2`, of })
  }
  const used = new Map<string, Schema>()
  const named = (schema: Schema): Schema => {
    if (schema['items']) return { ...schema, items: named(schema['items']) }
    if (!schema['properties'] && !schema['enum']) return schema
    const found = typeOf(schema).isNullable ? undefined : names.get(contentOf(schema))
    const within = (texts: Readonly<Record<string, string>> = {}): Schema => ({
      ...schema,
      ...(schema['properties'] && {
        properties: Object.fromEntries(
          Object.entries(schema['properties'] as Fields).map(([name, field]) => [
            name,
            { ...(texts[name] !== undefined && { description: texts[name] }), ...named(field) },
          ]),
        ),
      }),
    })
    if (!found) return within()
    if (!used.has(found.name)) used.set(found.name, within(descriptions[found.of]))
    // A reference stands for a schema, but has no type of its own.
    return { $ref: `#/components/schemas/${found.name}` } as unknown as Schema
  }
  return { named, schemas: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

const contentOf = (schema: Schema) => JSON.stringify(Object.entries(schema).sort())

const words: Record<string, string> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
  429: 'RateLimited',
  500: 'ServerError',
}

interface Answering {
  operationId: string
  responses: Record<string, object>
}

/** Replaces every response that occurs more than once by a reference, and returns these responses by name. */
export function nameResponses(operations: readonly Answering[]): Record<string, object> {
  const all = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, response]) => ({ operationId, responses, status, response })),
  )
  const named: Record<string, object> = {}
  for (const uses of Map.groupBy(all, (use) => JSON.stringify([use.status, use.response])).values()) {
    const [first, ...others] = uses
    if (!first || others.length === 0) continue
    const name = freeName(named, nameOfResponse(first))
    named[name] = first.response
    for (const { responses, status } of uses) responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return named
}

/** An error is named by its status and its own codes, a success by its operation. */
function nameOfResponse({ operationId, status, response }: Answering & { status: string; response: object }) {
  const word = words[status]
  if (word === undefined) return operationId
  const codes = Object.keys((response as { 'x-codes'?: object })['x-codes'] ?? {})
  return [word, ...(operationId.endsWith('.v2') ? ['v2'] : []), ...codes].join('.')
}

function freeName(taken: object, wanted: string): string {
  let name = wanted
  for (let number = 2; name in taken; number++) name = `${wanted}.${number}`
  return name
}
