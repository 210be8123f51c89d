// Plain values of what models say, for the tests of the law.
import type { Harvest } from '../../src/delivery/intent/context.ts'
import type { Assumption, Interpretation, Reading } from '../../src/delivery/intent/interpretation.ts'
import type { ReviewWord } from '../../src/delivery/review/review.ts'

export const harvest = (given: Partial<Harvest> = {}): Harvest => ({
  taskType: 'feature',
  hasIdentity: true,
  ticket: [],
  signals: [],
  items: [],
  left: [],
  conflicts: [],
  unreachable: [],
  ...given,
})

export const reading = (summary = 'it is so'): Reading => ({
  summary,
  terms: [],
  behaviours: [summary],
  files: ['a.ts'],
  size: 'small',
})

export const assumption = (id: string, stakes: Assumption['stakes'] = 'high'): Assumption => ({
  ...{ id, stakes, claim: `${id} is so` },
  ...{ evidence: '', falsifier: id },
})

/** Two rules of the requirement are broken. */
export const vague: Partial<Harvest> = {
  ticket: [
    { rule: 'testable', passed: false, why: 'nothing can be tested' },
    { rule: 'criteria', passed: false, why: 'it has none' },
  ],
}

export const interpretation = (given: Partial<Interpretation> = {}): Interpretation => ({
  taskType: 'feature',
  ambiguity: 'clear',
  reading: reading(),
  rivals: [{ word: 'so', reading: reading('it is otherwise'), evidence: '' }],
  assumptions: [],
  question: 'Is it so?',
  defensible: true,
  criteria: [],
  ...given,
})

export const approval: ReviewWord = {
  status: 'returned',
  verdict: 'approve',
  findings: [],
  checked: ['all of it'],
  criteria: [],
  checklist: [],
  rebuttals: [],
  outside: [],
}
