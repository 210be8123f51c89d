import type { Finding } from '../../../../delivery/judging/finding.ts'
import { report } from '../../report.ts'
import type { Case } from '../test-case.ts'
import { lostLines } from './lost-lines.ts'

/** A test that was given much more time than it had: slow is a kind of broken. */
export function slackenedTest({ before, after, path }: { before: Case; after: Case; path: string }): Finding[] {
  const [had, has] = [timeoutsIn(before), timeoutsIn(after)]
  const raised = has.findIndex((time, at) => had[at] !== undefined && time > had[at] * 2)
  if (had.length !== has.length || raised === -1) return []
  const lines = lostLines(before.text, after.text)
  return [
    report({
      rule: 'test-weakened',
      file: path,
      line: after.line + lines.offset,
      what: `timeout of ${before.name}`,
      message: `${before.name === '' ? 'the tests of this file' : `the test "${before.name}"`} may take ${has[raised]} where it was ${had[raised]}; make the code fast enough, or have the story declare the test under mayChange`,
      evidence: lines.text,
      fixTarget: 'tests',
    }),
  ]
}

const words =
  /(?:\btimeout(?:Ms|_ms|_seconds|_secs)?["']?\s*[:=(]\s*|\bsetTimeout\s*\(\s*(?=\d[\d_]*\s*\))|\bmark\.timeout\s*\(\s*|\bWithTimeout\s*\([^,()]+(?:\([^()]*\))?,\s*|\bDuration::from_\w+\s*\(\s*)(\d[\d_]*(?:\.\d+)?)/g
/** The time that comes after the function: `test('name', () => {…}, 5000)`. */
const last = /[}\])]\s*,\s*(\d[\d_]*)\s*,?\s*\)$/

function timeoutsIn(test: Case): number[] {
  const trailing = test.language === 'js' && test.name !== '' ? last.exec(test.masked)?.[1] : undefined
  return [
    ...[...test.masked.matchAll(words)].map((found) => found[1]!),
    ...(trailing === undefined ? [] : [trailing]),
  ].map((digits) => Number(digits.replaceAll('_', '')))
}
