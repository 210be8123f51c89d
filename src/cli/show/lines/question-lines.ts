import type { Question } from '../../../delivery/question.ts'
import { answerCommand } from '../../../delivery/questions/registry.ts'
import { oneLine, plainText } from '../../../std/text/plain-text.ts'
import type { ShownLine } from '../line.ts'
import { dim, yellow } from '../line.ts'
import { dateText } from '../time.ts'

const mostEvidence = 24

/** Open questions, each with its evidence, its options by number, and how to answer it. */
export function questionLines(questions: Question[], delivery: string | null = null): ShownLine[] {
  return questions.flatMap((question) => [
    [yellow('? '), oneLine(question.text, 1000)],
    ...evidenceLines(question.evidence),
    ...question.options.map((option, index): ShownLine => optionLine(question, option, index + 1)),
    ...deadlineLines(question),
    `    ${delivery === null ? answerCommand(question) : numberedCommand(question, delivery)}`,
  ])
}

/** What becomes of it by itself. */
export const deadlineLines = ({ deadlineAt, default: option }: Question): ShownLine[] =>
  deadlineAt === null ? [] : [dim(`    if nobody answers by ${dateText(deadlineAt)}: ${option}`)]

/** What a person has to see before they answer. */
export function evidenceLines(evidence: string): ShownLine[] {
  const lines = plainText(evidence).trim().split('\n').filter(Boolean)
  const left = lines.length - mostEvidence
  return [
    ...lines.slice(0, mostEvidence).map((line): ShownLine => dim(`    | ${oneLine(line, 300)}`)),
    ...(left > 0 ? [dim(`    | … ${left} more lines (--json)`)] : []),
  ]
}

const optionLine = (question: Question, { id, label }: Question['options'][number], number: number): ShownLine => [
  `    ${number} `,
  // A coder's own options are called by their numbers.
  id === `${number}` ? '' : `${id}: `,
  dim(`${oneLine(label, 400)}${question.default === id ? ' (default)' : ''}`),
]

const numberedCommand = ({ id, options }: Question, delivery: string): string =>
  `ropewalk answer ${id} ${options.length === 0 ? '"…"' : '1'} -d ${delivery}`
