import assert from 'node:assert/strict'
import test from 'node:test'
import { titlesIn } from './lines.ts'

test('each line is a title, without bullets, numbers, boxes and empty lines', () => {
  const pasted = [
    'Plain',
    '',
    '- dash',
    '  * star',
    '12. twelfth',
    '3) third',
    '• dot',
    '- [ ] open',
    '[x] done',
    '-5 degrees',
  ]
  assert.deepEqual(titlesIn(pasted.join('\r\n')), [
    ...['Plain', 'dash', 'star', 'twelfth', 'third', 'dot', 'open', 'done', '-5 degrees'],
  ])
})

test('a line that is too long for a title becomes several, between words if possible; no word is lost', () => {
  const words = Array.from({ length: 90 }, (_, index) => `word${index}`).join(' ')
  const titles = titlesIn(`- ${words}\nx`)
  assert.deepEqual([titles.slice(0, -1).join(' '), titles.at(-1)], [words, 'x'])
  assert.ok(titles.every((title) => title.length <= 255))
  assert.deepEqual(
    titlesIn('🙂'.repeat(300)).map((title) => [...title].length),
    [255, 45],
  )
})
