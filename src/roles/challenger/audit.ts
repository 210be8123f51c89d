import type { Contract } from '../answer/contract.ts'
import { list, optional, record } from '../answer/shape/composed.ts'
import { oneOf, text } from '../answer/shape/leaves.ts'

const shape = record({
  verdict: oneOf(['sound', 'problems']),
  problems: optional(
    list(record({ story: optional(text({ least: 1, most: 64 }), null), problem: text({ least: 1, most: 1_000 }) }), {
      most: 20,
    }),
    [],
  ),
  concerns: optional(list(text({ least: 1, most: 600 }), { most: 10 }), []),
})

export type AuditAnswer = ReturnType<typeof shape.read>

/** What who audits a plan must return: what has to change in it, and what is only to be known. */
export const auditContract: Contract<AuditAnswer> = {
  name: 'plan audit',
  version: 1,
  shape,
  example: {
    verdict: 'problems',
    problems: [
      { story: 'export-invoices', problem: 'It needs the totals of round-totals, but does not depend on that story.' },
    ],
    concerns: ['Nothing says how long an export may take.'],
  },
  bareList: null,
  rivals: 'none',
  cut: 'nothing',
  contradictions: ({ verdict, problems }) => {
    if (verdict === 'sound' && problems.length > 0) return ['the verdict is sound, but there are problems']
    return verdict === 'problems' && problems.length === 0 ? ['the verdict is problems, but there are none'] : []
  },
}
