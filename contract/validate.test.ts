import assert from 'node:assert/strict'
import test from 'node:test'
import {
  fieldCodesIn,
  invalid,
  messageOf,
  type Problems,
  patternOf,
  errorsOf as sentencesOf,
} from './failure.ts'
import {
  email,
  flag,
  integer,
  list,
  newEmail,
  oneOf,
  optional,
  record,
  secret,
  text,
  timestamp,
} from './schema.ts'
import { english } from './speech.ts'
import { isEmail, isObject, rulesOf, validate } from './validate.ts'

const fields = {
  title: text({ max: 5 }),
  email: optional(email()),
  new_email: optional(newEmail()),
  board_id: optional(integer({ min: 1, max: 9 })),
  priority: optional(oneOf(['low', 'high'])),
  done: optional(flag()),
  secret: optional(secret({ min: 3 })),
  groups: optional(list(record({ id: integer(), position: integer() }), { max: 2 })),
  names: optional(list(text({ max: 3 }))),
  due: optional(timestamp()),
  label: optional(text({ min: 1, max: 5 })),
}

function errorsOf(body: Record<string, unknown>) {
  const result = validate(fields, { title: 'x', ...body })
  assert.ok('problems' in result, `${JSON.stringify(body)} was accepted`)
  return shown(result.problems)
}

/** The codes and the sentences, as they are answered. */
function shown(problems: Problems) {
  const failure = invalid(problems)
  const codes = fieldCodesIn(failure)
  return Object.fromEntries(
    Object.entries(sentencesOf(failure, english)).map(([field, sentences]) => [
      field,
      sentences.map((sentence, index) => ({ code: codes[field]?.[index], sentence })),
    ]),
  )
}

/** The codes and the sentences of one failing field. */
const failing = (field: string, codes: string[], sentences: string[]) => ({
  [field]: sentences.map((sentence, index) => ({ code: codes[index], sentence })),
})

function accepted(body: Record<string, unknown>) {
  const result = validate(fields, { title: 'x', ...body })
  assert.ok('value' in result, JSON.stringify(result))
  return result.value
}

test('a text of which nothing can be seen is empty, and one with something keeps what is between', () => {
  for (const unseen of ['\u200b', '\u3164', '\u2800 \u2060', '\u00ad\u0085', '\ufe0f', '\u{e0041}']) {
    assert.deepEqual(
      errorsOf({ title: unseen }),
      failing('title', ['required'], ['The title field is required.']),
    )
    assert.equal(accepted({ label: null, email: unseen }).email, null)
    assert.equal(accepted({ title: `a${unseen}b` }).title, `a${unseen}b`)
  }
})

test('each rule has its code and its sentence', () => {
  const cases: [string, unknown, string[], string[]][] = [
    ['title', '', ['required'], ['The title field is required.']],
    ['title', '  ', ['required'], ['The title field is required.']],
    ['title', null, ['required'], ['The title field is required.']],
    ['title', 5, ['not_a_string'], ['The title field must be a string.']],
    ['title', '123456', ['too_long'], ['The title field must not be greater than 5 characters.']],
    [
      'title',
      'a\0',
      ['control_character'],
      ['The title field contains a control character (U+0000) that cannot be stored.'],
    ],
    [
      'title',
      'a\x1bb\b',
      ['control_character'],
      ['The title field contains a control character (U+001B) that cannot be stored.'],
    ],
    ['title', '\ud800', ['broken_character'], ['The title field holds characters that cannot be stored.']],
    ['email', 'x', ['not_an_email'], ['The email field must be a valid email address.']],
    ['email', 'a@b..test', ['not_an_email'], ['The email field must be a valid email address.']],
    ['email', 'a@b.test.', ['not_an_email'], ['The email field must be a valid email address.']],
    [
      'email',
      5,
      ['not_a_string', 'not_an_email'],
      ['The email field must be a string.', 'The email field must be a valid email address.'],
    ],
    [
      'new_email',
      'v\u0130ctim@a.test',
      ['mistakable_letter'],
      ['The new email field contains a letter (U+0130) that counts as another one in email addresses.'],
    ],
    ['board_id', '5', ['not_an_integer'], ['The board id field must be an integer.']],
    ['board_id', 5.5, ['not_an_integer'], ['The board id field must be an integer.']],
    ['board_id', 2 ** 53, ['not_an_integer'], ['The board id field must be an integer.']],
    ['board_id', Number.POSITIVE_INFINITY, ['not_an_integer'], ['The board id field must be an integer.']],
    ['board_id', true, ['not_an_integer'], ['The board id field must be an integer.']],
    ['board_id', 0, ['too_small'], ['The board id field must be at least 1.']],
    ['board_id', 10, ['too_large'], ['The board id field must not be greater than 9.']],
    ['priority', 'none', ['not_a_choice'], ['The selected priority is invalid.']],
    [
      'priority',
      5,
      ['not_a_string', 'not_a_choice'],
      ['The priority field must be a string.', 'The selected priority is invalid.'],
    ],
    ['done', 1, ['not_a_boolean'], ['The done field must be true or false.']],
    ['done', 'true', ['not_a_boolean'], ['The done field must be true or false.']],
    ['secret', 'ab', ['too_short'], ['The secret field must be at least 3 characters.']],
    ['groups', {}, ['not_a_list'], ['The groups field must be an array.']],
    ['groups', [1, 2, 3], ['too_many'], ['The groups field must not have more than 2 items.']],
    ['names', 'abc', ['not_a_list'], ['The names field must be an array.']],
    ['due', '2026-02-30', ['not_a_date'], ['The due field must be a valid date.']],
    [
      'due',
      5,
      ['not_a_string', 'not_a_date'],
      ['The due field must be a string.', 'The due field must be a valid date.'],
    ],
    ['label', ' ', ['required'], ['The label field is required.']],
  ]
  for (const [field, value, codes, sentences] of cases)
    assert.deepEqual(errorsOf({ [field]: value }), failing(field, codes, sentences))
})

