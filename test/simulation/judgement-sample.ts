// Plain values of what models say, for the tests of the law.
import type { Harvest } from '../../src/delivery/intent/context.ts'
import type { Assumption, Interpretation, StructuredReading } from '../../src/delivery/intent/interpretation.ts'
import type { Finding, Severity } from '../../src/delivery/judging/finding.ts'
import type { Policy, ReviewPolicy } from '../../src/delivery/policy.ts'
import type { ReviewWord } from '../../src/delivery/review/review.ts'
import { defaults } from '../default-settings.ts'
import { agent } from './sample.ts'

export const harvest = (given: Partial<Harvest> = {}): Harvest => ({
  workKind: 'feature',
  hasIdentity: true,
  isPrefixed: false,
  clarity: [],
  signals: [],
  items: [],
  left: [],
  conflicts: [],
  unreachable: [],
  references: [],
  ...given,
})

export const reading = (summary = 'it is so'): StructuredReading => ({
  summary,
  terms: [],
  behaviours: [summary],
  files: ['a.ts'],
  size: 'small',
  examples: [],
})

/** The same, with what it claims: each input with its output. */
export const claiming = (summary: string, claims: Record<string, string>): StructuredReading => ({
  ...reading(summary),
  examples: Object.entries(claims).map(([input, output]) => ({ input, output })),
})

export const assumption = (id: string, stakes: Assumption['stakes'] = 'high'): Assumption => ({
  ...{ id, stakes, claim: `${id} is so` },
  ...{ evidence: '', falsifier: id },
})

/** Two rules of the requirement are broken. */
export const vague: Partial<Harvest> = {
  clarity: [
    { rule: 'testable', passed: false, why: 'nothing can be tested' },
    { rule: 'criteria', passed: false, why: 'it has none' },
  ],
}

export const interpretation = (given: Partial<Interpretation> = {}): Interpretation => ({
  workKind: 'feature',
  ambiguity: 'clear',
  reading: reading(),
  rivals: [{ word: 'so', reading: reading('it is otherwise'), evidence: '' }],
  assumptions: [],
  question: 'Is it so?',
  defensible: true,
  missing: [],
  criteria: [],
  ...given,
})

type Returned = Extract<ReviewWord, { status: 'returned' }>

export const approval: Returned = {
  status: 'returned',
  verdict: 'approve',
  findings: [],
  checked: ['all of it'],
  criteria: [],
  checklist: [],
  rebuttals: [],
  outside: [],
}

/** A reviewer that found something, or says else what is given. */
export const objection = (findings: Finding[], given: Partial<Returned> = {}): ReviewWord => ({
  ...approval,
  verdict: 'needs-work',
  findings,
  ...given,
})

export const absent: ReviewWord = { status: 'absent', reason: 'it was late' }

/** Something wrong at a place, as a reviewer says it. */
export const remark = (message: string, severity: Severity = 'blocking'): Finding => ({
  source: 'review',
  rule: 'wrong',
  severity,
  file: 'a.ts',
  line: 1,
  message,
  evidence: `if (${message})`,
  fingerprint: `review/${message}`,
  fixTarget: 'code',
})

/** Two reviewers of two models, neither of them the coder's, and a triager. */
export const reviewed = (review: Partial<ReviewPolicy> = {}): Pick<Policy, 'agents' | 'review'> => ({
  agents: {
    mine: agent({ models: { fast: 'm0' } }),
    one: agent({ models: { powerful: 'm1' } }),
    two: agent({ models: { powerful: 'm2' } }),
  },
  review: {
    ...defaults.review,
    reviewers: [
      { vantage: 'correctness', agents: ['one'] },
      { vantage: 'criteria', agents: ['two'] },
    ],
    ...review,
  },
})
