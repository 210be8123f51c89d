import type { Setting } from '../prompt/prompt.ts'
import { fenced, type Section, section } from '../prompt/sections.ts'
import type { RecordShape } from './shape.ts'

/** What a role must return. */
export interface Contract<Value> {
  /** `plan`, `verdict`. */
  name: string
  /** Higher whenever an answer that did would no longer do, or means something else. */
  version: number
  shape: RecordShape<Value>
  /** Keys by which an object is taken for an answer, besides those that it must have. */
  signs?: string[]
  /** As an agent would write it. An answer that only repeats it is none, so it tells of things that do not exist. */
  example: Record<string, unknown>
  /** A list without an object around it, whose elements have this key, is taken for this field. */
  bareList: { field: string; key: string } | null
  /** When another answer says otherwise: the last one holds, or none does. */
  rivals: 'last' | 'none'
  /** When the answer was cut off: the elements that are whole do, or nothing does. */
  cut: 'whole-elements' | 'nothing'
  /** What its fields say against each other. */
  contradictions(value: Value): string[]
  /** What should be in it and is not: asked for once, and done without where it does not come. */
  lacks?(value: Value): string[]
}

/** What a contract says where nobody says otherwise; and what its answers are is told by its shape. */
export const contractOf = <Value>(
  given: Pick<Contract<Value>, 'name' | 'version' | 'shape' | 'example'> & Partial<Contract<Value>>,
): Contract<Value> => ({ bareList: null, rivals: 'none', cut: 'nothing', contradictions: () => [], ...given })

/** What is read by a contract, or by one that is made for each question. */
export type AnswerTo<Given> =
  Given extends Contract<infer Value>
    ? Value
    : Given extends (...given: never[]) => Contract<infer Value>
      ? Value
      : never

/** Full: nothing to say about it. Partial: usable, and the problems say with what loss. Fallback: nothing usable. */
export type RoleAnswer<Value> =
  | { quality: 'full'; value: Value; problems: [] }
  | { quality: 'partial'; value: Value; problems: string[] }
  | { quality: 'fallback'; value: null; problems: string[] }

/** What a value is worth by the contract alone. */
export function fitting<Value>(contract: Contract<Value>, value: unknown): { value: Value | null; problems: string[] } {
  const problems: string[] = []
  const read = contract.shape.read(value, '', problems)
  if (problems.length === 0) problems.push(...contract.contradictions(read))
  return { value: problems.length === 0 ? read : null, problems: problems.slice(0, mostProblems) }
}

const mostProblems = 20

export const exampleText = ({ example }: Contract<unknown>): string => fenced(JSON.stringify(example, null, 2), 'json')

/** Where the answer goes, what is to be said of its fields, and the example, with how it is introduced. */
export const answerSection = (
  contract: Contract<unknown>,
  { result }: Pick<Setting, 'result'>,
  { end = ':', fields = [] }: { end?: string; fields?: string[] } = {},
): Section =>
  section('answer', 'How to answer', [
    [
      `Write JSON to the file named by ROPEWALK_RESULT (${result}); if you cannot write it, end your reply with the same JSON in one fenced block${end}`,
      ...fields,
      exampleText(contract),
    ].join('\n'),
  ])

/** The same for who must name a nonce: it keeps apart what is said and what is quoted, as nobody could know it before. */
export const nonceSection = (contract: Contract<unknown>, setting: Setting): Section =>
  answerSection(contract, setting, {
    end: `. Its "nonce" is ${setting.nonce}: what does not name it is taken for something you quote. For example, of another requirement:`,
  })

/** Why the answer before did not do; `again`: it is not the first that did not. */
export const problemsSection = (contract: Contract<unknown>, problems: string[], again = false): Section =>
  section(
    'problems',
    'Why the answer before did not do',
    problems.length === 0 ? [] : [(again ? scaffoldText : reworkText)(contract, problems)],
  )

/** What is said the first time an answer does not do. */
export function reworkText(contract: Contract<unknown>, problems: string[]): string {
  return [
    complaint(contract, problems),
    'Answer again, with the whole of it, as JSON of this form:',
    exampleText(contract),
  ].join('\n\n')
}

/** What is said to who has looked for as long as it may, and not answered. */
export const lastWordText = (contract: Contract<unknown>): string =>
  [
    `There is no more time to look for anything. Give your ${contract.name} now, with what you know; call no tool except to give it. What you could not find out, say so.`,
    'It is JSON of this form:',
    exampleText(contract),
  ].join('\n\n')

/** What is said when it does not do again: the empty shape, to be filled in. */
export function scaffoldText(contract: Contract<unknown>, problems: string[]): string {
  return [
    complaint(contract, problems),
    'Copy this, fill it in, and answer with nothing else. A list may be empty or have more elements.',
    fenced(JSON.stringify(contract.shape.blank, null, 2), 'json'),
    contract.shape
      .places('')
      .map((place) => `- ${place}`)
      .join('\n'),
  ].join('\n\n')
}

/** Problems quote what an agent wrote, so they are data. */
function complaint({ name, version }: Contract<unknown>, problems: string[]): string {
  const told = problems.slice(0, 20).map((problem) => `- ${problem.slice(0, 240)}`)
  return `The answer before was no ${name} that can be used (contract ${name} ${version}):\n\n${fenced(told.join('\n'), 'problems')}`
}
