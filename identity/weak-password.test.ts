import assert from 'node:assert/strict'
import test from 'node:test'
import { hashOf, judge, obviousWeakness, type Part, type Strength } from './weak-password.ts'

const ada = { email: 'ada.lovelace@example.test', name: 'Ada Lovelace' }
const isObvious = (password: string, person: Parameters<typeof obviousWeakness>[1] = ada) =>
  obviousWeakness(password, person) !== undefined

test('repeats, the address, the name, a common word and the name of the product are easy to guess', () => {
  for (const password of [
    'passwordpassword',
    'Password1234!',
    'abcdefgabcdefg',
    'abcdefgabcdefgabc',
    'aaaaaaaaaaaa',
    '111111111111',
    'cardinal-2026',
    'CardinalCardinal1',
    'ada.lovelace@example.test',
    'adalovelace1',
    'ada.lovelace!',
    'example.test123',
    'grace.hopper@example.test',
    'Grace@Other-site.test!',
  ])
    assert.equal(isObvious(password), true, password)
})

test('the words of the project with its legal form and a year are easy to guess', () => {
  const person = { ...ada, projectName: 'Acme' }
  for (const password of ['Acme GmbH 2026', 'Acme 1987-2034', 'Lovelace Inc 2024'])
    assert.equal(isObvious(password, person), true, password)
  assert.equal(isObvious('Acme 20261999 bcd', person), false)
})

test('phrases are not, also with a common word in them', () => {
  for (const password of [
    'a fine password',
    'correct horse battery staple',
    'the cardinal sings at dawn',
    'Ada counts 7 looms',
    'ふるいけやかわずとびこむ',
    'kJ8#vQ2!mZ5x',
    'kJ8vQ@mZ5x.t7',
    'grace@other.test or blue whales',
  ])
    assert.equal(isObvious(password), false, password)
})

test('the host names of the service are as well known as its own name', () => {
  const person = { ...ada, site: 'boards.acme.test acme-tools.test' }
  assert.equal(isObvious('acme.boards!1'), false)
  assert.deepEqual(obviousWeakness('acme.boards!1', person), { weakness: 'common password', part: 'boards' })
  assert.equal(isObvious('localhost:12!'), true)
})

test('what is left without the words needs six different characters, and is not repeated as a whole', () => {
  assert.equal(isObvious('cardinal-abcde'), false)
  assert.equal(isObvious('cardinal-abcda'), true)
  assert.equal(isObvious('abcdefabcdef'), true)
  assert.equal(isObvious('abcdefabcde'), false)
})

test('the words are those of the address, the name, the project and the product, from three letters on', () => {
  const asked: string[][] = []
  const estimate = (_password: string, words: string[]) => {
    asked.push(words)
    return { strength: 4 as const, parts: [], isLeaked: false }
  }
  const person = { email: 'Al_Ray+x@ex-mail.test', name: 'Al  Ray Lee', projectName: 'Acme Tools' }
  assert.deepEqual(judge(estimate, 'acmetools1234', person), {
    strength: 0,
    weakness: 'own words',
    part: 'tools',
  })
  assert.deepEqual(asked, [])
  assert.deepEqual(judge(estimate, 'kJ8#vQ2!mZ5x', person), { strength: 4, weakness: null, part: null })
  assert.deepEqual(asked, [
    [
      'al_ray+x@ex-mail.test',
      'ray',
      'mail',
      'test',
      'al  ray lee',
      'ray',
      'lee',
      'acme',
      'tools',
      'password',
      'cardinal',
      'localhost',
      'gmbh',
      'inc',
      'ltd',
      'llc',
    ],
  ])
  assert.equal(isObvious('acmetools1234', { ...person, projectName: null }), false)
})

const found = (strength: Strength, parts: Part[], isLeaked = false) =>
  judge(() => ({ strength, parts, isLeaked }), 'kJ8#vQ2!mZ5x', ada)

test('the longest part that is explained says why a password is refused', () => {
  const word = { pattern: 'dictionary', token: 'sommer', dictionaryName: 'commonWords-de' }
  const rest = { pattern: 'bruteforce', token: 'xkqjvwzh' }
  assert.deepEqual(found(2, [{ pattern: 'regex', token: '2024' }, rest, word]), {
    strength: 2,
    weakness: 'word',
    part: 'sommer',
  })
  for (const [part, weakness] of [
    [{ ...word, dictionaryName: 'userInputs' }, 'own words'],
    [{ ...word, dictionaryName: 'userInputs', token: 'Cardinal' }, 'common password'],
    [{ ...word, dictionaryName: 'passwords-common' }, 'common password'],
    [{ ...word, dictionaryName: 'firstnames-en' }, 'name'],
    [{ ...word, dictionaryName: 'lastnames-de' }, 'name'],
    [{ ...word, dictionaryName: 'wikipedia-en' }, 'word'],
    [{ pattern: 'date', token: '1.1.2000' }, 'date'],
    [{ pattern: 'regex', token: '2024' }, 'date'],
    [{ pattern: 'repeat', token: 'aaaa' }, 'repeat'],
    [{ pattern: 'sequence', token: 'abcd' }, 'sequence'],
    [{ pattern: 'wordSequence', token: 'mondaytuesday' }, 'sequence'],
    [{ pattern: 'spatial', token: 'qwert' }, 'keyboard'],
  ] as const)
    assert.deepEqual(found(1, [rest, part]), { strength: 1, weakness, part: part.token }, weakness)
  assert.deepEqual(found(2, [rest]), { strength: 2, weakness: 'short', part: null })
})

test('from strength 4 on a password is accepted, unless it was leaked', () => {
  const parts = [{ pattern: 'date', token: '2024' }]
  assert.deepEqual(found(3, parts), { strength: 3, weakness: 'date', part: '2024' })
  assert.deepEqual(found(4, parts), { strength: 4, weakness: null, part: null })
  assert.deepEqual(found(4, parts, true), { strength: 0, weakness: 'leaked', part: null })
})

test('few different characters are a repetition, unless words of the person were left out', () => {
  assert.deepEqual(obviousWeakness('aabbaaabbbab', ada), { weakness: 'repeat' })
  assert.deepEqual(obviousWeakness('abcdefgabcdefg', ada), { weakness: 'repeat' })
  assert.deepEqual(obviousWeakness('Lovelace1111', ada), { weakness: 'own words', part: 'lovelace' })
  assert.deepEqual(obviousWeakness('Cardinal1111', ada), { weakness: 'common password', part: 'cardinal' })
})

test('the hash of a password is FNV-1a of its small letters in UTF-8', () => {
  assert.equal(hashOf(''), 0x811c9dc5)
  assert.equal(hashOf('foobar'), 0xbf9cf968)
  assert.equal(hashOf('FooBar'), hashOf('foobar'))
  assert.notEqual(hashOf('fööbar'), hashOf('foobar'))
})
