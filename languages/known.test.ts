import assert from 'node:assert/strict'
import test from 'node:test'
import { isLanguage, languages, preferred } from './known.ts'

const cases: Record<string, string> = {
  '': 'en',
  '*': 'en',
  en: 'en',
  de: 'de',
  DE: 'de',
  'de-AT': 'de',
  'de-Latn-CH-1996': 'de',
  'en-US,en;q=0.9': 'en',
  'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7': 'de',
  'en-GB,en;q=0.9,de;q=0.8': 'en',
  'fr-FR,fr;q=0.9,de;q=0.5,en;q=0.4': 'de',
  'fr, it': 'en',
  'fr, *;q=0.5': 'en',
  'de;q=0.5, *;q=0.8': 'en',
  'de;q=0.8, *;q=0.5': 'de',
  'en;q=0, *': 'de',
  'de;q=0': 'en',
  'de;q=0, en;q=0': 'en',
  'de-AT;q=0.2, en;q=0.5, de;q=0.9': 'de',
  'de;q=0.9, de-AT;q=0.2, en;q=0.5': 'de',
  'de, en': 'de',
  'en, de': 'en',
  'de;q=0.5, en;q=0.5': 'de',
  ' de ; q = 0.9 , en ; q = 0.1 ': 'de',
  'de;q=1.000, en': 'de',
  'de;q=2, en;q=0.1': 'en',
  'de;q=-1': 'en',
  'de;q=': 'en',
  'de;q=0.1234': 'en',
  'de;level=1': 'en',
  deutsch: 'en',
  de_DE: 'en',
  'd\u0000e': 'en',
  '<de>': 'en',
  ',,,;;;===': 'en',
  ',,de,,': 'de',
  '__proto__, constructor': 'en',
}

for (const [header, language] of Object.entries(cases))
  test(`Accept-Language ${JSON.stringify(header)} is ${language}`, () => {
    assert.equal(preferred(header), language)
  })

test('no header is the first known language', () => {
  assert.equal(preferred(undefined), languages[0])
})

test('a long header is answered from its beginning', () => {
  assert.equal(preferred(`${'fr,'.repeat(19)}de`), 'de')
  assert.equal(preferred(`${'fr,'.repeat(20)}de`), 'en')
  for (const hostile of ['de-', 'de;q=', ' ', ';', ',', '-', 'de ;', '*'])
    assert.equal(preferred(hostile.repeat(100_000)), 'en', hostile)
})

test('only known languages are languages', () => {
  assert.deepEqual(['en', 'de'].map(isLanguage), [true, true])
  assert.deepEqual(
    ['EN', 'de-AT', 'fr', '', 'toString', null, undefined, 1].map(isLanguage),
    Array(8).fill(false),
  )
})
