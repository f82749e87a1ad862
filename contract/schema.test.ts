import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutMistakable } from './mistakable-letters.ts'
import {
  details,
  email,
  flag,
  integer,
  isOnlyInV2,
  list,
  newEmail,
  nothing,
  nullable,
  oneOf,
  onlyInV2,
  optional,
  record,
  type Schema,
  secret,
  text,
  timestamp,
  typeOf,
  written,
} from './schema.ts'

/** The JSON Schema, without TypeBox's own symbols. */
const plain = (schema: Schema) => JSON.parse(JSON.stringify(schema))

test('each kind of field is this JSON Schema', () => {
  const schemas: [Schema, object][] = [
    [text(), { type: 'string', maxLength: 65_535 }],
    [
      text({ min: 1, max: 5, about: 'Why.' }),
      { type: 'string', minLength: 1, maxLength: 5, description: 'Why.' },
    ],
    [secret(), { type: 'string', format: 'password', minLength: 1, maxLength: 2048 }],
    [secret({ min: 12 }), { type: 'string', format: 'password', minLength: 12, maxLength: 2048 }],
    [email(), { type: 'string', format: 'email', maxLength: 254 }],
    [newEmail(), { type: 'string', format: 'email', maxLength: 254, pattern: withoutMistakable }],
    [integer(), { type: 'integer' }],
    [integer({ min: 0, max: 0 }), { type: 'integer', minimum: 0, maximum: 0 }],
    [integer({ about: 'Why.' }), { type: 'integer', description: 'Why.' }],
    [flag(), { type: 'boolean' }],
    [flag({ about: 'Why.' }), { type: 'boolean', description: 'Why.' }],
    [timestamp(), { type: 'string', format: 'date-time' }],
    [oneOf(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [list(flag()), { type: 'array', items: { type: 'boolean' } }],
    [list(flag(), { max: 3 }), { type: 'array', items: { type: 'boolean' }, maxItems: 3 }],
    [details(), { type: 'object', additionalProperties: true }],
    [nothing, { type: 'array', maxItems: 0, items: {} }],
    [written({ const: 1 }), { const: 1 }],
  ]
  for (const [schema, expected] of schemas) assert.deepEqual(plain(schema), expected)
})

test('a record takes its fields alone, and requires all that are not optional', () => {
  assert.deepEqual(plain(record({ id: integer(), name: optional(text({ max: 5 })) })), {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: ['string', 'null'], maxLength: 5 } },
  })
})

test('a field that may be null has a list of types, and null among its values', () => {
  assert.deepEqual(plain(nullable(integer({ min: 1 }))), { type: ['integer', 'null'], minimum: 1 })
  assert.deepEqual(plain(nullable(oneOf(['a']))), { type: ['string', 'null'], enum: ['a', null] })
  assert.deepEqual(typeOf(nullable(integer())), { type: 'integer', isNullable: true })
  assert.deepEqual(typeOf(optional(text())), { type: 'string', isNullable: true })
  assert.deepEqual(typeOf(integer()), { type: 'integer', isNullable: false })
})

test('a field that only v2 has is marked', () => {
  const later = onlyInV2(integer({ min: 1 }))
  assert.deepEqual(plain(later), { type: 'integer', minimum: 1, 'x-since': 'v2' })
  assert.equal(isOnlyInV2(later), true)
  assert.equal(isOnlyInV2(integer()), false)
})
