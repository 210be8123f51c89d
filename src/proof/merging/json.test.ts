import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeJson } from './merge-file.ts'

const base = `{
  "name": "rope", // the name
  "scripts": {
    "test": "node --test"
  },
  "dependencies": {
    "a": "1",
    "z": "1"
  },
  "files": ["dist", "src"]
}
`

const merge = (ours: string, theirs: string, from: string | null = base, path = 'package.json') =>
  mergeJson({ path, base: from, ours, theirs })

const textOf = (result: ReturnType<typeof mergeJson>): string => {
  if (result.status !== 'merged') throw new Error(result.because)
  return result.text
}

describe('JSON by structure', () => {
  it('takes names that both sides add, sorted where they are sorted, and leaves all else as it stands', () => {
    const ours = base.replace('"a": "1",', '"a": "1",\n    "m": "1",')
    const theirs = base
      .replace('"a": "1",', '"a": "1",\n    "k": "2",')
      .replace('"dist", "src"', '"dist", "src", "docs"')
    expect(textOf(merge(ours, theirs))).toBe(
      base
        .replace('"a": "1",', '"a": "1",\n    "k": "2",\n    "m": "1",')
        .replace('"dist", "src"', '"dist", "src", "docs"'),
    )
  })

  it('puts the later names behind the earlier ones where there is no order', () => {
    const ours = base.replace('"node --test"', '"node --test",\n    "lint": "biome"')
    const theirs = base.replace('"node --test"', '"node --test",\n    "build": "tsc"')
    expect(textOf(merge(ours, theirs))).toBe(
      base.replace('"node --test"', '"node --test",\n    "lint": "biome",\n    "build": "tsc"'),
    )
  })

  it('keeps comments, and trailing commas', () => {
    const before = '{\n  // first\n  "a": 1, // one\n  "b": 2,\n}\n'
    const ours = before.replace('"b": 2,', '"b": 2,\n  "c": 3,')
    const theirs = before.replace('"b": 2,', '"b": 3, /* changed */\n  // four\n  "d": 4,')
    expect(textOf(merge(ours, theirs, before, 'tsconfig.json'))).toBe(
      '{\n  // first\n  "a": 1, // one\n  "b": 3,\n  "c": 3,\n  // four\n  "d": 4,\n}\n',
    )
  })

  it('sees what stands between two comments on one line', () => {
    const before = '{\n  "a": 1, /* one */ "b": 2, /* two */\n  "c": 3\n}\n'
    const [ours, theirs] = [before.replace('2,', '4,'), before.replace('3', '5')]
    expect(textOf(merge(ours, theirs, before, 'tsconfig.json'))).toBe(ours.replace('3', '5'))
    expect(merge(ours, before.replace('2,', '6,'), before, 'tsconfig.json').status).toBe('declined')
  })

  it('removes what one side removed', () => {
    const ours = base.replace('"node --test"', '"node --test test"')
    const theirs = base.replace('    "a": "1",\n', '').replace(',\n  "files": ["dist", "src"]', '')
    expect(textOf(merge(ours, theirs))).toBe(
      base
        .replace('"node --test"', '"node --test test"')
        .replace('    "a": "1",\n', '')
        .replace(',\n  "files": ["dist", "src"]', ''),
    )
  })

  it('merges lists of things by their id or name', () => {
    const list = (items: object[]): string => `${JSON.stringify({ jobs: items }, null, 2)}\n`
    const a = { name: 'a', run: 'x' }
    const result = merge(
      list([{ ...a, run: 'y' }, { name: 'b' }]),
      list([{ ...a, when: 'now' }, { name: 'c' }]),
      list([a]),
      'jobs.json',
    )
    expect(JSON.parse(textOf(result))).toEqual({
      jobs: [{ name: 'a', run: 'y', when: 'now' }, { name: 'b' }, { name: 'c' }],
    })
  })

  it('merges two added files', () => {
    expect(textOf(merge('{\n  "a": 1\n}\n', '{\n  "b": 2\n}\n', null, 'x.json'))).toBe('{\n  "a": 1,\n  "b": 2\n}\n')
  })

  it('fills an empty map and one on a line of its own', () => {
    expect(textOf(merge('{"x": {}, "a": 1}', '{"x": {"y": 1}}', '{"x": {}}', 'x.json'))).toBe('{"x": {"y": 1}, "a": 1}')
    expect(textOf(merge('{ "x": [], "l": [1, 2] }', '{ "x": [1], "l": [2] }', '{ "x": [], "l": [2] }', 'x.json'))).toBe(
      '{ "x": [1], "l": [1, 2] }',
    )
  })

  it.each([
    [
      'the same name, other values',
      base.replace('node --test', 'jest'),
      base.replace('node --test', 'vitest'),
      'scripts.test',
    ],
    [
      'removed and changed',
      base.replace('    "a": "1",\n', ''),
      base.replace('"a": "1"', '"a": "2"'),
      'dependencies.a',
    ],
    [
      'options whose values would become one',
      base.replace('"src"]', '"src", "--jobs", "2"]'),
      base.replace('"src"]', '"src", "--depth", "2"]'),
      'files',
    ],
    ['the same item replaced', base.replace('"src"', '"lib"'), base.replace('"src"', '"out"'), 'files'],
    [
      'both add the name',
      base.replace('"name"', '"version": "1",\n  "name"'),
      base.replace('"name"', '"version": "2",\n  "name"'),
      'version',
    ],
    ['not JSON', `${base}}`, base.replace('"z": "1"', '"z": "2"'), 'not well-formed'],
    [
      'a name twice',
      base.replace('"name"', '"name": "x",\n  "name"'),
      base.replace('"z": "1"', '"z": "2"'),
      'not well-formed',
    ],
  ])('declines: %s', (_name, ours, theirs, because) => {
    const result = merge(ours, theirs)
    expect(result).toMatchObject({ status: 'declined', because: expect.stringContaining(because) })
  })

  it('declines conditions of a package that both sides extend at one place', () => {
    const at = (names: string[]): string =>
      JSON.stringify({ exports: { '.': Object.fromEntries(names.map((name) => [name, './x.js'])) } }, null, 2)
    expect(
      merge(at(['import', 'node', 'default']), at(['import', 'types', 'default']), at(['import', 'default'])),
    ).toMatchObject({
      status: 'declined',
    })
  })
})

