import assert from 'node:assert/strict'
import test from 'node:test'
import { failOf } from '#contract/failure.ts'
import { badGroups, badIds, refuseRepeated } from './listed.ts'

const problem = [{ code: 'repeated', text: 'The :attribute field has a duplicate value.' }]

test('every occurrence of a repeated id is a failing field', () => {
  const fail = failOf({ 422: badGroups })
  refuseRepeated('groups.id', [1, 2], fail)
  assert.throws(() => refuseRepeated('groups.id', [1, 2, 1], fail), {
    code: 'groups_id_repeated',
    problems: { 'groups.0.id': problem, 'groups.2.id': problem },
  })
})

test('the same in a list of ids', () => {
  assert.throws(() => refuseRepeated('ids', [1, 1], failOf({ 422: badIds })), {
    code: 'ids_repeated',
    problems: { 'ids.0': problem, 'ids.1': problem },
  })
})
