import assert from 'node:assert/strict'
import test from 'node:test'
import { type RolledOut, rolledOut } from './rollout-words.ts'

const words = (card: RolledOut['card'], kind: RolledOut['rollout_kind'] = 'board') =>
  rolledOut({ rollout_kind: kind, ...(card && { card }) }, { isCopy: true })

test('a move by a rollout is said as a move, and a card that kept everything says so', () => {
  const moved = { change: 'updated', is_moved: true } as const
  assert.equal(words(moved), 'moved this card')
  assert.equal(words({ ...moved, fields: ['title'] }), 'updated title and moved this card')
  assert.equal(words(moved, 'revert'), 'moved this card back')
  assert.equal(
    words({ ...moved, fields: ['title', 'priority'] }, 'revert'),
    'reverted title and priority and moved this card back',
  )
  assert.equal(words({ kept: ['title'] }), 'was updated; kept as you have it: title')
  assert.equal(words({ kept: ['title'] }, 'revert'), 'reverted a rollout; kept as you have it: title')
  assert.equal(
    words({ kept: ['used'] }, 'revert'),
    'reverted a rollout, but left this card because it is in use',
  )
})
