import assert from 'node:assert/strict'
import test from 'node:test'
import { inLetters, isTyped } from './typed.ts'

test('a number to confirm is shown with separators, and may be typed with or without them', () => {
  assert.equal(inLetters(6002), '6,002')
  for (const text of ['6002', '6,002', '6.002', ' 6 002 ', '6’002']) assert.ok(isTyped(6002, text), text)
  for (const text of ['', '602', '60021', '6002 projects', '-6002']) assert.ok(!isTyped(6002, text), text)
})

test('a text to confirm has to be typed as it is', () => {
  assert.ok(isTyped('Aurora 1.0', ' Aurora 1.0 '))
  for (const text of ['', 'Aurora 10', 'aurora 1.0']) assert.ok(!isTyped('Aurora 1.0', text), text)
})
