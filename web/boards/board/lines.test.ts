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

test('a long line is cut to the length of a title, and 500 lines are the most', () => {
  assert.equal([...(titlesIn(`${'🙂'.repeat(300)}\nx`)[0] as string)].length, 255)
  assert.equal(titlesIn('x\n'.repeat(600)).length, 500)
})
