// The exact bodies of the contract; the only place that knows the keys of a response.
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify'
import { type ErrorStatus, errorsOf, type Failure, fieldCodesIn, messageOf } from './failure.ts'
import type { BodyShape, Description } from './operation.ts'
import { type Compressed, Prepared, Said, Streamed } from './prepared.ts'
import { type Fields, isOnlyInV2, type Schema } from './schema.ts'
import { english, type Speech, say } from './speech.ts'

const usualShapes: Record<Exclude<ErrorStatus, 422>, BodyShape> = {
  400: 'error, message, data',
  401: 'error, message',
  403: 'error, message',
  404: 'error, message, data',
  405: 'error, message, data',
  409: 'error, message, data',
  429: 'error, message',
  500: 'error, message, data',
}

export function shapeOf(status: Exclude<ErrorStatus, 422>, operation?: Description): BodyShape {
  return (status !== 405 && status !== 500 && operation?.bodies?.[status]) || usualShapes[status]
}

export type WireVersion = 'v1' | 'v2'

/** v2 has the codes in its body; the contract fixes the keys of v1. */
export function errorBody(
  failure: Failure,
  version: WireVersion,
  speech: Speech,
  operation?: Description,
): string {
  const { status, code } = failure
  const message = messageOf(failure, speech)
  const codes = version === 'v2' ? { code } : {}
  if (status === 422)
    return JSON.stringify({
      message,
      errors: errorsOf(failure, speech),
      ...codes,
      ...(version === 'v2' && { codes: fieldCodesIn(failure) }),
    })
  const shape = shapeOf(status, operation)
  return JSON.stringify({
    ...(shape !== 'message' && { error: true }),
    message,
    ...(shape === 'error, message, data' && { data: [] }),
    ...codes,
  })
}

/** A body that is created while it is sent; `source` is what it holds in memory. */
export interface StreamedBody {
  bytes: number
  source: object
  /** Copies, because the memory of the source is freed while the body is sent; only once. */
  parts(): Iterable<Buffer>
  /** The body has been sent or will not be sent. */
  end(): void
}

/** A body that stays in memory for other answers, in another language with a beginning of its own. */
export interface SharedBody {
  head: string
  rest: Buffer
  /** The memory that it shares. */
  source: Buffer
  /** What was already compressed, by coding and beginning. */
  compressed: Compressed
}

interface Wrap {
  head: string
  tail: string
  version: WireVersion
}

export type Body = string | SharedBody | StreamedBody

export function bytesOf(body: Body): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return 'rest' in body ? Buffer.byteLength(body.head) + body.rest.length : body.bytes
}

/** The serializer of a success body; fields that the output schema does not declare are dropped. */
export function successWriter(
  operation: Description,
  version: WireVersion,
): (data: unknown, speech: Speech) => Body {
  const heads = new Map<Speech, string>()
  const headIn = (speech: Speech) => {
    const known = heads.get(speech)
    if (known !== undefined) return known
    const head = headOf(speech.translate(operation.message))
    heads.set(speech, head)
    return head
  }
  const tail = operation.successErrors ? ',"errors":[]}' : '}'
  return (data, speech) => {
    if (data instanceof Said)
      return headOf(say(speech, data.sentence)) + writerOf(operation, version)(data.data) + tail
    const head = headIn(speech)
    if (data instanceof Streamed) return streamedBody(data, { head, tail, version }, operation)
    if (!(data instanceof Prepared)) return head + writerOf(operation, version)(data) + tail
    data.bodies[version] ??= {
      bytes: Buffer.from(
        headIn(english) + (version === 'v1' ? v1Prepared(data, operation) : prepared(data.json)) + tail,
      ),
      compressed: new Map(),
    }
    const { bytes, compressed } = data.bodies[version]
    if (speech === english) return { head: '', rest: bytes, source: bytes, compressed }
    return { head, rest: bytes.subarray(Buffer.byteLength(headIn(english))), source: bytes, compressed }
  }
}

const headOf = (message: string) => `{"error":false,"message":${JSON.stringify(message)},"data":`

const prepared = (json: Prepared['json']) =>
  `{${Object.entries(json)
    .map(([key, value]) => `"${key}":${value}`)
    .join(',')}}`

function v1Prepared({ json }: Prepared, operation: Description): string {
  const shownInV1 = withoutLaterPairs(operation)
  const entries = Object.entries(json).map(([key, value]) => {
    const shown = shownInV1(value)
    return [key, operation.v1Text?.[key] ? JSON.stringify(shown) : shown]
  })
  return prepared(Object.fromEntries(entries))
}

