import { asV1, shapeOf, type WireVersion } from './bodies.ts'
import { limitsOf } from './body-limits.ts'
import { codesIn, codesOf, fieldCodesOf, ownCodesOf } from './codes.ts'
import { type Naming, nameResponses, schemaNaming } from './components.ts'
import { type ErrorStatus, keyFailures, longestKey, parserFailures, usual } from './failure.ts'
import { asGiven, inputSchema } from './input-schema.ts'
import { type BodyShape, type Description, statusesOf } from './operation.ts'
import { v2Path } from './router.ts'
import { record, type Schema, written } from './schema.ts'
import { rules } from './validate.ts'

const meanings: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  400: 'Bad request: an unreadable body, or the current state forbids it',
  401: 'Unauthenticated: missing or invalid token',
  403: 'Forbidden: insufficient permissions',
  404: 'Resource not found',
  409: 'Conflict: the thing has changed in the meantime',
  422: 'Validation error',
  429: 'Rate limit exceeded',
  500: 'Internal server error',
}

interface Parameter {
  name: string
  in: 'header'
  description: string
  schema: object
}

/** What the API says about itself. */
interface About {
  info: object
  /** The base path. */
  base: string
  /** A description of each tag. */
  tags: Readonly<Record<string, string>>
  /** Who may call, in words. */
  audienceInWords(audience: unknown): string
  /** What an input field means, by its name; `:thing` stands for what the operation is about. A declared description takes precedence. */
  fields: Readonly<Record<string, string>>
  /** Results that have a name of their own. */
  schemas: Readonly<Record<string, Schema>>
  /** What the fields of those results mean, unless they say it themselves. */
  results: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The results that the contract names. */
  contractObjects: readonly string[]
  /** The example of each operation, by path. */
  examples: Readonly<Record<string, Example>>
  /** The ways to authenticate, of which one is enough. */
  securitySchemes: Readonly<Record<string, object>>
  /** The parameters of every operation. */
  parameters: readonly Parameter[]
  /** The parameters of every operation that is not public. */
  signedInParameters: readonly Parameter[]
  /** Routes that are not operations. */
  beside?: { tags: string[]; paths: Record<string, object>; schemas: Record<string, object> }
}

/** A request that succeeds on a fresh demo, or is refused there with the code. */
export interface Example {
  /** The account that calls. */
  as?: string
  input: object
  /** Why it cannot succeed there, and the code of the answer. */
  refusal?: { code: string; because: string }
}

const nothingBeside: NonNullable<About['beside']> = { tags: [], paths: {}, schemas: {} }

/** The OpenAPI 3.1 document of all operations, at v1 and v2, and of the other routes. */
export function openapi(operations: readonly Description[], about: About) {
  const { beside = nothingBeside, securitySchemes } = about
  const fieldCodes = operations
    .filter((operation) => statusesOf(operation).includes(422))
    .map((operation) => [`${nameOf(operation)}Code`, codeSchema(operation, 422)])
  const naming = schemaNaming(
    { ...about.schemas, ...errorBodies, ...Object.fromEntries(fieldCodes) },
    about.results,
  )
  const described: Record<string, { post: ReturnType<typeof describe> }> = {}
  const inputs: Record<string, object> = {}
  const requestBodies: Record<string, object> = {}
  for (const operation of operations) {
    described[operation.path] = { post: describe(operation, 'v1', about, naming) }
    described[v2Path(operation.path)] = { post: describe(operation, 'v2', about, naming) }
    const input = inputSchema(operation.input, about.fields, thingOf(operation))
    if (Object.keys(operation.input).length > 0) inputs[`${nameOf(operation)}Input`] = input
    requestBodies[nameOf(operation)] = requestBody(operation, input, about)
  }
  const responses = nameResponses(Object.values(described).map(({ post }) => post))
  const schemas: Record<string, object> = { ...naming.schemas(), ...inputs, ...beside.schemas }
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
    paths: { ...beside.paths, ...described },
    components: {
      schemas,
      requestBodies,
      responses,
      headers,
      parameters: Object.fromEntries(
        [...about.parameters, ...about.signedInParameters, idempotencyKey].map((one) => [
          nameOfParameter(one),
          one,
        ]),
      ),
      securitySchemes,
    },
    'x-contract-objects': about.contractObjects.filter((name) => name in schemas),
    'x-codes': {
      ...parserFailures,
      ...usual,
      400: { ...parserFailures[400], ...usual[400], ...keyFailures[400] },
      401: Object.assign({}, usual[401], ...operations.map(({ beforehand }) => beforehand[401])),
      422: codesIn(keyFailures, 422),
    },
    'x-field-codes': rules,
  }
}

const partsOf = ({ path }: Description) =>
  path.split('/').filter((part) => part !== '' && part !== 'services' && part !== 'v1')

/** `/services/area/v1/main-things/get` is `MainThingsGet` under `components`. */
function nameOf(operation: Description): string {
  const parts = partsOf(operation)
  const words = (parts.length > 1 ? parts.slice(1) : parts).join('-').split('-')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll(/[^\w]/g, '')).join('')
}

/** `/services/area/v1/things/get` belongs to `area/things`, and `/v1/start` to `start`. */
function tagOf(operation: Description): string {
  const parts = partsOf(operation)
  return parts.length > 1 ? parts.slice(0, -1).join('/') : parts.join('/')
}

