import { fenced } from '../prompt/fence.ts'
import type { Contract } from './contract.ts'

/** The answer as it should look. */
export const exampleText = ({ example }: Contract<unknown>): string => fenced(JSON.stringify(example, null, 2), 'json')

/** How who must name a nonce is to answer. */
export const answerText = (contract: Contract<unknown>, { nonce, result }: { nonce: string; result: string }): string =>
  [
    `Write JSON to the file named by ROPEWALK_RESULT (${result}); if you cannot write it, end your reply with the same JSON in one fenced block. Its "nonce" is ${nonce}: what does not name it is taken for something you quote. For example, of another requirement:`,
    exampleText(contract),
  ].join('\n')

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
