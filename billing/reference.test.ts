import assert from 'node:assert/strict'
import test from 'node:test'
import { digitsOf, inGroups, orderIdOf, referenceOf } from './reference.ts'

test('a reference has the check digits of ISO 11649', () => {
  // The standard's own example is RF18 5390 0754 7034.
  assert.equal(referenceOf(539_007_547_034), 'RF18539007547034')
  assert.equal(referenceOf(1), 'RF7400000001')
  assert.equal(inGroups(referenceOf(1)), 'RF74 0000 0001')
})

test('a reference names its order however it is spaced; any wrong digit or two swapped ones name none', () => {
  for (const id of [1, 7, 42, 99_999_999, 100_000_000, 2 ** 53 - 1]) {
    const reference = referenceOf(id)
    assert.equal(orderIdOf(reference), id)
    assert.equal(orderIdOf(` ${inGroups(reference).toLowerCase()} `), id)
    for (let place = 2; place < reference.length; place++) {
      const digit = Number(reference[place])
      const others = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((other) => other !== digit)
      for (const other of others)
        assert.equal(orderIdOf(reference.slice(0, place) + other + reference.slice(place + 1)), undefined)
      const swapped = reference.replace(new RegExp(`^(.{${place}})(.)(.)`), '$1$3$2')
      assert.equal(orderIdOf(swapped), swapped === reference ? id : undefined)
    }
  }
  for (const wrong of [
    '',
    'RF',
    '00000001',
    'RF74',
    'RF740000000',
    'RF74٠٠٠٠٠٠٠١',
    'DE8400000001',
    `RF74${'0'.repeat(99)}1`,
  ])
    assert.equal(orderIdOf(wrong), undefined, wrong)
})

test('a part of a reference gives the digits of the number that it shows', () => {
  assert.equal(digitsOf('RF74 0000 0012'), '12')
  assert.equal(digitsOf('0012'), '12')
  for (const part of ['rf8', 'RF74', 'Acme', 'Acme 12', '']) assert.equal(digitsOf(part), undefined, part)
})
