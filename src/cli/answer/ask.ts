import type { Intent } from '../../delivery/intents.ts'
import type { Question } from '../../delivery/question.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import { questionRules, wordsFor } from '../../delivery/questions/registry.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { acceptanceOf } from '../../delivery/story/course/acceptance.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { GivenAnswer } from '../../settings/answers-file.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { deadlineLines, evidenceLines } from '../show/delivery-lines.ts'
import { dim, type ShownLine } from '../show/line.ts'
import { acceptanceLines, planLines } from '../show/plan-lines.ts'
import type { Progress } from '../show/progress.ts'
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

/** Questions are put to the person at the terminal as they come up, one after the other. */
export function answering(
  cli: Cli,
  delivery: string,
  { progress, giveUp }: { progress: Progress; giveUp: () => void },
) {
  const settled = new Set<string>()
  let current: { question: string; withdrawn: AbortController; done: Promise<void> } | null = null
  let closed = false
  const look = (state: DeliveryState): void => {
    const open = openQuestions(state).filter((one) => !settled.has(one.id))
    // Somebody else was faster, or it has become pointless.
    if (current !== null && !open.some((one) => one.id === current?.question)) current.withdrawn.abort()
    const [question] = open
    if (closed || current !== null || question === undefined) return
    const withdrawn = new AbortController()
    const done = put(question, state, withdrawn.signal).then(() => {
      current = null
      progress.goOn()
      look(state)
    })
    current = { question: question.id, withdrawn, done }
  }
  const put = async (question: Question, state: DeliveryState, withdrawn: AbortSignal): Promise<void> => {
    progress.hold(questionRules[question.kind].shows === 'plan' ? 'goes' : 'stays')
    cli.screen.print(...aboutLines(state, question), ...evidenceLines(question.evidence), ...deadlineLines(question))
    const reply = await putQuestion(question, withdrawn)
    settled.add(question.id)
    if (reply !== null) {
      // What is refused, such as a number that nothing has, is asked again.
      if ((await recordAnswer(cli, { delivery, question: question.id, ...reply }, '')) === null)
        settled.delete(question.id)
      return
    }
    if (withdrawn.aborted) return
    closed = true
    giveUp()
  }
  return {
    look,
    async close() {
      closed = true
      current?.withdrawn.abort()
      await current?.done
    },
  }
}

/** What the person needs to see before they answer. */
function aboutLines(state: DeliveryState, { kind, story }: Question): ShownLine[] {
  if (kind === 'plan-gate' && state.plan.plan !== null)
    return [...acceptanceLines(acceptanceOf(state)?.spec ?? null), ...planLines(state.plan.plan)]
  if (story === null) return []
  const { judged = null, control } = state.stories[story] ?? {}
  const looks = (judged === null ? ['why'] : ['why', 'diff']).map((verb) => `ropewalk ${verb} ${story}`)
  // On a line of its own it can be copied, however narrow the terminal is.
  const there = control?.status === 'taken-over' ? [`cd ${control.path}`] : []
  return [dim(`In another terminal: ${looks.join(', ')}`), ...there]
}