function describe(operation: Description, version: WireVersion, about: About, { named }: Naming) {
  const { as, refusal } = about.examples[operation.path] ?? {}
  return {
    operationId: [...partsOf(operation), ...(version === 'v2' ? ['v2'] : [])].join('.'),
    summary: operation.summary,
    description: paragraphs(operation, about).join('\n\n'),
    tags: [tagOf(operation)],
    ...(operation.audience === 'public' && { security: [] }),
    'x-audience': operation.audience,
    ...(as !== undefined && { 'x-example-account': as }),
    ...(refusal !== undefined && { 'x-example-refusal': refusal }),
    parameters: [
      ...about.parameters.map(parameterNamed),
      ...(operation.audience === 'public' ? [] : about.signedInParameters.map(parameterNamed)),
      ...parametersOf(operation),
    ],
    requestBody: { $ref: `#/components/requestBodies/${nameOf(operation)}` },
    responses: Object.fromEntries(
      statusesOf(operation).map((status): [string, object] => [
        String(status),
        {
          description: status === operation.success ? operation.message : meanings[status],
          headers: headersOf(operation, status, version, named),
          ...(status !== operation.success && { 'x-codes': ownCodesOf(operation, status) }),
          content: { 'application/json': { schema: named(bodySchema(operation, status, version)) } },
        },
      ]),
    ),
  }
}

function paragraphs(operation: Description, { audienceInWords }: About): string[] {
  return [
    `${operation.summary}.`,
    ...(operation.about === undefined ? [] : [operation.about]),
    `Who may call: ${audienceInWords(operation.audience)}.`,
    ...(operation.writes
      ? ['Accepts an `Idempotency-Key`: a repeated request with the same key gets the first answer.']
      : []),
  ]
}

/** The same at v1 and v2. */
function requestBody(operation: Description, input: ReturnType<typeof inputSchema>, { examples }: About) {
  const isEmpty = Object.keys(operation.input).length === 0
  const example = examples[operation.path]?.input ?? {}
  return {
    description: `At most ${Math.floor(limitsOf(operation.input).bytes / 1024).toLocaleString('en')} KiB`,
    required: input.required !== undefined,
    content: {
      'application/json': {
        schema: isEmpty ? input : { $ref: `#/components/schemas/${nameOf(operation)}Input` },
        ...(Object.keys(example).length > 0 && { example }),
      },
    },
  }
}

/** `/services/area/v1/main-things/get` is about a `main thing`. */
const thingOf = (operation: Description) =>
  (partsOf(operation).at(-2) ?? '').replaceAll('-', ' ').replace(/s$/, '')

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes a repeated request get the answer of the first one',
  schema: { type: 'string', maxLength: longestKey },
}

const nameOfParameter = ({ name }: Parameter) => name.replaceAll('-', '')
const parameterNamed = (parameter: Parameter) => ({
  $ref: `#/components/parameters/${nameOfParameter(parameter)}`,
})

function parametersOf({ writes, fromQuery = [], input }: Description) {
  return [
    ...(writes ? [parameterNamed(idempotencyKey)] : []),
    ...fromQuery.map((name) => ({
      name,
      in: 'query',
      description: 'Taken where the body does not have it',
      schema: asGiven(input)[name],
    })),
  ]
}

const countHeader = (description: string) => ({ description, schema: { type: 'integer' } })
const errorCode = (schema: object) => ({ description: 'Says why it was refused', schema })

const headers = {
  RateLimitLimit: countHeader('Requests a minute'),
  RateLimitRemaining: countHeader('Requests left in this minute'),
  RequestId: { description: 'Names the request in the logs', schema: { type: 'string' } },
  RetryAfter: countHeader('Seconds to wait'),
  ErrorCode: errorCode({ type: 'string' }),
}

const headerNamed = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

/** v2 has the codes in the body. */
function headersOf(operation: Description, status: number, version: WireVersion, named: Naming['named']) {
  return {
    'X-RateLimit-Limit': headerNamed('RateLimitLimit'),
    'X-RateLimit-Remaining': headerNamed('RateLimitRemaining'),
    'X-Request-Id': headerNamed('RequestId'),
    ...(status === 429 && { 'Retry-After': headerNamed('RetryAfter') }),
    ...(status !== operation.success && {
      'X-Error-Code':
        version === 'v1' ? errorCode(named(codeSchema(operation, status))) : headerNamed('ErrorCode'),
    }),
  }
}

/** The exact body of one status of one operation. */
export function bodySchema(operation: Description, status: number, version: WireVersion): Schema {
  if (status === operation.success) {
    const { output, successErrors } = operation
    const data = version === 'v1' ? asV1(operation) : output
    return record({ error: constant(false), message, data, ...(successErrors && { errors: emptyList }) })
  }
  const code = version === 'v2' && { code: codeSchema(operation, status) }
  if (status === 422)
    return record({ message, errors: sentences, ...code, ...(code && { codes: codesByField(operation) }) })
  return record({ ...keysOf[shapeOf(status as Exclude<ErrorStatus, 422>, operation)], ...code })
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
const message = written({ type: 'string' })

const keysOf: Record<BodyShape, Record<string, Schema>> = {
  message: { message },
  'error, message': { error: constant(true), message },
  'error, message, data': { error: constant(true), message, data: emptyList },
}

/** The error bodies of v1. */
const errorBodies = {
  ValidationError: record({ message, errors: sentences }),
  MessageError: record(keysOf.message),
  PlainError: record(keysOf['error, message']),
  Error: record(keysOf['error, message, data']),
}
