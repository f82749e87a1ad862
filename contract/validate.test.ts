import assert from 'node:assert/strict'
import test from 'node:test'
import { email, flag, integer, list, oneOf, optional, record, secret, text } from './schema.ts'
import { overview, validate } from './validate.ts'

const fields = {
  title: text({ max: 5 }),
  email: optional(email()),
  board_id: optional(integer({ min: 1, max: 9 })),
  priority: optional(oneOf(['low', 'high'])),
  done: optional(flag()),
  secret: optional(secret({ min: 3 })),
  groups: optional(list(record({ id: integer(), position: integer() }), { max: 2 })),
  names: optional(list(text({ max: 3 }))),
}

function errorsOf(body: Record<string, unknown>) {
  const result = validate(fields, { title: 'x', ...body })
  assert.ok('errors' in result, `${JSON.stringify(body)} was accepted`)
  return result.errors
}

function accepted(body: Record<string, unknown>) {
  const result = validate(fields, { title: 'x', ...body })
  assert.ok('value' in result, JSON.stringify(result))
  return result.value
}

test('each rule has its sentence', () => {
  const cases: [string, unknown, string[]][] = [
    ['title', '', ['The title field is required.']],
    ['title', '  ', ['The title field is required.']],
    ['title', null, ['The title field is required.']],
    ['title', 5, ['The title field must be a string.']],
    ['title', '123456', ['The title field must not be greater than 5 characters.']],
    ['title', 'a\0', ['The title field contains a control character (U+0000) that cannot be stored.']],
    ['title', 'a\x1bb\b', ['The title field contains a control character (U+001B) that cannot be stored.']],
    ['title', '\ud800', ['The title field holds characters that cannot be stored.']],
    ['email', 'x', ['The email field must be a valid email address.']],
    ['email', 'a@b..test', ['The email field must be a valid email address.']],
    ['email', 'a@b.test.', ['The email field must be a valid email address.']],
    ['email', 5, ['The email field must be a string.', 'The email field must be a valid email address.']],
    ['board_id', '5', ['The board id field must be an integer.']],
    ['board_id', 5.5, ['The board id field must be an integer.']],
    ['board_id', 2 ** 53, ['The board id field must be an integer.']],
    ['board_id', Number.POSITIVE_INFINITY, ['The board id field must be an integer.']],
    ['board_id', true, ['The board id field must be an integer.']],
    ['board_id', 0, ['The board id field must be at least 1.']],
    ['board_id', 10, ['The board id field must not be greater than 9.']],
    ['priority', 'none', ['The selected priority is invalid.']],
    ['priority', 5, ['The priority field must be a string.', 'The selected priority is invalid.']],
    ['done', 1, ['The done field must be true or false.']],
    ['done', 'true', ['The done field must be true or false.']],
    ['secret', 'ab', ['The secret field must be at least 3 characters.']],
    ['groups', {}, ['The groups field must be an array.']],
    ['groups', [1, 2, 3], ['The groups field must not have more than 2 items.']],
  ]
  for (const [field, value, sentences] of cases)
    assert.deepEqual(errorsOf({ [field]: value }), { [field]: sentences })
})

test('lists: the entries field by field, each under its own key', () => {
  assert.deepEqual(Object.entries(errorsOf({ groups: [5, { id: 'x' }] })), [
    ['groups.0', ['The groups.0 field must be an array.']],
    ['groups.0.id', ['The groups.0.id field is required.']],
    ['groups.1.id', ['The groups.1.id field must be an integer.']],
    ['groups.0.position', ['The groups.0.position field is required.']],
    ['groups.1.position', ['The groups.1.position field is required.']],
  ])
  assert.deepEqual(errorsOf({ names: ['abcd', 5] }), {
    'names.0': ['The names.0 field must not be greater than 3 characters.'],
    'names.1': ['The names.1 field must be a string.'],
  })
  assert.deepEqual(accepted({ groups: [{ id: 1, position: 2, extra: 3 }] })['groups'], [
    { id: 1, position: 2 },
  ])
})

test('a required list that is empty is missing', () => {
  const result = validate({ groups: list(record({ id: integer() })) }, { groups: [] })
  assert.deepEqual(result, { errors: { groups: ['The groups field is required.'] } })
})

test('failing fields come in the order of declaration, whatever the order in the body', () => {
  const result = validate(fields, { done: 1, board_id: 'x', title: 5 })
  assert.deepEqual('errors' in result && Object.keys(result.errors), ['title', 'board_id', 'done'])
})

test('every control character but tab and line breaks is refused in text, and none in a secret', () => {
  const characters = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  const refused = characters.filter((one) => 'errors' in validate(fields, { title: `a${one}b` }))
  assert.deepEqual(
    refused,
    characters.slice(0, 0x20).filter((one) => !'\t\n\r'.includes(one)),
  )
  assert.deepEqual(errorsOf({ names: ['a\x07'] })['names.0']?.length, 1)
  const secret = characters.join('')
  assert.equal(accepted({ title: 'x', secret })['secret'], secret)
})

test('text is trimmed, an optional empty one is null, an absent one stays absent; secrets are as typed', () => {
  assert.deepEqual(accepted({ title: '  a b \n', email: ' ', secret: '   ', board_id: null }), {
    title: 'a b',
    email: null,
    secret: '   ',
    board_id: null,
  })
})

test('lengths count code points', () => {
  assert.deepEqual(accepted({ title: '🙂🙂🙂🙂🙂' })['title'], '🙂🙂🙂🙂🙂')
  assert.ok(errorsOf({ title: '🙂🙂🙂🙂🙂🙂' })['title'])
  assert.ok(errorsOf({ secret: '🙂🙂' })['secret'])
})

test('unknown fields and those of the prototype are ignored', () => {
  const hostile = JSON.parse('{"title":"x","__proto__":{"board_id":5},"constructor":1,"id":7}')
  assert.deepEqual(accepted(hostile), { title: 'x' })
})

test('the overview counts sentences, not fields', () => {
  assert.equal(overview({ a: ['One.'] }), 'One.')
  assert.equal(overview({ a: ['One.', 'Two.'] }), 'One. (and 1 more error)')
  assert.equal(overview({ a: ['One.', 'Two.'], b: ['Three.'] }), 'One. (and 2 more errors)')
})
