import assert from 'node:assert/strict'
import test from 'node:test'
import { format, total } from '../src/index.js'

test('a price has two decimals and its currency', () => {
  assert.equal(format(5), '5.00 EUR')
})

test('a cart adds up', () => {
  assert.equal(total([{ price: 2, count: 3 }, { price: 1.5 }]), 7.5)
})
