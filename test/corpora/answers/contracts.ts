// Contracts as roles write them: a verdict, of which nothing may be guessed, and a handoff, of which a part will do.
import type { Contract } from '../../../src/roles/answer/contract.ts'
import { list, oneOf, optional, record, text, whole } from '../../../src/roles/answer/shape.ts'

const finding = record({
  file: text(1, 500),
  line: optional(whole(1, 1_000_000), null),
  severity: oneOf(['blocking', 'important', 'suggestion', 'note']),
  message: text(1, 2_000),
})

const verdictShape = record({ verdict: oneOf(['passed', 'findings']), findings: list(finding, { most: 50 }) })

export const verdictContract: Contract<ReturnType<typeof verdictShape.read>> = {
  name: 'verdict',
  version: 1,
  shape: verdictShape,
  example: {
    verdict: 'findings',
    findings: [{ file: 'src/dates.js', line: 14, severity: 'blocking', message: 'The 30th of February is accepted.' }],
  },
  bareList: null,
  rivals: 'none',
  cut: 'nothing',
  contradictions: ({ verdict, findings }) => {
    if (verdict === 'passed' && findings.length > 0) return ['the verdict is passed, but there are findings']
    return verdict === 'findings' && findings.length === 0 ? ['the verdict is findings, but there are none'] : []
  },
}

const decision = record({ what: text(1, 500), why: text(1, 500) })

const handoffShape = record({
  summary: optional(text(0, 1_000), ''),
  decisions: list(decision, { most: 20 }),
})

export const handoffContract: Contract<ReturnType<typeof handoffShape.read>> = {
  name: 'handoff',
  version: 1,
  shape: handoffShape,
  example: {
    summary: 'Dates are checked by month.',
    decisions: [{ what: 'No library', why: 'The repository has none.' }],
  },
  bareList: { field: 'decisions', key: 'what' },
  rivals: 'last',
  cut: 'whole-elements',
  contradictions: () => [],
}
