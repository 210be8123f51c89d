import type { CommitKind } from '../../delivery/judging/commit-kind.ts'
import { isFixture } from '../files/change.ts'
import { isTest } from '../files/test-file.ts'
import { isIntegration } from '../inspection/protected.ts'
import { isCode } from '../related/tree.ts'

export function kindOf(paths: readonly string[]): CommitKind {
  if (paths.some(isIntegration)) return 'continuous integration'
  const tests = paths.filter(isOfTests)
  const code = paths.filter((path) => !isOfTests(path) && isCode(path))
  if (code.length > 0) return tests.length > 0 ? 'code with tests' : 'code only'
  if (tests.length > 0) return 'tests only'
  return paths.length > 0 && paths.every((path) => prose.test(path)) ? 'documentation' : 'other'
}

const isOfTests = (path: string): boolean => isTest(path) || isFixture(path)

const prose =
  /\.(?:mdx?|rst|adoc|txt|png|jpe?g|gif|svg)$|(?:^|\/)(?:docs?|LICENSE|AUTHORS|CHANGES?|HISTORY|NOTICE)(?:\/|$)/i
