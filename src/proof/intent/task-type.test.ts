import { describe, expect, it } from 'vitest'
import { taskTypeOf } from './question.ts'

describe('the kind of work', () => {
  it.each([
    ['fix', 'fix(parser)!: accept empty input'],
    ['fix', 'The login page crashes when the name is empty'],
    ['fix', 'Dates are parsed wrongly.'],
    ['fix', 'Behebe den Absturz beim Speichern'],
    ['feature', 'Add a --json flag to status'],
    ['feature', 'Users can log in with a passkey'],
    ['feature', 'Füge eine Option hinzu'],
    ['feature', ''],
    ['feature', 'Call `fixBrokenThings()` on start'],
    ['refactor', 'Extract the tax rules into their own module'],
    ['refactor', 'Rename Foo to Bar'],
    ['refactor', 'refactor: tidy the reader'],
    ['architectural', 'Migrate the storage from files to a database'],
    ['architectural', 'Rewrite the server in Rust'],
    ['architectural', 'Split the monolith: orders become a service of their own'],
    ['chore', 'Bump the linter'],
    ['chore', 'docs: tell how to install it'],
    ['chore', 'Correct typos in the README'],
  ])('is %s: %s', (type, text) => {
    expect(taskTypeOf(text)).toBe(type)
  })
})
