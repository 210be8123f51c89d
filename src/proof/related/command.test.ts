import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commandFor } from './single-files.ts'

describe('the command for single files', () => {
  it('hands each name over as one word, whatever is in it', () => {
    const names = [
      'a b.test.ts',
      "it's.py",
      'two\nlines.js',
      '$(touch x)`y`.ts',
      '-rf.ts',
      'plain/a.ts',
      '"q"&.ts',
      'ü.ts',
      '*',
    ]
    const line = commandFor("printf '%s\\0' {files}", names)!
    const words = execFileSync('sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)
    expect(words).toEqual(names.map((name) => (name === '-rf.ts' ? './-rf.ts' : name)))
  })

  it('is not built when no shell would take it', () => {
    expect(
      commandFor(
        'x {files}',
        Array.from({ length: 9_000 }, (_, index) => `test/file-${index}.test.ts`),
      ),
    ).toBeNull()
  })
})
