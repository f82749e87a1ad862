import assert from 'node:assert/strict'
import test from 'node:test'
import { percentOf } from './percent.ts'

test('a share is rounded, but only nothing is 0 and only all is 100', () => {
  const shown = [
    [0, 0],
    [0, 5],
    [143, 100_242],
    [1, 3],
    [100_241, 100_242],
    [5, 5],
  ] as const
  assert.deepEqual(
    shown.map(([part, all]) => percentOf(part, all)),
    ['0', '0', '<1', '33', '>99', '100'],
  )
})
