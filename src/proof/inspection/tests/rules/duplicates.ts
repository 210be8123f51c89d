import type { Finding } from '../../../../delivery/judging/finding.ts'
import { report } from '../../report.ts'
import type { Case, TestChange, TestFile } from '../test-case.ts'

/** In Python the second function of a name replaces the first, which then never runs. */
export function duplicateFindings({ change, before, after }: TestChange): Finding[] {
  if (after === null || after.language !== 'python') return []
  const known = new Set(before === null ? [] : replaced(before).map(({ name }) => name))
  return replaced(after)
    .filter(({ name }) => !known.has(name))
    .map((test) =>
      report({
        rule: 'test-disabled',
        file: change.path,
        line: test.line,
        what: test.name,
        message: `the test "${test.name}" never runs: another of its name comes after it; give each a name of its own`,
        evidence: test.text,
        fixTarget: 'tests',
      }),
    )
}

/** Tests after which one of the same name, at the same level, comes without a class in between. */
function replaced(file: TestFile): Case[] {
  return file.cases.filter((test, at) => {
    const later = file.cases.slice(at + 1).find(({ name }) => name === test.name)
    return (
      later !== undefined &&
      indent(file, later) === indent(file, test) &&
      !/^[ \t]*class\b/m.test(file.masked.slice(test.end, later.start))
    )
  })
}

const indent = (file: TestFile, test: Case): number => test.start - (file.text.lastIndexOf('\n', test.start) + 1)
