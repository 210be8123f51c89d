import type { Requirement } from '../../delivery/intent/context.ts'
import type { Assumption, Example, Seat, StructuredReading } from '../../delivery/intent/interpretation.ts'
import type { Plan, Story } from '../../delivery/plan/plan.ts'
import { type AnswerTo, contractOf, nonceSection } from '../answer/contract.ts'
import { cutText, list, oneOf, optional, record, text, whole } from '../answer/shape.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { fenced, section } from '../prompt/sections.ts'
import { bulleted, requirementSection } from '../prompt/shown.ts'

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

/** What who audits a plan must return: what has to change in it, and what is only to be known. */
export const auditContract = (nonce: string) =>
  contractOf({
    name: 'plan audit',
    version: 2,
    // The nonce keeps apart what the auditor says and what it quotes: nobody could know it before it was asked.
    shape: record({
      nonce: oneOf([nonce]),
      verdict: oneOf(['sound', 'problems']),
      problems: optional(
        list(
          record({ story: optional(text({ least: 1, most: 64 }), null), problem: text({ least: 1, most: 1_000 }) }),
          {
            most: 20,
          },
        ),
        [],
      ),
      concerns: optional(list(text({ least: 1, most: 600 }), { most: 10 }), []),
    }),
    example: {
      nonce,
      verdict: 'problems',
      problems: [
        {
          story: 'export-invoices',
          problem: 'It needs the totals of round-totals, but does not depend on that story.',
        },
      ],
      concerns: ['Nothing says how long an export may take.'],
    },
    contradictions: ({ verdict, problems }) => {
      if (verdict === 'sound' && problems.length > 0) return ['the verdict is sound, but there are problems']
      return verdict === 'problems' && problems.length === 0 ? ['the verdict is problems, but there are none'] : []
    },
  })

interface AuditBrief {
  requirement: Requirement
  plan: Plan
  /** What its answer must name. */
  nonce: string
  /** Where it writes its answer. */
  result: string
}

/** What who audits a plan is told: the plan itself, and nothing that its author says for it elsewhere. */
export const auditPrompt = ({ requirement, plan, nonce, result }: AuditBrief, setting: Setting): Prompt =>
  assemble('challenger-plan', setting, [
    requirementSection(requirement),
    section('plan', 'The plan', [...outlineTexts(plan), ...plan.stories.map(auditedStory)]),
    nonceSection(auditContract(nonce), { nonce, result }),
  ])

const outlineTexts = ({ outline }: Plan): string[] =>
  outline === null ? [] : [fenced(JSON.stringify(outline, null, 2), 'outline')]

const auditedStory = ({ id, title, description, criteria, dependsOn, files, complexity, mayChange }: Story): string =>
  fenced(
    [
      `${id}: ${title} (complexity ${complexity})`,
      description,
      bulleted(criteria),
      ...[named('depends on', dependsOn), named('files', files), named('may change', mayChange)],
    ]
      .filter((line) => line !== '')
      .join('\n'),
    'story',
  )

const named = (what: string, items: string[]): string => (items.length === 0 ? '' : `${what}: ${items.join(', ')}`)
