import { stringify } from 'yaml'
import * as z from 'zod'
import type { Question } from '../delivery/question.ts'
import { type Problem, readYaml, schemaProblems } from './problem.ts'
import { mapping, words } from './schema.ts'

/** An answer to one question, as a person wrote it. */
export interface GivenAnswer {
  delivery: string
  question: string
  /** Its number or its id; of a question without options the answer itself. */
  option: string
  text: string
}

/** Answers to several questions; those without an option were left open. */
export function parseAnswers(
  text: string,
  place: string,
): { ok: true; answers: GivenAnswer[] } | { ok: false; problems: Problem[] } {
  const read = readYaml(text, place)
  if (!read.ok) return read
  const parsed = answersFile.safeParse(read.source.value)
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error.issues, read.source) }
  const given = parsed.data.answers.filter(({ option }) => option !== null && option !== '')
  return { ok: true, answers: given.map((one) => ({ ...one, option: String(one.option), text: one.text ?? '' })) }
}

const answersFile = mapping({
  answers: z.array(
    mapping({
      delivery: words('the id of a delivery'),
      question: words('the id of a question'),
      option: z.union([z.string(), z.int()], { error: 'the number or the name of an option' }).nullable().default(null),
      text: z.string({ error: 'text' }).nullable().default(null),
    }),
    { error: 'a list of answers' },
  ),
})

/** A form to fill in: every question with what it says and its options as comments, and no answer. */
export function answersForm(questions: { delivery: string; question: Omit<Question, 'evidence'> }[]): string {
  if (questions.length === 0) return 'answers: []\n'
  return `answers:\n${questions.map(({ delivery, question }) => entry(delivery, question)).join('')}`
}

function entry(delivery: string, { id, text, options }: Omit<Question, 'evidence'>): string {
  const said = [text, ...options.map(optionText)]
  return [
    ...said.map((line) => `  # ${line.replace(/\s+/g, ' ').trim()}\n`),
    `  - delivery: ${scalar(delivery)}\n`,
    `    question: ${scalar(id)}\n`,
    '    option:\n',
    '    text:\n',
  ].join('')
}

/** A coder's own options are called by their numbers. */
const optionText = ({ id, label }: Question['options'][number], index: number): string =>
  id === `${index + 1}` ? `${id} ${label}` : `${index + 1} ${id}: ${label}`

const scalar = (text: string): string => stringify(text, { lineWidth: 0 }).trimEnd()
