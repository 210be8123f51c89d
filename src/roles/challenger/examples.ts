import type { Example, Seat, StructuredReading } from '../../delivery/intent/interpretation.ts'
import type { Requirement } from '../../delivery/intent/requirement.ts'
import { contractOf } from '../answer/contract.ts'
import { cutText, list, oneOf, record } from '../answer/shape.ts'
import { nonceSection } from '../answer/told.ts'
import { fenced } from '../prompt/fence.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { requirementSection } from '../prompt/requirement.ts'
import { section } from '../prompt/sections.ts'

/** What a reader must return who is asked about the examples of others: a word on each. */
export const trialContract = (nonce: string, count: number) =>
  contractOf({
    name: 'examples tried',
    version: 1,
    shape: record({
      nonce: oneOf([nonce]),
      tried: list(
        record({
          id: oneOf(idsOf(count)),
          verdict: oneOf(['yes', 'no', 'unknown']),
          why: cutText({ least: 0, most: 300 }),
        }),
        { most: count },
      ),
    }),
    example: { nonce, tried: [{ id: 'e1', verdict: 'no', why: 'By family name Zoe Adams comes first, not last.' }] },
    contradictions: ({ tried }) =>
      tried.flatMap(({ id }, index) =>
        tried.findIndex((other) => other.id === id) < index ? [`there are two words on ${id}`] : [],
      ),
  })

export const idsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `e${index + 1}`)

interface TrialBrief {
  requirement: Requirement
  /** Its own. */
  reading: StructuredReading
  examples: (Example & { of: Seat })[]
  /** What its answer must name. */
  nonce: string
  /** Where it writes its answer. */
  result: string
}

/** What a reader is told who is to say whether its reading has the examples of others so; not whose they are. */
export function trialPrompt({ requirement, reading, examples, nonce, result }: TrialBrief, setting: Setting): Prompt {
  const ids = idsOf(examples.length)
  return assemble('challenger-examples', setting, [
    requirementSection(requirement),
    section('intent', 'Your reading', [fenced(readingText(reading), 'reading')]),
    section(
      'claims',
      'The examples',
      examples.map(({ input, output }, index) => `${ids[index]}:\n${fenced(`${input}\n→ ${output}`, 'example')}`),
    ),
    nonceSection(trialContract(nonce, examples.length), { nonce, result }),
  ])
}

const readingText = ({ summary, terms, behaviours, examples }: StructuredReading): string =>
  [
    summary,
    ...terms.map(({ term, meaning }) => `${term}: ${meaning}`),
    ...behaviours.map((behaviour) => `- ${behaviour}`),
    ...examples.map(({ input, output }) => `- ${input} → ${output}`),
  ].join('\n')
