import { describe, expect, it } from 'vitest'
import { changed } from '../../../test/samples/change.ts'
import { riskOf } from './risk.ts'

describe('risk', () => {
  it('ranks what is to be read first, with the reasons', () => {
    const many = Array.from({ length: 250 }, (_, n) => `line ${n}`).join('\n')
    const { score, files, reasons } = riskOf([
      changed('docs/a.md', '', 'text'),
      changed('db/migrations/1.sql', '', 'ALTER TABLE a'),
      changed('src/auth/login.ts', 'export function login() {}\n', 'export function signIn() {}\n'),
      changed('src/big.ts', '', many),
    ])
    expect(files.map(({ path, score }) => [path, score])).toEqual([
      ['src/auth/login.ts', 5],
      ['db/migrations/1.sql', 4],
      ['src/big.ts', 1],
      ['docs/a.md', 0],
    ])
    expect([score, reasons]).toEqual([12.5, ['no test was changed']])
  })
  it('is in tests that became shorter, and not in new ones', () => {
    expect(riskOf([changed('a.test.ts', 'a\nb\nc', 'a')]).files[0]).toMatchObject({
      reasons: ['test lines removed'],
      score: 3,
    })
    expect(riskOf([changed('a.test.ts', 'a', 'a\nb')]).score).toBe(0)
  })
  it('has each reason where it belongs, and not where only letters agree', () => {
    const branches = Array.from({ length: 12 }, (_, n) => `if (a === ${n}) return ${n}`).join('\n')
    const reasonsOf = (path: string, before: string, after: string) =>
      riskOf([changed(path, before, after)]).files[0]!.reasons
    expect(reasonsOf('src/OAuthToken.ts', '', 'x')).toEqual(['security'])
    for (const path of ['src/author.ts', 'src/oracle.ts', 'src/tokenizer.ts', 'test/auth.test.ts'])
      expect(reasonsOf(path, '', 'x')).toEqual([])
    expect(reasonsOf('src/store.ts', 'a', "a\ndb.run('ALTER TABLE t ADD c')")).toEqual(['a migration'])
    expect(reasonsOf('docs/sql.md', 'a', 'a\nALTER TABLE t')).toEqual([])
    expect(reasonsOf('src/store.ts', "'ALTER TABLE t'", "'ALTER TABLE t'\nx")).toEqual([])
    expect(reasonsOf('src/a.py', 'def total(a):\n', 'def total(a, b):\n')).toEqual(['what others use was changed'])
    expect(reasonsOf('src/a.ts', '', branches)).toEqual(['many new branches'])
    expect(reasonsOf('src/page.css', '', 'a {}')).toEqual(['what people see'])
  })
})
