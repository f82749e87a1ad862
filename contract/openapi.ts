import { asV1, shapeOf, type WireVersion } from './bodies.ts'
import { codesOf, fieldCodesOf, ownCodesOf } from './codes.ts'
import { type ErrorStatus, keyFailures, longestKey, usual } from './failure.ts'
import { type BodyShape, type Description, statusesOf } from './operation.ts'
import { v2Path } from './router.ts'
import { type Fields, record, type Schema, typeOf, written } from './schema.ts'
import { rules } from './validate.ts'

const meanings: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  400: 'Bad request: an unreadable body, or the current state forbids it',
  401: 'Unauthenticated: missing or invalid token',
  403: 'Forbidden: insufficient permissions',
  404: 'Resource not found',
  422: 'Validation error',
  429: 'Rate limit exceeded',
  500: 'Internal server error',
}

/** What the API says about itself. */
interface About {
  info: object
  /** The base path. */
  base: string
  /** A description of each tag. */
  tags: Readonly<Record<string, string>>
  /** The ways to authenticate, of which one is enough. */
  securitySchemes: Readonly<Record<string, object>>
  /** The parameters of every operation that is not public. */
  parameters: readonly object[]
  /** Routes that are not operations. */
  beside?: { tags: string[]; paths: Record<string, object>; schemas: Record<string, object> }
}

const nothingBeside: NonNullable<About['beside']> = { tags: [], paths: {}, schemas: {} }

/** The OpenAPI 3.1 document of all operations, at v1 and v2, and of the other routes. */
export function openapi(operations: readonly Description[], about: About) {
  const { beside = nothingBeside, securitySchemes } = about
  const paths: Record<string, object> = { ...beside.paths }
  for (const operation of operations) {
    paths[operation.path] = { post: describe(operation, 'v1', about) }
    paths[v2Path(operation.path)] = { post: describe(operation, 'v2', about) }
  }
  const tags = [...new Set([...operations.map(tagOf), ...beside.tags])].map((name) => ({
    name,
    description: about.tags[name] ?? '',
  }))
  return {
    openapi: '3.1.0',
    info: about.info,
    servers: [{ url: about.base }],
    tags,
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths,
    components: { schemas: beside.schemas, securitySchemes },
    'x-codes': { ...usual, 400: { ...usual[400], ...keyFailures[400] } },
    'x-field-codes': rules,
  }
}

/** `/services/area/v1/things/get` belongs to `area/things`, and `/v1/start` to `start`. */
function tagOf({ path }: Description): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'services' && part !== 'v1')
  return parts.length > 1 ? parts.slice(0, -1).join('/') : parts.join('/')
}

function describe(operation: Description, version: WireVersion, { parameters }: About) {
  const fields = Object.entries(operation.input)
  const required = fields.filter(([, schema]) => !typeOf(schema).isNullable).map(([name]) => name)
  const name = operation.path.split('/').filter((part) => part !== '' && part !== 'services' && part !== 'v1')
  return {
    operationId: [...name, ...(version === 'v2' ? ['v2'] : [])].join('.'),
    summary: operation.summary,
    tags: [tagOf(operation)],
    ...(operation.audience === 'public' && { security: [] }),
    'x-audience': operation.audience,
    parameters: [...(operation.audience === 'public' ? [] : parameters), ...parametersOf(operation)],
    requestBody: {
      required: required.length > 0,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: asGiven(operation.input),
            ...(required.length > 0 && { required }),
          },
        },
      },
    },
    responses: Object.fromEntries(
      statusesOf(operation).map((status) => [
        String(status),
        {
          description: status === operation.success ? operation.message : meanings[status],
          headers: headersOf(operation, status, version),
          ...(status !== operation.success && { 'x-codes': ownCodesOf(operation, status) }),
          content: { 'application/json': { schema: bodySchema(operation, status, version) } },
        },
      ]),
    ),
  }
}

function parametersOf({ writes, fromQuery = [], input }: Description) {
  return [
    ...(writes
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: 'Makes a repeated request get the answer of the first one',
            schema: { type: 'string', maxLength: longestKey },
          },
        ]
      : []),
    ...fromQuery.map((name) => ({
      name,
      in: 'query',
      description: 'Taken where the body does not have it',
      schema: asGiven(input)[name],
    })),
  ]
}

/** The request's fields with the rules of validate.ts: required fields are not empty, and unknown ones are ignored. */
function asGiven(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, given(schema)]))
}

function given({ additionalProperties: _ignored, ...schema }: Schema): Schema {
  const { type, isNullable } = typeOf(schema as Schema)
  const { format, ...formless } = schema
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
  description:
    'A date, or a date and time; in UTC where it names no offset, and midnight where it names no time',
  anyOf: [
    { format: 'date-time' },
    { format: 'date' },
    {
      pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?([Zz]|[+-]\\d{2}:?\\d{2})?$',
    },
  ],
}

function headersOf(operation: Description, status: number, version: WireVersion) {
  const integer = (description: string) => ({ description, schema: { type: 'integer' } })
  return {
    'X-RateLimit-Limit': integer('Requests a minute'),
    'X-RateLimit-Remaining': integer('Requests left in this minute'),
    'X-Request-Id': { description: 'Names the request in the logs', schema: { type: 'string' } },
    ...(status === 429 && { 'Retry-After': integer('Seconds to wait') }),
    ...(status !== operation.success && {
      'X-Error-Code': {
        description: 'Says why it was refused',
        schema: version === 'v1' ? codeSchema(operation, status) : { type: 'string' },
      },
    }),
  }
}

/** The exact body of one status of one operation. */
export function bodySchema(operation: Description, status: number, version: WireVersion): Schema {
  const message = written({ type: 'string' })
  if (status === operation.success) {
    const { output, successErrors } = operation
    const data = version === 'v1' ? asV1(operation) : output
    return record({ error: constant(false), message, data, ...(successErrors && { errors: emptyList }) })
  }
  const code = version === 'v2' && { code: codeSchema(operation, status) }
  if (status === 422)
    return record({ message, errors: sentences, ...code, ...(code && { codes: codesByField(operation) }) })
  const keys: Record<BodyShape, Record<string, Schema>> = {
    message: { message },
    'error, message': { error: constant(true), message },
    'error, message, data': { error: constant(true), message, data: emptyList },
  }
  return record({ ...keys[shapeOf(status as Exclude<ErrorStatus, 422>, operation)], ...code })
}

const codeSchema = (operation: Description, status: number) =>
  written({ type: 'string', enum: Object.keys(codesOf(operation, status)) })

/** The codes of each field. A field inside a list is named with its index, as in `entries.0.id`. */
function codesByField(operation: Description): Schema {
  const fields = Object.entries(fieldCodesOf(operation)).map(([field, codes]): [string, object] => [
    field,
    { type: 'array', items: { type: 'string', enum: Object.keys(codes) }, minItems: 1 },
  ])
  const isListed = ([field]: [string, object]) => field.includes('*')
  const listed = fields.filter(isListed).map(([field, codes]) => [inLists(field), codes])
  return written({
    type: 'object',
    properties: Object.fromEntries(fields.filter((field) => !isListed(field))),
    ...(listed.length > 0 && { patternProperties: Object.fromEntries(listed) }),
    additionalProperties: false,
  })
}

const inLists = (field: string) => `^${field.replaceAll('.', '\\.').replaceAll('*', '\\d+')}$`

const sentences = written({
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
})
const constant = (value: boolean) => written({ type: 'boolean', const: value })
const emptyList = written({ type: 'array', maxItems: 0, items: {} })
