import assert from 'node:assert/strict'
import test from 'node:test'
import { amountFrom } from './amount.ts'

test('an amount is read with either decimal separator and with or without thousands', () => {
  for (const [typed, amount] of Object.entries({
    '490': 49_000,
    ' 490.00 ': 49_000,
    '490,5': 49_050,
    '1234.56': 123_456,
    '1,234.56': 123_456,
    '1.234,56': 123_456,
    '1 234,56': 123_456,
    "1'234.56": 123_456,
    '1.234': 123_400,
    '0.01': 1,
  }))
    assert.equal(amountFrom(typed, 'eur'), amount, typed)
  assert.equal(amountFrom('4900', 'jpy'), 4900)
  assert.equal(amountFrom('4,900', 'jpy'), 4900)
  assert.equal(amountFrom('1.234', 'kwd'), 1234)
})

test('a text that is no amount is not read as one', () => {
  for (const typed of ['', '-490', '490 €', 'all', '1.2.3', '4900.000', '12,34,567', '1e3', '٤٩٠'])
    assert.equal(amountFrom(typed, 'eur'), undefined, typed)
  assert.equal(amountFrom('490.00', 'jpy'), undefined)
})