test('a value is accepted up to its limits and as far as its type allows', () => {
  const values: Record<string, unknown[]> = {
    title: ['12345'],
    // The address of an existing account may have letters that a new one may not.
    email: ['a@b', 'ann.lee+x@mail.example.test', 'v\u0130ctim@a.test'],
    new_email: ['a@b', 'ann.lee+x@mail.example.test', 'ü@ü.test'],
    board_id: [1, 9],
    priority: ['low', 'high'],
    done: [true, false],
    secret: ['abc', '🙂🙂🙂'],
    groups: [
      [],
      [
        { id: 1, position: 2 },
        { id: -3, position: 0 },
      ],
    ],
    names: [[], ['abc', 'a']],
    label: ['a', null],
  }
  for (const [field, all] of Object.entries(values))
    for (const value of all) assert.deepEqual(accepted({ [field]: value }), { title: 'x', [field]: value })
  assert.equal(accepted({ due: '2026-01-31 08:30:15+02:00' })['due'], '2026-01-31T06:30:15.000Z')
})

test('a problem has a value only if its sentence has one', () => {
  assert.deepEqual(validate({ title: text({ max: 2 }), id: integer() }, { title: 'abc' }), {
    problems: {
      title: [
        {
          code: 'too_long',
          text: 'The :attribute field must not be greater than :value characters.',
          values: { value: 2 },
        },
      ],
      id: [{ code: 'required', text: 'The :attribute field is required.' }],
    },
  })
})

test('an address has one @ with text before it, no empty part or space, and no second spelling of a domain', () => {
  for (const address of ['a@b', 'a@b.c', 'ann.lee+x@mail.example.test', 'ü@ü.test', 'u\u0308@u\u0308.test'])
    assert.equal(isEmail(address), true, address)
  const wrong = ['', 'a', '@b.test', 'a@', 'a@.test', 'a@b.', 'a@b..c', 'a@b@c', 'a b@c', 'a@b c', 'a@b.c d']
  const others = ['<a@b.test>', 'a@b.test>', '<a@b.test', 'a@ｂ.test', 'a@b。test', 'a@b．test', 'a@b｡test']
  for (const address of [...wrong, ...others, 'a\0@b', 'a@b\0', 5, null, ['a@b']])
    assert.equal(isEmail(address), false, String(address))
})

test('the domain of an address has at most 253 characters', () => {
  assert.deepEqual(
    [253, 254].map((length) => isEmail(`a@${'b'.repeat(length)}`)),
    [true, false],
  )
})

test('a list or null is not an object', () => {
  assert.deepEqual(
    [{}, { a: 1 }, [], null, undefined, 'x', 5].map((value) => isObject(value)),
    [true, true, false, false, false, false, false],
  )
  assert.deepEqual(Object.keys(errorsOf({ groups: [null, []] })), [
    'groups.0',
    'groups.1',
    'groups.0.id',
    'groups.1.id',
    'groups.0.position',
    'groups.1.position',
  ])
})

test('a field that an entry leaves out stays absent', () => {
  const entries = list(record({ id: integer(), note: optional(text()) }))
  const given = [{ id: 1 }, { id: 2, note: ' a ' }, { id: 3, note: null }]
  assert.deepEqual(validate({ entries }, { entries: given }), {
    value: { entries: [{ id: 1 }, { id: 2, note: 'a' }, { id: 3, note: null }] },
  })
})

