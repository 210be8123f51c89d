import type { Assumption } from '../../delivery/intent/interpretation.ts'
import { type AnswerTo, contractOf } from '../answer/contract.ts'
import { list, oneOf, optional, record, text, whole } from '../answer/shape.ts'
import { nonceSection } from '../answer/told.ts'
import { fenced } from '../prompt/fence.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { section } from '../prompt/sections.ts'

/** What the blind checker must return: a word on each claim, with the lines that show it. */
export const checkContract = (nonce: string, assumptions: Assumption[]) =>
  contractOf({
    name: 'assumption check',
    version: 2,
    // The nonce keeps apart what the checker says and what it quotes: nobody could know it before it was asked.
    shape: record({
      nonce: oneOf([nonce]),
      checked: list(
        record({
          id: oneOf(assumptions.map(({ id }) => id)),
          verdict: oneOf(['holds', 'refuted', 'unknown']),
          why: text({ least: 1, most: 1_000 }),
          file: optional(text({ least: 1, most: 1_000 }), null),
          line: optional(whole({ from: 1, to: 10_000_000 }), null),
          quote: optional(text({ least: 0, most: 4_000 }), ''),
        }),
        { most: 40 },
      ),
    }),
    example: {
      nonce,
      checked: [
        {
          id: assumptions[0]?.id ?? 'a1',
          verdict: 'refuted',
          why: 'Amounts are summed as decimals, not in cents.',
          file: 'src/invoices/invoice.js',
          line: 12,
          quote: 'return positions.reduce((sum, { euros }) => sum + euros, 0.0)',
        },
      ],
    },
    contradictions: ({ checked }) => [
      ...checked.flatMap(({ id }, index) =>
        checked.findIndex((other) => other.id === id) < index ? [`there are two words on ${id}`] : [],
      ),
      ...checked.flatMap(({ id, verdict, file, quote }) =>
        verdict === 'refuted' && (file === null || quote === '')
          ? [`${id} is refuted without a file and a quotation from it; say unknown if there is none`]
          : [],
      ),
    ],
  })

export type CheckAnswer = AnswerTo<typeof checkContract>

interface CheckerBrief {
  assumptions: Assumption[]
  /** What its answer must name. */
  nonce: string
  /** Where it writes its answer. */
  result: string
}

/** What the blind checker is told: the claims, and what would refute them. Nothing of why somebody believes them. */
export function checkerPrompt({ assumptions, nonce, result }: CheckerBrief, setting: Setting): Prompt {
  const claims = assumptions.map(
    ({ id, claim, falsifier }) =>
      `${id}:\n${fenced(claim, 'claim')}\nIt is wrong if this is found:\n${fenced(falsifier, 'falsifier')}`,
  )
  return assemble('challenger-assumptions', setting, [
    section('claims', 'The claims', claims),
    nonceSection(checkContract(nonce, assumptions), { nonce, result }),
  ])
}