/** Removes the fields that v1 does not have from JSON text; strings cannot be mistaken for keys, since their quotes are escaped. */
function withoutLaterPairs({ output }: Description): (json: string) => string {
  const later = [...namesOnlyInV2(output)].join('|')
  if (later === '') return (json) => json
  const pair = new RegExp(`,"(?:${later})":(?:"(?:[^"\\\\]|\\\\.)*"|[\\w.+-]+)`, 'g')
  return (json) => json.replace(pair, '')
}

function streamedBody(data: Streamed, wrap: Wrap, operation: Description): StreamedBody {
  const { key, parts, bytes } = data
  const { head, tail, version } = wrap
  const isText = version === 'v1' && operation.v1Text?.[key] === 'whole'
  const quote = isText ? '"' : ''
  const shownInV1 = withoutLaterPairs(operation)
  const encode = (part: Buffer) => {
    if (part.length === 0) throw new Error('The memory of a body was freed before it was sent.')
    if (version === 'v2') return Buffer.from(part)
    // One character per byte: the keys are ASCII, and decoding and encoding UTF-8 would take longer.
    const shown = shownInV1(part.toString('latin1'))
    return isText
      ? Buffer.from(JSON.stringify(shown), 'latin1').subarray(1, -1)
      : Buffer.from(shown, 'latin1')
  }
  const { pass, end } = data.use()
  return {
    bytes,
    source: parts,
    end,
    *parts() {
      yield Buffer.from(`${head}{"${key}":${quote}`)
      for (const part of parts) {
        const encoded = encode(part)
        pass()
        yield encoded
      }
      yield Buffer.from(`${quote}}${tail}`)
    },
  }
}

type Write = (data: unknown) => string

const writers = { v1: new WeakMap<Description, Write>(), v2: new WeakMap<Description, Write>() }

/** Created by the first response, because creating all of them took a third of the start; kept for all services of a process. */
function writerOf(operation: Description, version: WireVersion): Write {
  const known = writers[version].get(operation)
  if (known) return known
  const made = version === 'v1' ? v1Writer(operation) : writer(operation.output)
  writers[version].set(operation, made)
  return made
}

const writer = (schema: Schema): Write => fastJsonStringify(schema as AnySchema)

/** Encodes the declared keys as JSON text first, then writes them as the strings that v1 promises. */
function v1Writer(operation: Description) {
  const { properties } = withoutLater(operation.output)
  const encoders = Object.entries(operation.v1Text ?? {}).map(([key, how]) => {
    const schema: Schema = properties[key]
    const encode = writer(how === 'each' ? schema['items'] : schema)
    return [key, how === 'each' ? (value: unknown[]) => value.map((entry) => encode(entry)) : encode] as const
  })
  const write = writer(asV1(operation))
  if (encoders.length === 0) return write
  return (data: unknown) => {
    const copy = { ...(data as Record<string, unknown>) }
    for (const [key, encode] of encoders) copy[key] = encode(copy[key] as unknown[])
    return write(copy)
  }
}

/** The output schema as v1 shows it. */
export function asV1({ output, v1Text = {} }: Description): Schema {
  const schema = withoutLater(output)
  const properties = { ...schema['properties'] }
  for (const [key, how] of Object.entries(v1Text))
    properties[key] = how === 'each' ? { type: 'array', items: { type: 'string' } } : { type: 'string' }
  return Object.keys(v1Text).length > 0 ? { ...schema, properties } : schema
}

/** The schema without the fields that only v2 has, at any depth. */
export function withoutLater(schema: Schema): Schema {
  if (schema['items']) return { ...schema, items: withoutLater(schema['items']) }
  if (!schema['properties']) return schema
  const kept = Object.entries(schema['properties'] as Fields).filter(([, field]) => !isOnlyInV2(field))
  const names = new Set(kept.map(([name]) => name))
  return {
    ...schema,
    properties: Object.fromEntries(kept.map(([name, field]) => [name, withoutLater(field)])),
    ...(schema['required'] && { required: schema['required'].filter((name: string) => names.has(name)) }),
  }
}

function namesOnlyInV2({ items, properties = {} }: Schema): Set<string> {
  const fields = Object.entries(properties as Fields)
  return new Set([
    ...(items ? namesOnlyInV2(items) : []),
    ...fields.flatMap(([name, field]) => (isOnlyInV2(field) ? [name] : [...namesOnlyInV2(field)])),
  ])
}
