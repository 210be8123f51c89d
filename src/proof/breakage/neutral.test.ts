import { expect, it } from 'vitest'
import { mayReadSources, withMoreRoom } from './rewritten.ts'

it.each([
  ['a.py', 'def f(a, b):\n    return a + b  # as told here\n', 'def  f(a,  b):\n    return  a  +  b  # as told here\n'],
  ['a.py', 'x = "one two"\n', 'x  = "one two"\n'],
  ['a.go', '\treturn a - b // so it is\n', '\treturn  a  -  b // so it is\n'],
  ['a.rs', 'fn f() -> i64 { 3 }\n', 'fn  f()  ->  i64  {  3  }\n'],
  ['a.js', 'const f = (a) => `b c d`\nconst e = /a b/\n', 'const  f  =  (a)  => `b c d`\nconst e = /a b/\n'],
  ['a.tsx', 'const a = <b>one two</b>\n', 'const a = <b>one two</b>\n'],
])('gives words more room, and leaves what is said alone: %s', (path, text, roomy) => {
  expect(withMoreRoom(path, text)).toBe(roomy)
})

it('knows tests that may read what they test', () => {
  expect(mayReadSources('assert "x" in inspect.getsource(f)')).toBe(true)
  expect(mayReadSources('include_str!("../src/a.rs")')).toBe(true)
  expect(mayReadSources('assert f(1) == 2')).toBe(false)
})
