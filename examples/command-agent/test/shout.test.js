import assert from 'node:assert/strict'
import test from 'node:test'
import { shout } from '../src/shout.js'

test('shouts', () => {
  assert.equal(shout('hello'), 'HELLO!')
})
