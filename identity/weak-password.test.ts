import assert from 'node:assert/strict'
import test from 'node:test'
import { isEasyToGuess } from './weak-password.ts'

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
