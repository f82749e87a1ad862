import assert from 'node:assert/strict'
import test from 'node:test'
import { fail } from '#contract/operation.ts'
import { refuseDuplicates } from './listed-groups.ts'

test('every place of a repeated id is a failing field', () => {
  refuseDuplicates([{ id: 1 }, { id: 2 }], fail)
  assert.throws(() => refuseDuplicates([{ id: 1 }, { id: 2 }, { id: 1 }], fail), {
    detail: {
      'groups.0.id': ['The groups.0.id field has a duplicate value.'],
      'groups.2.id': ['The groups.2.id field has a duplicate value.'],
    },
  })
})
