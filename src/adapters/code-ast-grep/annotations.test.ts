import { expect, it } from 'vitest'
import { changed } from '../../../test/samples/change.ts'
import { onlyTypesChanged } from '../../proof/files/form.ts'
import { loadCodeReader } from './code-reader.ts'

const code = await loadCodeReader()

it.each([
  ['a.ts', 'const f = (a: string) => a\n', 'const f = (a: string | null): string => a\n', true],
  ['a.ts', 'const f = (a: string) => a\n', 'const f = (a: string) => a + 1\n', false],
  ['a.ts', 'interface A { b: string }\nrun()\n', 'interface A { b: number }\nrun()\n', true],
  [
    'a.py',
    'def f(a, b=1):\n    return a\n',
    'from typing import Any\ndef f(a: Any, b: int=1) -> Any:\n    return a\n',
    true,
  ],
  ['a.py', 'def f(a: int):\n    return a\n', 'def f(a: int = 1):\n    return a\n', false],
  ['a.py', 'class A:\n    x: int\n', 'class A:\n    x: str\n', false],
  ['a.py', 'from os import path\n', 'from os import sep\n', false],
  ['a.go', 'func f(a int) int { return a }\n', 'func f(a int64) int64 { return a }\n', false],
])('tells a change of types alone from others (%s %s)', (path, before, after, alone) => {
  expect(onlyTypesChanged(changed(path, before, after), code)).toBe(alone)
})
