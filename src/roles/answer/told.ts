import { fenced } from '../prompt/fence.ts'
import { type Section, section } from '../prompt/sections.ts'
import type { Contract } from './contract.ts'

/** The answer as it should look. */
export const exampleText = ({ example }: Contract<unknown>): string => fenced(JSON.stringify(example, null, 2), 'json')

/** Where the answer goes, what is to be said of its fields, and the example, with how it is introduced. */
export const answerSection = (
  contract: Contract<unknown>,
  { result, end = ':', fields = [] }: { result: string; end?: string; fields?: string[] },
): Section =>
  section('answer', 'How to answer', [
    [
      `Write JSON to the file named by ROPEWALK_RESULT (${result}); if you cannot write it, end your reply with the same JSON in one fenced block${end}`,
      ...fields,
      exampleText(contract),
    ].join('\n'),
  ])

/** The same for who must name a nonce: it keeps apart what is said and what is quoted, as nobody could know it before. */
export const nonceSection = (
  contract: Contract<unknown>,
  { nonce, result }: { nonce: string; result: string },
): Section =>
  answerSection(contract, {
    result,
    end: `. Its "nonce" is ${nonce}: what does not name it is taken for something you quote. For example, of another requirement:`,
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
