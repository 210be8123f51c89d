import type { Finding } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { CheckResult } from '../results/check-result.ts'
import { means } from './cases.ts'
import { finding } from './judge-witness.ts'

/** The tests that a story adds or changes. */
export interface OwnTests {
  files: string[]
  names: string[]
}

/**
 * Whether these tests hold on a product of which every function fails: beside others that fail, they are known by their
 * names. Where no runner names what passes, they are those that do not fail, as long as as many run as before.
 */
export function areIdle(result: CheckResult, { files, names }: OwnTests, total: number | null): boolean {
  const { status, runner, counts, failures, passed } = result
  if (status === 'pass') return counts !== null
  const isOwn = (test: string): boolean => names.some((name) => means(test, name))
  if (passed !== null) return names.every((name) => passed.some((test) => means(test, name)))
  // A panic of Go ends all tests that come after it.
  if (runner === 'go' || counts === null || counts.total !== total || counts.failed !== failures.length) return false
  return !failures.some(({ test, file }) => isOwn(test) || (file !== null && files.includes(file)))
}

export const idleFinding = ({ files }: OwnTests, mutation: Policy['mutation']): Finding =>
  finding({
    rule: 'tests-idle',
    file: files[0] ?? null,
    message: `the tests in ${files.slice(0, 3).join(', ')} pass although every function of the product was made to fail, so they tell nothing about it`,
    evidence: 'Call what the story makes from its tests, and compare what it gives.',
    severity: mutation === 'block' ? 'blocking' : 'suggestion',
  })
