import { describe, expect, it } from 'vitest'
import { withoutForm } from './form.ts'

const same = (before: string, after: string, language: 'js' | 'python' | 'braces'): boolean =>
  withoutForm(before, language) === withoutForm(after, language)

describe('what is left of a text without its form', () => {
  it.each<['js' | 'python' | 'braces', string, string]>([
    ['js', 'const a = [1, 2];\nf("x")', "const a = [\n  1,\n  2,\n]\nf('x')"],
    ['js', 'f(1) // once', 'f(1)\n/* twice\n * @default f */'],
    ['python', 'def f(a, b):\n    return g(a, b)\n', '# why\ndef f(\n    a,\n    b,\n):\n  return g(a, b)\n'],
    ['braces', 'func F() {\n\treturn 1\n}', '// F is one.\nfunc F() { return 1 }'],
  ])('is the same in %s: %j and %j', (language, before, after) => {
    expect(same(before, after, language)).toBe(true)
  })

  it.each<['js' | 'python' | 'braces', string, string]>([
    ['js', 'f([1, 2])', 'f([12])'],
    ['js', 'f("a b")', 'f("ab")'],
    ['js', 'f(`a\\n`)', "f('a')"],
    ['js', 'const ab = 1', 'constab = 1'],
    ['js', 'f()', '// @ts-expect-error\nf()'],
    ['python', 'if a:\n    b()\nc()\n', 'if a:\n    b()\n    c()\n'],
    ['python', 'f(a)\ng(b)\n', 'f(a)  # type: ignore\ng(b)\n'],
    ['braces', 'fn f() -> i32 { 1 }', 'fn f() -> i32 { 1; }'],
    ['braces', 'package a', '//go:build ignore\n\npackage a'],
  ])('differs in %s: %j and %j', (language, before, after) => {
    expect(same(before, after, language)).toBe(false)
  })
})
