import assert from 'node:assert/strict'
import test from 'node:test'
import { boardFields, cardFields, changedFields, groupFields, merged, mergedPosition } from './rules.ts'

test('these fields are merged, and no others', () => {
  assert.deepEqual(
    [...cardFields],
    [
      'title',
      'description',
      'short_description',
      'priority',
      'evaluation_check',
      'needs_confirmation',
      'tour_key',
      'unique_identifier',
    ],
  )
  assert.deepEqual([...groupFields], ['title', 'description', 'type', 'color', 'icon', 'is_collapsed'])
  assert.deepEqual([...boardFields], ['title', 'description', 'icon', 'color'])
})

const base = { title: 'A', description: 'old', icon: null, color: 'red' }

test('a field that the project changed stays, all others follow the template', () => {
  const next = { title: 'B', description: 'new', icon: 'star', color: 'red' }
  const copy = { ...base, description: 'ours', color: 'blue' }
  assert.deepEqual(merged(boardFields, { base, next, copy }), {
    title: 'B',
    description: 'ours',
    icon: 'star',
    color: 'blue',
  })
  assert.deepEqual(merged(['title'], { base, next, copy }), { title: 'B' })
})

test('the fields that the project changed are listed in their order', () => {
  assert.deepEqual(changedFields(boardFields, base, { ...base, color: null, title: 'X' }), ['title', 'color'])
  assert.deepEqual(changedFields(boardFields, base, { ...base }), [])
})

const place = { groupId: 1, rank: 10 }
const copy = { groupId: 5, rank: 99 }

test('a card follows the moves of its template, by group and by rank', () => {
  const follow = (next: typeof place) =>
    mergedPosition({ base: place, next, copy, isMoved: false, target: 6 })
  assert.deepEqual(follow({ groupId: 2, rank: 10 }), { groupId: 6, rank: 10 })
  assert.deepEqual(follow({ groupId: 1, rank: 20 }), { groupId: 6, rank: 20 })
  assert.deepEqual(follow(place), copy)
})

test('a card stays where the project moved it, or if the project deleted the target group', () => {
  const moved = { base: place, next: { groupId: 2, rank: 20 }, copy }
  assert.deepEqual(mergedPosition({ ...moved, isMoved: true, target: 6 }), copy)
  assert.deepEqual(mergedPosition({ ...moved, isMoved: false, target: undefined }), copy)
})
