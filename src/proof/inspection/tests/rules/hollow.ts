import type { Finding } from '../../../../delivery/judging/finding.ts'
import { report } from '../../report.ts'
import type { Case } from '../test-case.ts'

/** A fresh test that asserts, but nothing that the code could break. */
export function hollowTests(test: Case, path: string): Finding[] {
  const { assertions } = test.facts
  if (assertions.length === 0 || assertions.some((one) => one.weight > 0)) return []
  return [
    report({
      rule: 'test-hollow',
      file: path,
      line: test.line,
      what: test.name,
      message: `the test "${test.name}" can never fail: it asserts only constants; assert what the code gives`,
      evidence: test.text,
      fixTarget: 'tests',
    }),
  ]
}
