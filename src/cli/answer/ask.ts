import type { Intent } from '../../delivery/intents.ts'
import type { Question } from '../../delivery/question.ts'
import { wordsFor } from '../../delivery/questions/registry.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { GivenAnswer } from '../../settings/answers-file.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { unknownColumns } from '../show/screen.ts'
import type { Cli } from '../verb.ts'

type Reply = Pick<Extract<Intent, { type: 'AnswerQuestion' }>, 'option' | 'text'>

/** Puts a question to the person at the terminal. Null: they would rather stop, or somebody else has answered. */
export async function putQuestion(question: Question, signal: AbortSignal): Promise<Reply | null> {
  const { select, text, isCancel } = await import('@clack/prompts')
  // A terminal that does not know its width says 0, and each character would get a line of its own.
  if (process.stdout.columns === 0) process.stdout.columns = unknownColumns
  const words = async (message: string, required: boolean): Promise<string | null> => {
    const validate = (given: string | undefined) => (required && !given?.trim() ? 'Please type an answer.' : undefined)
    const given = await text({ message, validate, signal })
    return isCancel(given) ? null : (given ?? '')
  }
  if (question.options.length === 0) {
    const answer = await words(plainText(question.text), true)
    return answer === null ? null : { option: answer, text: '' }
  }
  const options = question.options.map(({ id, label }, index) => ({
    value: id,
    label: `${index + 1}. ${oneLine(label, 100)}${question.default === id ? ' (default)' : ''}`,
  }))
  const option = await select({ message: plainText(question.text), options, signal })
  if (isCancel(option)) return null
  const wish = wordsFor(question.kind, option as string)
  const said = wish === null ? '' : await words(wish.prompt, wish.unsaid !== null)
  return said === null ? null : { option: option as string, text: said }
}

/** Whether the person at the terminal says yes; a no is the default. */
export async function agreed(message: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts')
  const given = await confirm({ message, initialValue: false })
  return !isCancel(given) && given
}

/** One key of the person at the terminal; they would rather stop: q. */
export async function nextKey(message: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((done) => lines.on('close', () => done('q')))
  const given = await Promise.race([lines.question(`${message} `), ended])
  lines.close()
  return given.trim().slice(0, 1).toLowerCase()
}

/** Whether somebody drives the delivery; null: the answer was refused, and the person was told why. */
export async function recordAnswer(
  { desk, screen }: Cli,
  { delivery, ...answer }: GivenAnswer,
  about: string,
): Promise<boolean | null> {
  try {
    const { driver } = await desk.decide(delivery, { kind: 'answer', ...answer })
    return driver !== null
  } catch (error) {
    // Settings that cannot be read are mended while the question stays.
    if (!(error instanceof TerminalError)) throw error
    screen.warn(`${about}${error.message}: ${error.remedy}`)
    return null
  }
}
