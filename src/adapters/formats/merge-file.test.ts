import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { mergeFile } from '../../proof/merging/merge-file.ts'
import { formats } from './formats.ts'

const merge = (path: string, base: string | null, sides: [string, string], union = false) =>
  mergeFile({ path, base, ours: sides[0], theirs: sides[1] }, { union, formats: formats() })

function textOf(result: ReturnType<typeof mergeFile>): string {
  if (result.status !== 'merged') throw new Error(result.because)
  return result.text
}

describe('YAML', () => {
  const base = `# what runs
on: push
jobs:
  test:
    runs-on: ubuntu # the newest
    steps:
      - name: check out
        uses: checkout@v4
env:
  A: 1
`

  it('keeps the comments and the lines of both sides', () => {
    const ours = base.replace('  A: 1', '  A: 1\n  B: 2 # mine')
    const theirs = base.replace('  A: 1', '  A: 1\n  # yours\n  C: 3')
    expect(textOf(merge('ci.yml', base, [ours, theirs]))).toBe(
      base.replace('  A: 1', '  A: 1\n  B: 2 # mine\n  # yours\n  C: 3'),
    )
  })

  it('takes changes of neighbours', () => {
    const from = 'a: 1\nb: 2\n'
    expect(textOf(merge('x.yaml', from, ['a: 9\nb: 2\n', 'a: 1\nb: 8 # eight\n']))).toBe('a: 9\nb: 8 # eight\n')
  })

  it('puts parts into the document where lines do not fit together', () => {
    const from = 'list: [a, b] # all\nx: 1\n'
    const result = merge('x.yml', from, ['list: [a, b, c] # all\nx: 1\n', 'list: [a, b, d] # all\nx: 1\n'])
    expect(textOf(result)).toBe('list: [a, b, c, d] # all\nx: 1\n')
  })

  it('merges lists of things by name', () => {
    const result = merge('ci.yml', base, [
      base.replace('checkout@v4', 'checkout@v5'),
      base.replace('checkout@v4', 'checkout@v4\n      - name: run\n        run: npm test'),
    ])
    expect(textOf(result)).toBe(base.replace('checkout@v4', 'checkout@v5\n      - name: run\n        run: npm test'))
  })

  it.each([
    ['contradictions', 'a: 1\n', 'a: 2\n', 'a: 3\n', 'a: both'],
    ['numbers that only look alike', 'a: 3\n', 'a: 3.1\n', 'a: 3.10\n', 'a: both'],
    ['several documents', 'a: 1\n---\nb: 1\n', 'a: 2\n---\nb: 1\n', 'a: 3\n---\nb: 1\n', 'no single YAML document'],
    ['aliases', 'a: &x 1\nb: *x\n', 'a: &x 2\nb: *x\n', 'a: &x 3\nb: *x\n', 'aliases'],
    ['tags of its own', 'a: !Ref b\n', 'a: !Ref c\n', 'a: !Sub c\n', 'tags'],
    ['what is no YAML', 'a: 1\n', 'a: [\n', 'a: 3\n', 'no single YAML document'],
  ])('declines %s', (_name, from, ours, theirs, because) => {
    expect(merge('x.yml', from, [ours, theirs])).toEqual({
      status: 'declined',
      because: expect.stringContaining(because),
    })
  })
})

describe('TOML', () => {
  const base = '[package]\nname = "rope" # the name\nedition = "2021"\n\n[dependencies]\nserde = "1"\n'

  it('keeps the lines of both sides', () => {
    const ours = base.replace('serde = "1"', 'serde = "1"\nrand = "0.8" # luck')
    const theirs = base.replace('serde = "1"', 'serde = "1"\nlog = "0.4"').replace('2021', '2024')
    expect(textOf(merge('Cargo.toml', base, [ours, theirs]))).toBe(
      base.replace('serde = "1"', 'serde = "1"\nrand = "0.8" # luck\nlog = "0.4"').replace('2021', '2024'),
    )
  })

  it('appends tables that both sides add', () => {
    const result = merge('x.toml', base, [`${base}\n[a]\nx = 1\n`, `${base}\n[b]\ny = 2020-01-01\n`])
    expect(parseToml(textOf(result))).toMatchObject({ a: { x: 1 }, package: { name: 'rope' } })
  })

  it.each([
    ['contradictions', base.replace('"1"', '"2"'), base.replace('"1"', '"3"'), 'dependencies.serde'],
    ['what is no TOML', base.replace('"1"', '"1'), base.replace('"1"', '"3"'), 'not well-formed'],
  ])('declines %s', (_name, ours, theirs, because) => {
    expect(merge('Cargo.toml', base, [ours, theirs])).toMatchObject({ because: expect.stringContaining(because) })
  })
})

