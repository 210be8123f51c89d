import { describe, expect, it } from 'vitest'
import { treeOf } from '../../../test/samples/tree.ts'
import type { CheckResult } from '../results/check-result.ts'
import { addUp } from '../results/report.ts'
import { folderFor, packageFoldersOf, withDependents } from './packages.ts'

describe('the packages of a check', () => {
  it('are the folders that its patterns name, those without a manifest only where none has one', () => {
    const files = ['a/package.json', 'packages/x/package.json', 'packages/x/src/x.ts', 'packages/notes/n.md', 'z/z.ts']
    expect(packageFoldersOf(['packages/*'], files)).toEqual(['packages/x'])
    expect(packageFoldersOf(['packages/**', 'a'], files)).toEqual(['a', 'packages/x'])
    expect(packageFoldersOf(['z'], files)).toEqual(['z'])
    expect(packageFoldersOf(['y/*'], files)).toEqual([])
    expect(folderFor('packages/x/src/x.ts', ['packages', 'packages/x'])).toBe('packages/x')
    expect(folderFor('packages-of/x.ts', ['packages'])).toBeNull()
  })

  it('that depend on a touched one are found in the manifests of four languages', () => {
    const tree = treeOf({
      'js/a/package.json': '{"name": "@my/a"}',
      'js/b/package.json': '{"name": "b", "devDependencies": {"@my/a": "workspace:*"}}',
      'js/c/package.json': '{"name": "c", "dependencies": {"b": "1"}}',
      'js/d/package.json': '{"name": "d", "dependencies": {"left-pad": "1"}}',
      'go/a/go.mod': 'module example.com/a\n',
      'go/b/go.mod': 'module example.com/b\n\nrequire (\n\texample.com/a v0.0.0\n)\n',
      'rs/a/Cargo.toml': '[package]\nname = "a"\n',
      'rs/b/Cargo.toml': '[package]\nname = "b"\n[dependencies]\na = { path = "../a", version = "1" }\n',
      'py/a/pyproject.toml': '[project]\nname = "my-a"\n',
      'py/b/pyproject.toml': '[project]\nname = "b"\ndependencies = ["my_a>=1"]\n',
      'py/c/pyproject.toml': '[project]\nname = "c"\ndependencies = ["my-apple"]\n',
    })
    const folders = [...tree.files].map((path) => path.slice(0, path.lastIndexOf('/')))
    expect(withDependents(['js/a'], folders, tree)).toEqual(['js/a', 'js/b', 'js/c'])
    expect(withDependents(['go/a'], folders, tree)).toEqual(['go/a', 'go/b'])
    expect(withDependents(['rs/a'], folders, tree)).toEqual(['rs/a', 'rs/b'])
    expect(withDependents(['py/a'], folders, tree)).toEqual(['py/a', 'py/b'])
  })

  it('add up to one result, which passes only where each does', () => {
    const result = (more: Partial<CheckResult>): CheckResult => ({
      status: 'pass',
      runner: 'tap',
      counts: { total: 2, passed: 2, failed: 0, skipped: 0 },
      failures: [],
      hollow: [],
      passed: ['t'],
      message: '2 tests passed',
      tail: '',
      ...more,
    })
    const failure = { file: 'x.test.ts', line: 1, test: 'adds', error: '', stack: '' }
    const red = result({
      status: 'test-failure',
      message: '1 of 2 failed',
      counts: { total: 2, passed: 1, failed: 1, skipped: 0 },
      failures: [failure, { ...failure, file: null }],
    })
    expect(
      addUp([
        { folder: 'a', result: result({}) },
        { folder: 'b', result: result({}) },
      ]),
    ).toMatchObject({
      status: 'pass',
      counts: { total: 4, passed: 4 },
      passed: ['t', 't'],
    })
    expect(
      addUp([
        { folder: 'a', result: result({}) },
        { folder: 'b', result: red },
      ]),
    ).toMatchObject({
      status: 'test-failure',
      message: 'in b: 1 of 2 failed',
      counts: { failed: 1 },
      failures: [
        { file: 'b/x.test.ts', test: 'adds' },
        { file: null, test: 'b: adds' },
      ],
    })
    const silent = result({ status: 'crash', counts: null, passed: null })
    expect(
      addUp([
        { folder: 'a', result: red },
        { folder: 'b', result: silent },
      ]),
    ).toMatchObject({
      status: 'crash',
      counts: null,
      passed: null,
    })
  })
})