test('entries of lists are checked field by field, each under its own key', () => {
  const problems = errorsOf({ groups: [5, { id: 'x' }] })
  assert.deepEqual(problems, {
    ...failing('groups.0', ['not_an_object'], ['The groups.0 field must be an array.']),
    ...failing('groups.0.id', ['required'], ['The groups.0.id field is required.']),
    ...failing('groups.1.id', ['not_an_integer'], ['The groups.1.id field must be an integer.']),
    ...failing('groups.0.position', ['required'], ['The groups.0.position field is required.']),
    ...failing('groups.1.position', ['required'], ['The groups.1.position field is required.']),
  })
  assert.deepEqual(Object.keys(problems), [
    'groups.0',
    'groups.0.id',
    'groups.1.id',
    'groups.0.position',
    'groups.1.position',
  ])
  assert.deepEqual(errorsOf({ names: ['abcd', 5] }), {
    ...failing('names.0', ['too_long'], ['The names.0 field must not be greater than 3 characters.']),
    ...failing('names.1', ['not_a_string'], ['The names.1 field must be a string.']),
  })
  assert.deepEqual(accepted({ groups: [{ id: 1, position: 2, extra: 3 }] })['groups'], [
    { id: 1, position: 2 },
  ])
})

test('an empty required list counts as missing', () => {
  const result = validate({ groups: list(record({ id: integer() })) }, { groups: [] })
  assert.ok('problems' in result)
  assert.deepEqual(shown(result.problems), failing('groups', ['required'], ['The groups field is required.']))
})

test('failing fields are in the order of declaration, not of the body', () => {
  const result = validate(fields, { done: 1, board_id: 'x', title: 5 })
  assert.deepEqual('problems' in result && Object.keys(result.problems), ['title', 'board_id', 'done'])
})

test('text refuses every control character except tab and line breaks; secrets accept all', () => {
  const characters = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  const controls = characters.slice(0, 0x20).filter((one) => !'\t\n\r'.includes(one))
  // At the ends too, where tabs and line breaks are trimmed.
  const places = ['a\0b', '\0a', 'a\0', ' a\t\0\n']
  for (const place of places) {
    const isRefused = (one: string) => 'problems' in validate(fields, { title: place.replace('\0', one) })
    assert.deepEqual(characters.filter(isRefused), controls, JSON.stringify(place))
  }
  for (const one of controls) assert.equal(errorsOf({ title: one })['title']?.[0]?.code, 'control_character')
  assert.equal(errorsOf({ board_id: '\f' })['board_id']?.[0]?.code, 'not_an_integer')
  assert.equal(errorsOf({ due: '2026-01-31\f' })['due']?.[0]?.code, 'not_a_date')
  assert.deepEqual(errorsOf({ names: ['a\x07'] })['names.0']?.length, 1)
  const secret = characters.join('')
  assert.equal(accepted({ title: 'x', secret })['secret'], secret)
})

test('text is trimmed, empty optional text becomes null, absent text stays absent; secrets are unchanged', () => {
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

test('unknown fields and fields of the prototype are ignored', () => {
  const hostile = JSON.parse('{"title":"x","__proto__":{"board_id":5},"constructor":1,"id":7}')
  assert.deepEqual(accepted(hostile), { title: 'x' })
})

test('a 422 has the code and the sentence of the first failing field, and counts the other sentences', () => {
  const of = (...sentences: string[]) => sentences.map((text) => ({ code: 'too_long', text }))
  const told = (problems: Parameters<typeof invalid>[0]) => {
    const failure = invalid(problems)
    return [failure.code, messageOf(failure, english)]
  }
  assert.deepEqual(told({ title: of('One.') }), ['title_too_long', 'One.'])
  assert.deepEqual(told({ title: of('One.', 'Two.') }), ['title_too_long', 'One. (and 1 more error)'])
  assert.deepEqual(told({ 'groups.12.id': of('One.', 'Two.'), b: of('Three.') }), [
    'groups_id_too_long',
    'One. (and 2 more errors)',
  ])
})

test('every rule that a field breaks is listed for its schema', () => {
  const texts = ['', 'x', '123456', '\0', '\ud800', '\u0130', 'x'.repeat(70_000)]
  const others = [null, true, 5, 0, 10, 2 ** 60, {}, []]
  const lists = [[1, 2, 3], [{}], [{ id: 'x', position: 'x' }], ...[...texts, ...others].map((one) => [one])]
  const wrong = [undefined, ...texts, ...others, ...lists]
  const told = new Map(Object.entries(fields).flatMap(([name, schema]) => rulesOf(name, schema)))
  const broken = new Map<string, Set<string>>()
  for (const value of wrong)
    for (const name of Object.keys(fields)) {
      const result = validate(fields, { title: 'x', [name]: value })
      for (const [field, problems] of Object.entries('problems' in result ? result.problems : {}))
        for (const { code } of problems)
          broken.set(patternOf(field), (broken.get(patternOf(field)) ?? new Set()).add(code))
    }
  const sorted = (all: Map<string, Iterable<string>>) =>
    Object.fromEntries([...all].map(([field, rules]) => [field, [...rules].toSorted()]))
  assert.deepEqual(sorted(told), sorted(broken))
})

test('a list of many wrong entries is answered with the first 1,000 problems', () => {
  const ids = { ids: list(integer(), { max: 100_000 }) }
  const result = validate(ids, { ids: Array.from({ length: 100_000 }, () => 'x') })
  assert.ok('problems' in result)
  assert.equal(Object.keys(result.problems).length, 1000)
})