describe('lists and changelogs', () => {
  const log = '# Changes\n\n## Unreleased\n\n### Fixed\n\n- an old thing\n'

  it.each([
    [
      'entries',
      '- an old thing\n',
      '- an old thing\n- one\n',
      '- an old thing\n- two\n',
      '- an old thing\n- one\n- two\n',
    ],
    [
      'the same heading',
      '## Unreleased\n\n',
      '## Unreleased\n\n### Added\n\n- one\n\n',
      '## Unreleased\n\n### Added\n\n- two\n\n',
      '## Unreleased\n\n### Added\n\n- one\n- two\n\n',
    ],
    [
      'two headings',
      '## Unreleased\n\n',
      '## Unreleased\n\n### Added\n\n- one\n\n',
      '## Unreleased\n\n### Removed\n\n- two\n\n',
      '## Unreleased\n\n### Added\n\n- one\n\n### Removed\n\n- two\n\n',
    ],
    [
      'an entry, and a heading with one',
      '- an old thing\n',
      '- an old thing\n\n### Added\n\n- one\n',
      '- an old thing\n- two\n',
      '- an old thing\n- two\n\n### Added\n\n- one\n',
    ],
    [
      'the same entry',
      '- an old thing\n',
      '- an old thing\n- one\n',
      '- an old thing\n- one\n- two\n',
      '- an old thing\n- one\n- two\n',
    ],
  ])('has %s of both sides', (_name, from, ours, theirs, result) => {
    const text = merge('docs/CHANGELOG.md', log, [log.replace(from, ours), log.replace(from, theirs)])
    expect(textOf(text)).toBe(log.replace(from, result))
  })

  it.each(['.gitignore', '.dockerignore', 'CODEOWNERS', '.github/CODEOWNERS', '.gitattributes'])('is %s', (path) => {
    expect(merge(path, 'a\n', ['a\nb\nc', 'a\nc\nd'])).toEqual({ status: 'merged', text: 'a\nb\nc\nd\n', by: 'union' })
  })

  it('is what .gitattributes say, with all lines that both changed', () => {
    expect(textOf(merge('notes.txt', 'a\nb\n', ['a\nx\n', 'a\ny\n'], true))).toBe('a\nx\ny\n')
  })

  it('takes out what one side took out', () => {
    expect(textOf(merge('.gitignore', 'a\nb\n', ['a\n', 'a\nb\nc\n']))).toBe('a\nc\n')
  })

  it('declines an entry that both changed', () => {
    expect(merge('.gitignore', 'a\nb\n', ['a\nx\n', 'a\ny\n'])).toMatchObject({
      because: expect.stringContaining('same entry'),
    })
    expect(merge('notes.txt', 'a\n', ['a\nx\n', 'a\ny\n'])).toMatchObject({ status: 'declined' })
  })
})

describe('code', () => {
  it.each(['src/changelog.ts', 'changes.py', 'authors.json'])('is no list, whatever it is called: %s', (path) => {
    expect(merge(path, 'a\n', ['a\nb\n', 'a\nc\n'])).toMatchObject({ status: 'declined' })
  })
})

