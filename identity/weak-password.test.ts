import assert from 'node:assert/strict'
import test from 'node:test'
import { isEasyToGuess, strengthOf } from './weak-password.ts'

const ada = { email: 'ada.lovelace@example.test', name: 'Ada Lovelace' }

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
  ])
    assert.equal(isEasyToGuess(password, ada), true, password)
})

test('phrases are not, also with a common word in them', () => {
  for (const password of [
    'a fine password',
    'correct horse battery staple',
    'the cardinal sings at dawn',
    'Ada counts 7 looms',
    'ふるいけやかわずとびこむ',
    'kJ8#vQ2!mZ5x',
  ])
    assert.equal(isEasyToGuess(password, ada), false, password)
})

test('what is left without the words needs six different characters, and is not repeated as a whole', () => {
  assert.equal(isEasyToGuess('cardinal-abcde', ada), false)
  assert.equal(isEasyToGuess('cardinal-abcda', ada), true)
  assert.equal(isEasyToGuess('abcdefabcdef', ada), true)
  assert.equal(isEasyToGuess('abcdefabcde', ada), false)
})

test('the words are those of the address, the name, the project and the product, from three letters on', () => {
  const asked: string[][] = []
  const estimate = (_password: string, words: string[]) => {
    asked.push(words)
    return 4 as const
  }
  const person = { email: 'Al_Ray+x@ex-mail.test', name: 'Al  Ray Lee', projectName: 'Acme Tools' }
  assert.equal(strengthOf(estimate, 'acmetools1234', person), 0)
  assert.deepEqual(asked, [])
  assert.equal(strengthOf(estimate, 'kJ8#vQ2!mZ5x', person), 4)
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
    ],
  ])
  assert.equal(isEasyToGuess('acmetools1234', { ...person, projectName: null }), false)
})