const values = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', '"'), tie('value'), { maxKeys: 5 }),
})).map
const prints = fc.constantFrom(
  (v: unknown) => JSON.stringify(v),
  (v: unknown) => `${JSON.stringify(v, null, 2)}\n`,
  (v: unknown) => JSON.stringify(v, null, '\t'),
)

describe('any JSON', () => {
  it('is what one side made of it when the other did nothing', () => {
    fc.assert(
      fc.property(values, values, prints, (before, after, print) => {
        const [from, to] = [print(before), print(after)]
        expect(JSON.parse(textOf(merge(to, from, from)))).toEqual(JSON.parse(to))
        expect(JSON.parse(textOf(merge(from, to, from)))).toEqual(JSON.parse(to))
      }),
    )
  })

  it('is merged to the same value either way round, and parses', () => {
    const sorted = (text: string): unknown =>
      JSON.parse(text, (_, v: unknown) => (Array.isArray(v) ? v.map((one) => JSON.stringify(one)).sort() : v))
    fc.assert(
      fc.property(values, values, values, prints, (from, one, two, print) => {
        const there = merge(print(one), print(two), print(from))
        const back = merge(print(two), print(one), print(from))
        expect(there.status).toBe(back.status)
        if (there.status === 'merged') expect(sorted(there.text)).toEqual(sorted(textOf(back)))
      }),
    )
  })
})

describe('a map of plain values', () => {
  const maps = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 0, max: 3 }))

  it('has under each name what the one side that changed it says, and is declined when two did', () => {
    fc.assert(
      fc.property(maps, maps, maps, prints, (from, one, two, print) => {
        const names = [...new Set([from, one, two].flatMap((map) => Object.keys(map)))]
        const isBoth = (name: string): boolean =>
          one[name] !== two[name] && one[name] !== from[name] && two[name] !== from[name]
        const result = merge(print(one), print(two), print(from), 'x.json')
        expect(result.status).toBe(names.some(isBoth) ? 'declined' : 'merged')
        if (result.status === 'declined') return
        const value = JSON.parse(result.text)
        for (const name of names) expect(value[name]).toBe(two[name] === from[name] ? one[name] : two[name])
      }),
      { numRuns: 500 },
    )
  })
})

describe('hostile texts', () => {
  it.each([
    ['a long string that does not end', `{"a": "${'x'.repeat(500_000)}`],
    ['many blanks', `{${' '.repeat(500_000)}`],
    ['deep nesting', '['.repeat(100_000)],
    ['many comments', `{${'/**/'.repeat(100_000)}`],
  ])('are declined: %s', (_name, text) => {
    expect(merge(text, '{"b": 1}', '{}', 'x.json')).toMatchObject({ status: 'declined' })
  })

  it('are read when they are only long', () => {
    const long = JSON.stringify({ a: 'x'.repeat(500_000), list: Array.from({ length: 20_000 }, (_, i) => i) })
    expect(merge(long, '{"b": 1}', '{}', 'x.json').status).toBe('merged')
  })
})
