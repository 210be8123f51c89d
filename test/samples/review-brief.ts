import type { Vantage } from '../../src/delivery/review/review.ts'
import type { ReviewerBrief } from '../../src/roles/reviewer/prompt.ts'

/** A review of a diff of about this length, as one of several reviewers is asked for it. */
export function sampleReview({
  vantage,
  seat,
  patchBytes,
}: {
  vantage: Vantage
  seat: number
  patchBytes: number
}): ReviewerBrief {
  const criteria = ['Given 1 and 2, then 3', 'Given a word, then an error names it']
  return {
    story: {
      ...{ id: 'adds', title: 'Add numbers', description: 'Sums are wrong.', criteria, dependsOn: [], complexity: 3 },
      ...{ files: ['src/add.js'], contextFiles: [], risks: [], mayChange: [], mayBeEmpty: false, strategy: null },
      ...{ noTestsBecause: '', tests: 'witnessed', proofs: [] },
    },
    commit: 'c0ffee'.padEnd(40, '1'),
    summary: ['src/add.js modified, +400 -0'],
    patches: [patchOf(patchBytes)],
    tests: ['test/add.test.js'],
    unnoticed: [],
    open: null,
    vantage,
    further: seat === 0 ? [{ vantage: 'security', files: ['src/login.js'] }] : [],
    criteria: vantage === 'criteria' ? criteria : [],
    ...{ checklist: [], isPart: false, scope: vantage === 'criteria' },
  }
}

function patchOf(bytes: number): string {
  const line = '+  const sum = numbers.reduce((total, number) => total + number, 0)\n'
  return `diff --git a/src/add.js b/src/add.js\n${line.repeat(Math.ceil(bytes / line.length))}`
}
