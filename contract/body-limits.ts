// How large and how complex a body may be; an operation's limits follow from the fields that it declares.
import { type Fields, record, type Schema, typeOf } from './schema.ts'

export interface BodyLimits {
  bytes: number
  /** Keys in all objects together. */
  keys: number
  /** Lists, objects and entries together. */
  values: number
}

export const mostBodyBytes = 1024 * 1024
/** Enough for every operation that takes no long text and no list, with room for fields that it ignores. */
export const usualLimits: BodyLimits = { bytes: 64 * 1024, keys: 1000, values: 1000 }
const mostLevels = 32

/** A character may be escaped as two units of six bytes each. */
const bytesPerCharacter = 12
const bytesPerNumber = 24
const bytesPerDate = 64

export function limitsOf(input: Fields): BodyLimits {
  const { bytes, keys, values } = largest(record(input))
  return {
    bytes: Math.min(mostBodyBytes, Math.max(usualLimits.bytes, bytes)),
    keys: usualLimits.keys + keys,
    values: usualLimits.values + values,
  }
}

/** The largest value that a schema allows. */
function largest(schema: Schema): BodyLimits {
  const { type } = typeOf(schema)
  if (type === 'array') {
    const most: number | undefined = schema['maxItems']
    if (most === undefined) throw new Error('A list in a request needs a maximum of entries.')
    const entry = largest(schema['items'])
    return { bytes: most * (entry.bytes + 1) + 2, keys: most * entry.keys, values: most * (entry.values + 1) }
  }
  if (type === 'object') {
    const fields = Object.entries(schema['properties'] as Fields).map(([name, field]) => {
      const { bytes, keys, values } = largest(field)
      return { bytes: name.length + 4 + bytes, keys: keys + 1, values: values + 1 }
    })
    return fields.reduce(sum, { bytes: 2, keys: 0, values: 1 })
  }
  const { format, maxLength, enum: choices = [] } = schema
  if (type !== 'string') return { bytes: bytesPerNumber, keys: 0, values: 0 }
  const characters = maxLength ?? Math.max(0, ...choices.map((choice: unknown) => String(choice).length))
  const bytes = format === 'date-time' ? bytesPerDate : bytesPerCharacter * characters + 2
  return { bytes, keys: 0, values: 0 }
}

const sum = (one: BodyLimits, other: BodyLimits): BodyLimits => ({
  bytes: one.bytes + other.bytes,
  keys: one.keys + other.keys,
  values: one.values + other.values,
})

const byteOf = (character: string) => character.charCodeAt(0)
const quote = byteOf('"')
const backslash = byteOf('\\')
const comma = byteOf(',')
const colon = byteOf(':')
const openObject = byteOf('{')
const closeObject = byteOf('}')
const openList = byteOf('[')
const closeList = byteOf(']')

/** Counts before anything is parsed, because the parser is slow at many different objects: 60,000 of them took 0.4 s. */
export function isSimpleEnough(json: Buffer, { keys, values }: BodyLimits): boolean {
  let keysLeft = keys
  let valuesLeft = values
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) at = endOfString(json, at + 1)
    else if (byte === colon) keysLeft--
    else if (byte === comma) valuesLeft--
    else if (byte === closeObject || byte === closeList) level--
    else if (byte === openObject || byte === openList) {
      valuesLeft--
      level++
    } else continue
    if (keysLeft < 0 || valuesLeft < 0 || level > mostLevels) return false
  }
  return true
}

/** The place of the quote that ends the string; most strings have no other quote, and searching for one is fast. */
function endOfString(json: Buffer, start: number): number {
  const found = json.indexOf(quote, start)
  if (found === -1 || json[found - 1] !== backslash) return found === -1 ? json.length : found
  let at = start
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}
