import type { Assumption, Example, Seat, StructuredReading } from '../../delivery/intent/interpretation.ts'
import type { Plan, Story } from '../../delivery/plan/plan.ts'
import { type AnswerTo, contractOf, nonceSection } from '../answer/contract.ts'
import { cutText, list, oneOf, optional, record, text, whole } from '../answer/shape.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { fenced, section } from '../prompt/sections.ts'
import { bulleted } from '../prompt/shown.ts'

// What challengers must return names a nonce, which keeps apart what they say and what they quote: nobody could know it
// before they were asked.

/** What the blind checker must return: a word on each claim, with the lines that show it. */
export const checkContract = (nonce: string, assumptions: Assumption[]) =>
  contractOf({
    name: 'assumption check',
    version: 2,
    shape: record({
      nonce: oneOf([nonce]),
      checked: list(
        record({
          id: oneOf(assumptions.map(({ id }) => id)),
          verdict: oneOf(['holds', 'refuted', 'unknown']),
          why: text(1, 1_000),
          file: optional(text(1, 1_000), null),
          line: optional(whole(1, 10_000_000), null),
          quote: optional(text(0, 4_000), ''),
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
      ...saidTwice(checked),
      ...checked.flatMap(({ id, verdict, file, quote }) =>
        verdict === 'refuted' && (file === null || quote === '')
          ? [`${id} is refuted without a file and a quotation from it; say unknown if there is none`]
          : [],
      ),
    ],
  })

export type CheckAnswer = AnswerTo<typeof checkContract>

const saidTwice = (words: { id: string }[]): string[] =>
  words.flatMap(({ id }, index) =>
    words.findIndex((other) => other.id === id) < index ? [`there are two words on ${id}`] : [],
  )

/** What the blind checker is told: the claims, and what would refute them. Nothing of why somebody believes them. */
export function checkerPrompt(assumptions: Assumption[], setting: Setting): Prompt {
  const claims = assumptions.map(
    ({ id, claim, falsifier }) =>
      `${id}:\n${fenced(claim, 'claim')}\nIt is wrong if this is found:\n${fenced(falsifier, 'falsifier')}`,
  )
  return assemble('challenger-assumptions', setting, [
    section('claims', 'The claims', claims),
    nonceSection(checkContract(setting.nonce, assumptions), setting),
  ])
}

/** What a reader must return who is asked about the examples of others: a word on each. */
export const trialContract = (nonce: string, count: number) =>
  contractOf({
    name: 'examples tried',
    version: 1,
    shape: record({
      nonce: oneOf([nonce]),
      tried: list(record({ id: oneOf(idsOf(count)), verdict: oneOf(['yes', 'no', 'unknown']), why: cutText(0, 300) }), {
        most: count,
      }),
    }),
    example: { nonce, tried: [{ id: 'e1', verdict: 'no', why: 'By family name Zoe Adams comes first, not last.' }] },
    contradictions: ({ tried }) => saidTwice(tried),
  })

export const idsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `e${index + 1}`)

/** What a reader is told who is to say whether its own reading has the examples of others so; not whose they are. */
export function trialPrompt(
  { reading, examples }: { reading: StructuredReading; examples: (Example & { of: Seat })[] },
  setting: Setting,
): Prompt {
  const ids = idsOf(examples.length)
  const claims = examples.map(
    ({ input, output }, index) => `${ids[index]}:\n${fenced(`${input}\n→ ${output}`, 'example')}`,
  )
  return assemble('challenger-examples', setting, [
    section('intent', 'Your reading', [fenced(readingText(reading), 'reading')]),
    section('claims', 'The examples', claims),
    nonceSection(trialContract(setting.nonce, examples.length), setting),
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
    shape: record({
      nonce: oneOf([nonce]),
      verdict: oneOf(['sound', 'problems']),
      problems: optional(
        list(record({ story: optional(text(1, 64), null), problem: text(1, 1_000) }), { most: 20 }),
        [],
      ),
      concerns: optional(list(text(1, 600), { most: 10 }), []),
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

/** What who audits a plan is told: the plan itself, and nothing that its author says for it elsewhere. */
export const auditPrompt = ({ outline, stories }: Plan, setting: Setting): Prompt =>
  assemble('challenger-plan', setting, [
    section('plan', 'The plan', [
      ...(outline === null ? [] : [fenced(JSON.stringify(outline, null, 2), 'outline')]),
      ...stories.map(auditedStory),
    ]),
    nonceSection(auditContract(setting.nonce), setting),
  ])

function auditedStory({ id, title, description, criteria, complexity, ...story }: Story): string {
  const named = (what: string, items: string[]): string => (items.length === 0 ? '' : `${what}: ${items.join(', ')}`)
  const lines = [
    ...[`${id}: ${title} (complexity ${complexity})`, description, bulleted(criteria)],
    ...[named('depends on', story.dependsOn), named('files', story.files), named('may change', story.mayChange)],
  ]
  return fenced(lines.filter((line) => line !== '').join('\n'), 'story')
}
