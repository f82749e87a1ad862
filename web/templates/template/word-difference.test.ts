import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '#tests/random.ts'
import { changedWords, wordsOf } from './word-difference.ts'

const marked = (before: string, after: string) => {
  const [old, next] = [wordsOf(before), wordsOf(after)]
  const [removed, added] = changedWords(old, next)
  const show = (words: string[], isChanged: boolean[]) =>
    words.map((word, index) => (isChanged[index] ? `[${word}]` : word)).join('')
  return [show(old, removed), show(next, added)]
}

test('changed words are marked in both texts, and the rest is not', () => {
  assert.deepEqual(marked('Send the old form.', 'Send the new form!'), [
    'Send the [old] form[.]',
    'Send the [new] form[!]',
  ])
  assert.deepEqual(marked('Straße prüfen', 'Straße gut prüfen'), ['Straße prüfen', 'Straße [gut][ ]prüfen'])
})

test('a whole text is new, or gone', () => {
  assert.deepEqual(marked('', 'New'), ['', '[New]'])
  assert.deepEqual(marked('Old', ''), ['[Old]', ''])
})

test('words make up the text, and what both texts keep is the same', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const [old, next] = [wordsOf(before), wordsOf(after)]
      assert.deepEqual([old.join(''), next.join('')], [before, after])
      const [removed, added] = changedWords(old, next)
      const kept = (words: string[], isChanged: boolean[]) => words.filter((_, index) => !isChanged[index])
      assert.deepEqual(kept(old, removed), kept(next, added))
    }),
  )
})

test('two long texts without a common word are changed as a whole', () => {
  const words = (letter: string) => Array.from({ length: 3000 }, (_, index) => letter + index)
  const [removed, added] = changedWords(words('a'), words('b'))
  assert.ok([...removed, ...added].every((isChanged) => isChanged))
  assert.deepEqual([removed.length, added.length], [3000, 3000])
})
