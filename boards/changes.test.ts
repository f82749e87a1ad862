import assert from 'node:assert/strict'
import test from 'node:test'
import { changesOf, isEmpty } from './changes.ts'

const before = { title: 'Old', color: 'red', icon: null as string | null, is_active: true, position: 2 }
const kept = { kept: ['title', 'is_active'] as const }

test('an absent or undefined field is unchanged', () => {
  assert.deepEqual(changesOf(before, {}, kept), { values: {}, payload: { changes: {} } })
  assert.ok(isEmpty(changesOf(before, { title: undefined, color: undefined }, kept)))
})

test('null clears a nullable field and leaves any other unchanged', () => {
  assert.deepEqual(changesOf(before, { title: null, is_active: null, color: null }, kept), {
    values: { color: null },
    payload: { changes: { color: { from: 'red', to: null } } },
  })
})

test('setting the current value is no change', () => {
  const same = { title: 'Old', color: 'red', icon: null, is_active: true, position: 2 }
  assert.ok(isEmpty(changesOf(before, same, kept)))
})

test('new values include the previous ones, also false and 0', () => {
  const changes = changesOf(before, { title: 'New', icon: 'star', is_active: false, position: 0 }, kept)
  assert.deepEqual(changes, {
    values: { title: 'New', icon: 'star', is_active: false, position: 0 },
    payload: {
      changes: {
        title: { from: 'Old', to: 'New' },
        icon: { from: null, to: 'star' },
        is_active: { from: true, to: false },
        position: { from: 2, to: 0 },
      },
    },
  })
  assert.equal(isEmpty(changes), false)
})

test('an unknown previous value is null in the payload', () => {
  const { payload } = changesOf<{ color?: string }>({}, { color: 'blue' }, { kept: [] })
  assert.deepEqual(payload, { changes: { color: { from: null, to: 'blue' } } })
})

test('the payload names a long text, and the change has all of it', () => {
  const long = 'x'.repeat(70_000)
  const thing = { description: null as string | null, title: 'Old' }
  assert.deepEqual(changesOf(thing, { description: long, title: 'New' }, { kept: [] }), {
    values: { description: long, title: 'New' },
    payload: { changes: { title: { from: 'Old', to: 'New' } }, texts: ['description'] },
  })
})
