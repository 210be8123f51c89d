import type { Intent } from '../../delivery/intents.ts'
import type { Question } from '../../delivery/questions/question.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { unknownColumns } from './screen.ts'

export type Reply = Pick<Extract<Intent, { type: 'AnswerQuestion' }>, 'option' | 'text'>

/** Puts a question to the person at the terminal. Null: they would rather stop, or somebody else has answered. */
export async function ask(question: Question, signal: AbortSignal): Promise<Reply | null> {
  const { select, text, isCancel } = await import('@clack/prompts')
  // A terminal that does not know its width says 0, and each character would get a line of its own.
  if (process.stdout.columns === 0) process.stdout.columns = unknownColumns
  const words = async (message: string, required: boolean): Promise<string | null> => {
    const validate = (given: string | undefined) => (required && !given?.trim() ? 'Please say a word.' : undefined)
    const given = await text({ message, validate, signal })
    return isCancel(given) ? null : (given ?? '')
  }
  if (question.options.length === 0) {
    const answer = await words(plainText(question.text), true)
    return answer === null ? null : { option: answer, text: '' }
  }
  const options = question.options.map(({ id, label }, index) => ({
    value: id,
    label: `${index + 1}. ${oneLine(label, 100)}`,
  }))
  const option = await select({ message: plainText(question.text), options, signal })
  if (isCancel(option)) return null
  const wish = wishes[option as string]
  const said = wish === undefined ? '' : await words(wish, option === 'reject')
  return said === null ? null : { option: option as string, text: said }
}

/** Options that go better with a reason. */
const wishes: Record<string, string | undefined> = {
  reject: 'Why? It goes to whoever does it again.',
  retry: 'Any advice? (may be empty)',
}
