import { describe, expect, it } from 'vitest'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Change } from '../files/change.ts'
import { fingerprintOf, isTouched, placeOfQuotation } from './quotation.ts'
import { coreOf, vantagesFor } from './risk.ts'

const change = (
  path: string,
  after: string | null,
  before: string | null = null,
  given: Partial<Change> = {},
): Change => ({
  path,
  oldPath: null,
  status: before === null ? 'added' : after === null ? 'deleted' : 'modified',
  binary: false,
  oldMode: before === null ? null : '100644',
  newMode: after === null ? null : '100644',
  before,
  after,
  ...given,
})

describe('the vantage points that a diff calls for', () => {
  const names = (...changes: Change[]) => vantagesFor(changes).map(({ vantage }) => vantage)

  it.each([
    ['a path of sign-in', change('src/auth/login.ts', 'export const a = 1\n'), 'security'],
    ['a command made of text', change('src/run.ts', 'exec("git " + name)\n'), 'security'],
    ['a query made of text', change('src/find.ts', 'db.query("SELECT * FROM users WHERE id = " + id)\n'), 'security'],
    ['what runs where somebody enters the folder', change('.envrc', 'source tools/env.sh\n'), 'security'],
    ['what an editor starts', change('.vscode/settings.json', '{ "typescript.tsdk": "tools/ts" }\n'), 'security'],
    [
      'a lock that leads elsewhere',
      change('yarn.lock', 'resolved "https://example.org/a.tgz"\n', 'resolved "https://registry.yarnpkg.com/a.tgz"\n'),
      'security',
    ],
    ['a migration', change('db/migrations/7.sql', 'ALTER TABLE a ADD b int;\n'), 'migration'],
    [
      'something public that is no more as it was',
      change('src/a.ts', 'export const b = 1\n', 'export const a = 1\n'),
      'api',
    ],
    ['a description of an interface', change('openapi.yaml', 'paths: {}\n'), 'api'],
    ['a component', change('src/Button.tsx', 'const b = <button />\n'), 'ui'],
    ['nothing but tests', change('test/a.test.ts', "it('is', () => {})\n"), 'tests'],
  ])('%s', (_, one, vantage) => {
    expect(names(one)).toContain(vantage)
  })

  it('are none for plain code with its test', () => {
    expect(
      names(change('src/sum.ts', 'export const sum = 1\n'), change('test/sum.test.ts', "it('is', () => {})\n")),
    ).toEqual([])
  })

  it('are none for a package that is newer, and for what a lock says besides', () => {
    const lock = (version: string, more = '') =>
      `"resolved": "https://registry.npmjs.org/a/-/a-${version}.tgz"\n${more}`
    const funding = '"funding": {\n"url": "https://example.org/a"\n}\n'
    expect(names(change('package-lock.json', lock('2.0.0', funding), lock('1.0.0')))).toEqual([])
  })

  it('name the files that call for them', () => {
    expect(vantagesFor([change('src/auth/token.ts', 'x\n'), change('src/b.ts', 'y\n')])).toEqual([
      { vantage: 'security', files: ['src/auth/token.ts'] },
    ])
  })
})

describe('a quotation', () => {
  const after = 'export function add(a, b) {\n  const c = a\n  return   a + b\n}\nconst d = 1\nreturn a + b\n'
  const place = (evidence: string, near: number | null = null, before: string | null = null) =>
    placeOfQuotation(evidence, { before, after }, near)

  it('is found at its line, whatever its blanks and signs', () => {
    expect(place('return a + b')).toBe(3)
    expect(place('+  return a + b\n')).toBe(3)
    expect(place('return a + b', 7)).toBe(6)
    expect(place('export function add(a, b) {\n...\nreturn a + b')).toBe(1)
    const list = { before: null, after: 'steps:\n  - run: npm test\n  - --force\n' }
    expect(placeOfQuotation('+  - run: npm test', list, null)).toBe(2)
    expect(placeOfQuotation('- --force', list, null)).toBe(3)
  })

  it('may be of what was removed, or of both sides', () => {
    expect(place('return a - b', null, 'return a - b\n')).toBe('removed')
    expect(place('-return a - b\n+return a + b', null, 'return a - b\n')).toBe(3)
  })

  it.each([
    ['what is not there', 'return a * b'],
    ['nothing', ''],
    ['a bracket', '}'],
    ['dots', '...'],
    ['brackets, however many', '}\n}\n}\n}\n}\n}\n}\n}\n}\n}\n}\n}\n}'],
    ['a word or two that stand in many lines', 'a + b'],
    ['words of several lines that are short even together', 'add(\nc = a'],
    ['lines in another order', 'const d = 1\nexport function add(a, b) {\nconst e'],
    ['one line that is there and one that is not', 'return a + b\nreturn 7'],
  ])('is not %s', (_, evidence) => {
    expect(place(evidence)).toBeNull()
  })

  it('may be a part of a line when it is long enough, and a whole line however short', () => {
    expect(place('function add(a')).toBe(1)
    expect(place('const d = 1')).toBe(5)
    expect(placeOfQuotation('i++', { before: null, after: 'for (;;) {\n  i++\n}\n' }, null)).toBe(2)
    expect(placeOfQuotation('i++', { before: null, after: 'for (; i < 3; i++) {}\n' }, null)).toBeNull()
  })

  it('is not found in a file that does not exist', () => {
    expect(placeOfQuotation('return a + b', { before: null, after: null }, 1)).toBeNull()
  })
})

