// Files of tests that are too large to be compared test by test are compared line by line, in one pass.
import type { Finding } from '../../../../delivery/judging/finding.ts'
import type { Change } from '../../change.ts'
import { report } from '../../report.ts'
import { missing } from '../literals.ts'

const longestRead = 200_000

export const isLarge = ({ before, after }: Change): boolean =>
  Math.max(before?.length ?? 0, after?.length ?? 0) > longestRead

export function largeFindings(change: Change): Finding[] {
  if (change.before === null) return []
  const [had, has] = [linesOf(change.before), linesOf(change.after ?? '')]
  const lost = missing(had.filter(claims), has)
  const marked = missing(has.filter(disables), had)
  return [
    ...(lost.length === 0 ? [] : [finding(change, lost, '-')]),
    ...(marked.length === 0 ? [] : [finding(change, marked, '+')]),
  ]
}

/** Without what a formatter changes; of a line that nobody writes by hand only the beginning is read. */
const linesOf = (text: string): string[] =>
  text.split('\n').map((line) =>
    line
      .slice(0, 1_000)
      .replace(/[\s;,]+/g, ' ')
      .trim(),
  )

const claims = (line: string): boolean =>
  /(?:^|[^\w$])(?:it|test|describe|suite|def test\w*|func Test\w*|assert\w*|expect|should|require|verify|t\.(?:Error|Fatal)\w*)\b|#\[(?:\w+::)*test/.test(
    line,
  )

const disables = (line: string): boolean =>
  /\.(?:skip|only|todo|fails|failing|skipIf|runIf|Skip|SkipNow|skipTest)\b|(?:^|[^\w$])(?:xit|xtest|xdescribe|fit|fdescribe)\b|mark\.(?:skip|skipif|xfail)\b|unittest\.skip|#\[ignore|go:build|process\.exit|os\._exit|sys\.exit|os\.Exit/.test(
    line,
  )

const shown = 12

function finding(change: Change, lines: string[], sign: '-' | '+'): Finding {
  const isGone = change.status === 'deleted'
  const what =
    sign === '+'
      ? `${lines.length} lines came that keep tests from running`
      : `${lines.length} lines with tests or assertions ${isGone ? 'are gone' : 'are gone or changed'}`
  return report({
    rule: sign === '+' ? 'test-skipped' : isGone ? 'test-deleted' : 'test-weakened',
    file: change.path,
    line: 1,
    what: `large ${sign}`,
    message: `this file of tests is too large to be compared test by test, and ${what}; put them back, or have the story declare the file under mayChange`,
    evidence: lines
      .slice(0, shown)
      .map((line) => `${sign} ${line.slice(0, 200)}`)
      .join('\n'),
    fixTarget: 'tests',
  })
}
