import { describe, expect, it } from 'vitest'
import { covers } from './glob.ts'

describe('covers', () => {
  it.each<[string, string, boolean]>([
    ['src/a.js', 'src/a.js', true],
    ['src/a.js', 'src/axjs', false],
    ['src/*.js', 'src/a.js', true],
    ['src/*.js', 'src/x/a.js', false],
    ['src/**/*.js', 'src/a.js', true],
    ['src/**/*.js', 'src/x/y/a.js', true],
    ['**/*.snap', 'a.snap', true],
    ['**', 'any/thing', true],
    ['src', 'src/x/a.js', true],
    ['src/', 'src/a.js', true],
    ['./src/a.js', 'src/a.js', true],
    ['src', 'srcs/a.js', false],
    ['a?.js', 'ab.js', true],
    ['a?.js', 'a/.js', false],
    ['pages/[id].tsx', 'pages/[id].tsx', true],
    ['', 'a', false],
    ['a/**/**/b', 'a/x/b', true],
    ['**/b', 'ab', false],
  ])('%s %s %s', (pattern, path, expected) => {
    expect(covers(pattern, path)).toBe(expected)
  })

  it.each(['*', '**', '**/', '*?', '**?'])('comes to an end with as many %s as a path has room for', (wildcard) => {
    const path = 'a/rather/long/path/that/many/wildcards/can/be/spread/over.md'
    expect(covers(`${wildcard.repeat(200)}x`, path)).toBe(false)
  })
})