describe('a fingerprint', () => {
  const finding = (given: Partial<Finding>): Finding => ({
    source: 'review:correctness',
    rule: 'review',
    severity: 'blocking',
    file: 'src/add.ts',
    line: 3,
    message: 'The discount is ignored when the total is summed.',
    evidence: 'return total',
    fingerprint: 'f1',
    fixTarget: 'code',
    ...given,
  })
  const known = [finding({})]
  const print = (given: Partial<Finding>) => fingerprintOf(finding(given), known)

  it('does not depend on the line, the blanks of the quotation, or the wording', () => {
    expect(print({ line: 90, evidence: '+   return   total' })).toBe('f1')
    expect(print({ message: 'When summing the total, the discount is being ignored.' })).toBe('f1')
    expect(fingerprintOf(finding({ line: 1 }), [])).toBe(fingerprintOf(finding({ line: 2 }), []))
  })

  it('is another one for another file, another place, or something else that is wrong there', () => {
    expect(print({ file: 'src/other.ts' })).not.toBe('f1')
    expect(print({ message: 'A negative total is returned as it is, without an error.' })).not.toBe('f1')
    expect(print({ evidence: 'const tax = 0', message: 'The tax is never added to a discount.' })).not.toBe('f1')
  })
})

describe('the core of a change', () => {
  it('is what is left without locks, snapshots, built, moved and reformatted files; what matters most first', () => {
    const { core, noise } = coreOf([
      change('package-lock.json', '{}\n'),
      change('test/__snapshots__/a.snap', 'x\n'),
      change('dist/a.min.js', 'x\n'),
      change('src/moved.ts', 'x\n', 'x\n', { status: 'renamed', oldPath: 'src/m.ts' }),
      change('src/form.ts', "const a = 'b';\n", 'const a = "b"\n'),
      change('src/api.gen.ts', '// @generated\ny\n', '// @generated\nx\n'),
      change('logo.png', null, null, { binary: true }),
      change('src/plain.ts', 'const a = 1\n'),
      change('src/auth/session.ts', 'const a = 1\n'),
    ])
    expect(core.map(({ path }) => path)).toEqual(['src/auth/session.ts', 'src/plain.ts'])
    expect(noise.map(({ because }) => because)).toEqual([
      'a lock file',
      'a snapshot',
      'built or vendored',
      'only moved',
      'only its form has changed',
      'generated',
      'not text',
    ])
  })

  it('is what an author only calls generated, or makes unreadable', () => {
    const { core, noise } = coreOf([
      change('src/a.ts', '// @generated\nx\n'),
      change('src/b.ts', '// DO NOT EDIT\nx\n', 'y\n'),
      change('src/c.ts', null, null, { binary: true }),
    ])
    expect(core).toHaveLength(3)
    expect(noise).toEqual([])
  })

  it('is all of a change that is small and plain', () => {
    expect(coreOf([change('a.ts', 'x\n')])).toEqual({ core: [{ path: 'a.ts', reasons: [] }], noise: [] })
  })
})

describe('what a change has touched', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)
  const before = lines.join('\n')
  const after = before.replace('line 50\n', 'export const taxOf = 5\n')
  const changes = [change('src/tax.ts', after, before)]
  const at = (file: string | null, line: number | null, evidence = 'line') =>
    isTouched({ file, line, evidence }, changes)

  it('is at its lines and around them, and wherever what it declares is used', () => {
    expect([at('src/tax.ts', 50), at('src/tax.ts', 60), at('src/tax.ts', null)]).toEqual([true, true, true])
    expect(at('src/bill.ts', 3, 'return taxOf(5)')).toBe(true)
    expect(isTouched({ file: 'src/b.ts', line: 90, evidence: 'x' }, [change('src/b.ts', 'x\n')])).toBe(true)
  })

  it('is nothing that is far from it', () => {
    expect([at('src/tax.ts', 90), at('src/bill.ts', 3), at(null, null)]).toEqual([false, false, false])
  })
})

describe('a change and a quotation of any size', () => {
  it('are looked through in time', () => {
    const body = (of: string) => Array.from({ length: 100 }, (_, at) => `export const ${of}${at} = 1`).join('\n')
    const many = Array.from({ length: 1_000 }, (_, at) => change(`src/${at}.ts`, body(`to${at}x`), body(`from${at}x`)))
    const about = (evidence: string) => isTouched({ file: 'src/other.ts', line: 3, evidence }, many)
    expect(about('call(nothing)')).toBe(false)
    expect(about('call(to999x7)')).toBe(true)
    expect(about('call(from0x7)')).toBe(true)
    const lines = 'same\n'.repeat(400_000)
    expect(placeOfQuotation('same\n'.repeat(10_000), { before: null, after: lines }, 7)).toBe(7)
  })
})
