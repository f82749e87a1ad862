import assert from 'node:assert/strict'
import test from 'node:test'
import { withTestDatabase } from '#tests/postgres.ts'
import type { Checkout } from './gateway.ts'
import { sandboxGateway } from './sandbox.ts'

test('the same checkout gets the same session each time it asks, and another one another', () =>
  withTestDatabase(async (db) => {
    const { open } = sandboxGateway(db, (token) => `http://127.0.0.1/checkout/${token}`)
    const checkout = (key: string) => ({ key }) as Checkout
    const [first, again, other] = [
      await open(checkout('a'), 'Website Pro'),
      await open(checkout('a'), 'Website Pro'),
      await open(checkout('b'), 'Website Pro'),
    ]
    assert.deepEqual([again.id, again.url], [first.id, first.url])
    assert.notEqual(other.id, first.id)
    assert.notEqual(other.url, first.url)
  }))
