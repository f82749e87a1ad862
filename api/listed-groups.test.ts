import assert from 'node:assert/strict'
import test from 'node:test'
import { failOf } from '#contract/failure.ts'
import { badGroups, refuseDuplicates } from './listed-groups.ts'

test('every occurrence of a repeated id is a failing field', () => {
  const fail = failOf({ 422: badGroups })
  refuseDuplicates([{ id: 1 }, { id: 2 }], fail)
  assert.throws(() => refuseDuplicates([{ id: 1 }, { id: 2 }, { id: 1 }], fail), {
    code: 'groups_id_repeated',
    problems: {
      'groups.0.id': [{ code: 'repeated', text: 'The :attribute field has a duplicate value.' }],
      'groups.2.id': [{ code: 'repeated', text: 'The :attribute field has a duplicate value.' }],
    },
  })
})
