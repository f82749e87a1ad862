import assert from 'node:assert/strict'
import test from 'node:test'
import { asV1, type Body, bytesOf, errorBody, shapeOf, successWriter, withoutLater } from './bodies.ts'
import { Failure, fail, invalid } from './failure.ts'
import type { Description } from './operation.ts'
import { Prepared, Streamed } from './prepared.ts'
import { integer, list, nothing, onlyInV2, optional, record, text } from './schema.ts'
import { english, type Speech } from './speech.ts'

const german: Speech = { ...english, locale: 'de', translate: (text) => `Ü ${text}` }

const thing = record({ id: integer(), name: text(), later: onlyInV2(text()) })

const described = (over: Partial<Description> = {}): Description => ({
  path: '/v1/things',
  summary: 'Things',
  audience: 'public',
  input: {},
  success: 200,
  message: 'Done.',
  output: record({ thing, things: list(thing), count: onlyInV2(integer()) }),
  failures: {},
  beforehand: {},
  ...over,
})

const one = { id: 1, name: 'A "b"', later: 'x', secret: 'never shown' }
const data = { thing: one, things: [one, one], count: 2, more: 'never shown' }

const textOf = (body: Body): string => {
  if (typeof body === 'string') return body
  return 'rest' in body ? body.head + body.rest : Buffer.concat([...body.parts()]).toString()
}
const written = (operation: Description, version: 'v1' | 'v2', value: unknown = data, speech = english) =>
  JSON.parse(textOf(successWriter(operation, version)(value, speech)))

test('each status has its keys, and some operations have others', () => {
  assert.deepEqual(
    ([400, 401, 403, 404, 405, 429, 500] as const).map((status) => shapeOf(status)),
    [
      'error, message, data',
      'error, message',
      'error, message',
      'error, message, data',
      'error, message, data',
      'error, message',
      'error, message, data',
    ],
  )
  const own = described({ bodies: { 400: 'message', 500: 'message' } })
  assert.equal(shapeOf(400, own), 'message')
  assert.equal(shapeOf(404, own), 'error, message, data')
  assert.equal(shapeOf(404, described()), 'error, message, data')
  assert.equal(shapeOf(405, own), 'error, message, data')
  assert.equal(shapeOf(500, own), 'error, message, data')
})

test('error bodies have the keys of their shape, and in v2 the code', () => {
  const missing = new Failure(404, 'thing_not_found', { text: 'No thing.' })
  const body = (failure: Failure, version: 'v1' | 'v2', operation?: Description) =>
    JSON.parse(errorBody(failure, version, english, operation))
  assert.deepEqual(body(missing, 'v1'), { error: true, message: 'No thing.', data: [] })
  assert.deepEqual(body(missing, 'v2'), {
    error: true,
    message: 'No thing.',
    data: [],
    code: 'thing_not_found',
  })
  assert.deepEqual(body(fail(401, 'unauthenticated'), 'v1'), { error: true, message: 'Unauthenticated.' })
  const short = described({ bodies: { 404: 'message' } })
  assert.deepEqual(body(missing, 'v1', short), { message: 'No thing.' })
})

test('a 422 has its sentences by field, and in v2 their codes', () => {
  const wrong = invalid({ title: [{ code: 'too_long', text: 'The :attribute is too long.' }] })
  const errors = { title: ['The title is too long.'] }
  assert.deepEqual(JSON.parse(errorBody(wrong, 'v1', english)), {
    message: 'The title is too long.',
    errors,
  })
  assert.deepEqual(JSON.parse(errorBody(wrong, 'v2', english)), {
    message: 'The title is too long.',
    errors,
    code: 'title_too_long',
    codes: { title: ['too_long'] },
  })
})

test('a success has the declared fields alone, and v1 none that came later', () => {
  const inV1 = { id: 1, name: 'A "b"' }
  const inV2 = { ...inV1, later: 'x' }
  assert.deepEqual(written(described(), 'v2'), {
    error: false,
    message: 'Done.',
    data: { thing: inV2, things: [inV2, inV2], count: 2 },
  })
  assert.deepEqual(written(described(), 'v1').data, { thing: inV1, things: [inV1, inV1] })
  assert.deepEqual(written(described({ successErrors: true }), 'v1').errors, [])
  assert.deepEqual(written(described({ output: nothing }), 'v1', []).data, [])
})

test('v1 sends declared keys as JSON text, a list as a whole or entry by entry', () => {
  const operation = described({ v1Text: { thing: 'whole', things: 'each' } })
  const inV1 = JSON.stringify({ id: 1, name: 'A "b"' })
  assert.deepEqual(written(operation, 'v1').data, { thing: inV1, things: [inV1, inV1] })
  assert.deepEqual(written(operation, 'v2').data.thing, { id: 1, name: 'A "b"', later: 'x' })
})

test('one writer writes many answers, each in the language of its caller, and translates once', () => {
  const translated: string[] = []
  const counted: Speech = {
    ...german,
    translate(text) {
      translated.push(text)
      return german.translate(text)
    },
  }
  const write = successWriter(described(), 'v2')
  for (const speech of [english, counted, english, counted])
    assert.equal(JSON.parse(textOf(write(data, speech))).message, speech === english ? 'Done.' : 'Ü Done.')
  assert.deepEqual(translated, ['Done.'])
})

function shared(body: Body) {
  assert.ok(typeof body === 'object' && 'rest' in body)
  return body
}

const json = (value: unknown) => JSON.stringify(value)
const shownThing = { id: 1, name: 'say ,"later":"x"', later: 'a\\"b' }

