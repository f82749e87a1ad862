import assert from 'node:assert/strict'
import test from 'node:test'
import { StartFailure } from '#start-failure.ts'
import { CommandProblem } from './command-problem.ts'
import { printable, sentenceFor } from './failure-sentence.ts'

test('the sentence of a problem is said, also if closing what was open failed after it', async () => {
  assert.equal(await sentenceFor(new CommandProblem('There is no project 7.')), 'There is no project 7.')
  const first = new StartFailure('The data directory is full.')
  const then = new SuppressedError(new Error('the lock is gone'), first)
  assert.equal(
    await sentenceFor(new SuppressedError(new Error('not stopped'), then)),
    'The data directory is full.',
  )
  const unknown = new TypeError('unexpected')
  await assert.rejects(sentenceFor(unknown), unknown)
})

test('characters that change what a terminal shows are written out', () => {
  assert.equal(
    printable('There is no account \x1b[2J\u202eÜ\x9b.\n'),
    'There is no account \\u001b[2J\\u202eÜ\\u009b.\n',
  )
})