describe('blanks', () => {
  const code = 'if (a) {\n  b()\n  c()\n}\n'

  it.each([
    [
      'indentation in code with brackets',
      'a.ts',
      code.replaceAll('  ', '\t'),
      code.replace('b()', 'b(1)'),
      code.replaceAll('  ', '\t').replace('b()', 'b(1)'),
    ],
    ['blanks at the end of a line', 'a.py', 'x = 1  \n', 'x = 2\n', 'x = 2\n'],
    ['a missing line feed at the end', 'a.sh', 'x = 1', 'x = 2\n', 'x = 2\n'],
  ])('yield to words: %s', (_name, path, ours, theirs, text) => {
    const base = path === 'a.ts' ? code : 'x = 1\n'
    const result = textOf(merge(path, base, [ours, theirs]))
    expect(result.replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '))
    expect(merge(path, base, [theirs, ours]).status).toBe('merged')
  })

  it('are no reason to merge what merely can be matched', () => {
    const base = 'one()\ntwo()\nthree()\n'
    expect(merge('a.ts', base, ['ONE()\ntwo()\nthree()\n', 'one()\ntwo()\nTHREE()\n'])).toMatchObject({
      status: 'declined',
    })
  })

  it('at the ends of lines stay where a file has always had both kinds', () => {
    expect(textOf(merge('.gitignore', 'a\r\nb\n', ['a\r\nb\nc\n', 'a\r\nb\nd\r\n']))).toBe('a\r\nb\nc\nd\r\n')
  })

  it('mean something where they tell the structure', () => {
    expect(merge('a.py', 'if a:\n  b()\n', ['if a:\nb()\n', 'if a:\n  b(1)\n'])).toMatchObject({ status: 'declined' })
  })

  it('of line endings are those of the side that changed them', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
    const changed = code.replace('b()', 'b(1)')
    expect(textOf(merge('a.txt', code, [crlf(code), changed]))).toBe(crlf(changed))
    expect(textOf(merge('a.txt', code, [changed, crlf(code)]))).toBe(crlf(changed))
    expect(textOf(merge('a.txt', crlf(code), [crlf(changed), code]))).toBe(changed)
    expect(textOf(merge('.gitignore', 'a\r\n', ['a\r\nb\r\n', 'a\r\nc\r\n']))).toBe('a\r\nb\r\nc\r\n')
    expect(textOf(merge('a.json', '\ufeff{}', ['\ufeff{"a":1}', '\ufeff{"b":1}']))).toBe('\ufeff{"a":1, "b":1}')
  })
})

const lines = fc
  .array(fc.constantFrom('a\n', 'b\n', '- c\n', '# d\n', '\n', ' x\n'), { maxLength: 8 })
  .map((all) => all.join(''))
const table = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.oneof(fc.integer(), fc.constantFrom('x', 'y z')), {
  maxKeys: 4,
})
const write = (values: Record<string, unknown>, sign: string): string =>
  Object.entries(values)
    .map(([key, value]) => `${key}${sign}${JSON.stringify(value)}\n`)
    .join('')

describe('any file', () => {
  it('is what one side made of it when the other did nothing', () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom('CHANGELOG.md', 'a.ts', 'a.py'), (from, to, path) => {
        expect(textOf(merge(path, from, [to, from]))).toBe(to)
        expect(textOf(merge(path, from, [from, to]))).toBe(to)
      }),
    )
  })

  it('says the same either way round where it has a structure', () => {
    const formats = fc.constantFrom<[string, string, (text: string) => unknown]>(
      ['x.yml', ': ', (text) => parseYaml(text)],
      ['x.toml', ' = ', (text) => parseToml(text)],
    )
    fc.assert(
      fc.property(table, table, table, formats, (from, one, two, [path, sign, parse]) => {
        const [b, o, t] = [write(from, sign), write(one, sign), write(two, sign)]
        const there = merge(path, b, [o, t])
        const back = merge(path, b, [t, o])
        if (there.status === 'merged' && back.status === 'merged') expect(parse(there.text)).toEqual(parse(back.text))
        const contradicts = [...new Set([...Object.keys(one), ...Object.keys(two), ...Object.keys(from)])].some(
          (key) => one[key] !== two[key] && one[key] !== from[key] && two[key] !== from[key],
        )
        if (contradicts) expect([there.status, back.status]).toEqual(['declined', 'declined'])
      }),
    )
  })
})