test('prepared data is written once per version, and v1 leaves later fields out of its text', () => {
  const operation = described({ v1Text: { thing: 'whole' } })
  const kept = new Prepared({
    thing: json(shownThing),
    things: json([{ later: 1, id: 2, name: 'B' }, shownThing]),
  })
  const writeV1 = successWriter(operation, 'v1')
  const first = shared(writeV1(kept, english))
  assert.equal(shared(writeV1(kept, english)).source, first.source)
  const { later: _later, ...inV1 } = shownThing
  const { data } = JSON.parse(textOf(first))
  assert.deepEqual(JSON.parse(data.thing), inV1)
  assert.deepEqual(data.things[1], inV1)
  const inV2 = shared(successWriter(operation, 'v2')(kept, english))
  assert.deepEqual(JSON.parse(textOf(inV2)).data.thing, shownThing)
  assert.notEqual(inV2.source, first.source)
  assert.notEqual(inV2.compressed, first.compressed)
})

test('prepared data is the same in v1 where all fields are, and has no later field of any entry where not', () => {
  const entries = json([
    { id: 1, extra: 'x', name: 'A' },
    { id: 2, extra: 5, name: 'B' },
  ])
  const inV1 = (entry: Description['output']) =>
    written(described({ output: record({ entries: list(entry) }) }), 'v1', new Prepared({ entries })).data
  const fields = { id: integer(), extra: text(), name: text() }
  assert.deepEqual(inV1(record(fields)), { entries: JSON.parse(entries) })
  assert.deepEqual(inV1(record({ ...fields, extra: onlyInV2(text()) })), {
    entries: [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
    ],
  })
})

test('prepared data in another language shares all but its beginning', () => {
  const kept = new Prepared({ thing: json(shownThing), things: '[]' })
  const write = successWriter(described({ successErrors: true }), 'v2')
  const body = shared(write(kept, german))
  assert.deepEqual(JSON.parse(textOf(body)), {
    error: false,
    message: 'Ü Done.',
    data: { thing: shownThing, things: [] },
    errors: [],
  })
  const inEnglish = shared(write(kept, english))
  assert.equal(body.source, inEnglish.source)
  assert.equal(body.compressed, inEnglish.compressed)
  assert.equal(bytesOf(body), Buffer.byteLength(textOf(body)))
  assert.equal(bytesOf(inEnglish), body.source.length)
  assert.equal(bytesOf('ü'), 2)
})

const streamed = () => {
  const parts = ['{"id":1,"name":"ü \\"q\\"","later":"x"', ',"list":[{"id":2,"later":null}]}'].map((part) => {
    const bytes = Buffer.from(new ArrayBuffer(Buffer.byteLength(part)))
    bytes.write(part)
    return bytes
  })
  return new Streamed('thing', parts)
}

test('streamed data is written in parts: as values in v2, as text in v1 where declared', () => {
  const asText = described({ v1Text: { thing: 'whole' } })
  const inV1 = { id: 1, name: 'ü "q"', list: [{ id: 2 }] }
  const inV2 = { id: 1, name: 'ü "q"', later: 'x', list: [{ id: 2, later: null }] }
  const read = (operation: Description, version: 'v1' | 'v2') => written(operation, version, streamed())
  assert.deepEqual(read(asText, 'v2'), { error: false, message: 'Done.', data: { thing: inV2 } })
  assert.deepEqual(JSON.parse(read(asText, 'v1').data.thing), inV1)
  assert.deepEqual(read(described(), 'v1').data.thing, inV1)
  assert.deepEqual(read(described({ v1Text: { thing: 'each' } }), 'v1').data.thing, inV1)
})

test('a streamed body knows its size, copies its parts, and frees its memory when it ends', async () => {
  const source = streamed()
  const body = successWriter(described(), 'v2')(source, english)
  assert.ok(typeof body === 'object' && 'parts' in body)
  assert.equal(bytesOf(body), source.bytes)
  assert.equal(body.source, source.parts)
  const parts = [...body.parts()]
  assert.equal(parts.length, 4)
  assert.ok(parts.every((part) => !source.parts.some(({ buffer }) => buffer === part.buffer)))
  body.end()
  await new Promise((resolve) => setImmediate(resolve))
  assert.throws(() => [...body.parts()], /freed before it was sent/)
})

test('the schema of v1 has no later fields at any depth, and text where v1 sends text', () => {
  const schema = (value: unknown) => JSON.parse(JSON.stringify(value))
  const early = { id: { type: 'integer' }, name: { type: 'string', maxLength: 65_535 } }
  const entry = { type: 'object', additionalProperties: false, required: ['id', 'name'], properties: early }
  assert.deepEqual(schema(withoutLater(described().output)), {
    type: 'object',
    additionalProperties: false,
    required: ['thing', 'things'],
    properties: { thing: entry, things: { type: 'array', items: entry } },
  })
  assert.deepEqual(schema(asV1(described())), schema(withoutLater(described().output)))
  const asText = schema(asV1(described({ v1Text: { thing: 'whole', things: 'each' } })))
  assert.deepEqual(asText.properties, {
    thing: { type: 'string' },
    things: { type: 'array', items: { type: 'string' } },
  })
  assert.deepEqual(asText.required, ['thing', 'things'])
  const onlyOptional = record({ name: optional(text({ max: 5 })) })
  assert.deepEqual(schema(withoutLater(onlyOptional)), schema(onlyOptional))
})
