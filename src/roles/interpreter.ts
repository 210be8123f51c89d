import { ambiguities, workKinds } from '../delivery/intent/context.ts'
import type { CheckedAssumption, Interpretation, StructuredReading } from '../delivery/intent/interpretation.ts'
import type { ReadRequirement } from '../delivery/step.ts'
import { oneLine } from '../std/text/plain-text.ts'
import { type AnswerTo, contractOf, nonceSection, problemsSection } from './answer/contract.ts'
import { cutText, flag, list, oneOf, optional, record, text } from './answer/shape.ts'
import { assemble, type Prompt, type Setting } from './prompt/prompt.ts'
import { fenced, section } from './prompt/sections.ts'

const line = text(1, 600)
const words = text(1, 2_000)

const fewestExamples = 2
const mostExamples = 8
const claimed = cutText(1, 300)

const reading = record({
  summary: words,
  terms: optional(list(record({ term: text(1, 120), meaning: line }), { most: 15 }), []),
  behaviours: list(line, { most: 15 }),
  files: optional(list(text(1, 500), { most: 60 }), []),
  size: oneOf(['small', 'medium', 'large']),
  examples: optional(list(record({ input: claimed, output: claimed }), { most: mostExamples, cut: () => [] }), []),
})

const assumption = record({
  claim: line,
  evidence: optional(text(0, 2_000), ''),
  falsifier: line,
  stakes: oneOf(['high', 'low']),
})

/** What a reader of the requirement must return: its reading, and what speaks against it. */
export const interpretationContract = (nonce: string) =>
  contractOf({
    name: 'interpretation',
    version: 3,
    // The nonce keeps apart what a reader says and what it quotes: nobody could know it before it was asked.
    shape: record({
      nonce: oneOf([nonce]),
      workKind: oneOf(workKinds),
      ambiguity: oneOf(ambiguities),
      reading,
      rivals: list(record({ word: text(1, 120), reading, evidence: words }), { most: 4 }),
      assumptions: optional(list(assumption, { most: 12 }), []),
      question: line,
      defensible: flag(),
      missing: optional(list(line, { most: 10 }), []),
      criteria: list(line, { most: 30 }),
    }),
    example: {
      nonce,
      workKind: 'feature',
      ambiguity: 'uncertain',
      reading: {
        summary: 'Invoices can be exported as a file with one line for each position.',
        terms: [{ term: 'export', meaning: 'a download in the browser, not a mail' }],
        behaviours: ['GET /invoices/7/export answers with text/csv and one line per position'],
        files: ['src/invoices/export.js', 'test/invoices/export.test.js'],
        size: 'small',
        examples: [
          { input: 'GET /invoices/7/export, invoice 7 has 2 positions', output: 'a download of text/csv with 2 lines' },
          { input: 'it is 02:00, and invoice 8 is new', output: 'nothing is sent to the accounting system' },
        ],
      },
      rivals: [
        {
          word: 'export',
          reading: {
            summary: 'Invoices are sent to the accounting system every night.',
            terms: [{ term: 'export', meaning: 'a nightly job' }],
            behaviours: ['at 02:00 every new invoice is posted to the accounting system'],
            files: ['src/jobs/accounting.js'],
            size: 'large',
          },
          evidence: 'docs/accounting.md calls the nightly job "the export".',
        },
      ],
      assumptions: [
        {
          claim: 'Amounts are kept in cents.',
          evidence: 'src/invoices/invoice.js: total(positions) divides by 100.',
          falsifier: 'a place in src/invoices that stores or sums amounts with decimals',
          stakes: 'high',
        },
      ],
      question: 'Is the export a download, or the nightly job?',
      defensible: true,
      missing: [],
      criteria: ['Given an invoice with 2 positions, when it is exported, then the file has 2 lines.'],
    },
    rivals: 'last',
    contradictions: ({ reading, rivals, criteria }) => [
      ...(reading.behaviours.length === 0 ? ['reading.behaviours is empty: say what somebody could observe'] : []),
      ...(rivals.length === 0
        ? ['rivals is empty: name at least one other reading, by the single word that changes the work most']
        : []),
      ...rivals.flatMap((rival, index) =>
        sameText(rival.reading, reading) ? [`rivals[${index}] is the same as the reading`] : [],
      ),
      ...(criteria.length === 0 ? ['criteria is empty: say what the whole must fulfil'] : []),
    ],
    lacks: ({ reading }) =>
      reading.examples.length < fewestExamples
        ? [
            `reading.examples has fewer than ${fewestExamples}: give what goes in and what comes out where a rival reading would have something else`,
          ]
        : [],
  })

type Said = AnswerTo<typeof interpretationContract>

const sameText = (
  one: Pick<StructuredReading, 'summary' | 'behaviours'>,
  other: Pick<StructuredReading, 'summary' | 'behaviours'>,
): boolean => plain([one.summary, ...one.behaviours]) === plain([other.summary, ...other.behaviours])
const plain = (texts: string[]): string =>
  texts
    .join(' ')
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()

/** Assumptions get their names from us: a checker's words must fit to one of them. */
export const interpretationFrom = ({ nonce: _, assumptions, missing, ...said }: Said): Interpretation => ({
  ...said,
  missing: missing.filter((value) => !saysNone.test(value)),
  assumptions: assumptions.map((one, index) => ({ id: `a${index + 1}`, ...one })),
})

/** Some write down that there is nothing to write down; nobody has to be asked for that. */
const saysNone = /^[\s("'-]*(?:none|nothing|nil|null|n\/?a|not applicable|no missing values?)?[\s)"'.-]*$/i

/** What those are told who say what is meant: the interpreter, and challengers who know nothing of its reading. */
export function readerPrompt(
  name: 'interpreter' | 'challenger',
  { refuted, problems }: Pick<ReadRequirement, 'refuted' | 'problems'>,
  setting: Setting,
): Prompt {
  const contract = interpretationContract(setting.nonce)
  return assemble(name, setting, [
    section('refuted', 'The code says otherwise', refuted.map(refutedText)),
    problemsSection(contract, problems),
    nonceSection(contract, setting),
  ])
}

const refutedText = ({ claim, evidence, file, line }: CheckedAssumption): string =>
  [
    `An earlier reading took this for granted, and it is wrong:\n${fenced(claim, 'claim')}`,
    `${file === null ? 'What was found' : `Found in ${oneLine(file)}${line === null ? '' : `:${line}`}`}:\n${fenced(evidence, 'evidence')}`,
  ].join('\n')
