import { describe, expect, it } from 'vitest'
import { asPathSegment, identifierProblem } from './identifier.ts'

describe('an id', () => {
  it.each(['a', 'add-dates', 'a.b_c-9', 'Constructor', 'x'.repeat(64)])('%s may be one', (text) => {
    expect(identifierProblem(text)).toBeNull()
    expect(asPathSegment(text)).toBe(text)
  })

  it.each(['', '-a', 'a/b', '..', 'a..b', 'a.lock', 'HEAD', 'nul', 'x'.repeat(65), 'a\nb', 'constructor', 'toString'])(
    '%j may not',
    (text) => {
      expect(identifierProblem(text)).not.toBeNull()
      expect(() => asPathSegment(text)).toThrow()
    },
  )
})
