import type { Question } from '../../delivery/question.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import { questionRules } from '../../delivery/questions/registry.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { acceptanceOf } from '../../delivery/story/course/acceptance.ts'
import { putQuestion, recordAnswer } from '../answer/ask.ts'
import { deadlineLines, evidenceLines } from '../show/delivery-lines.ts'
import { dim, type ShownLine } from '../show/line.ts'
import { acceptanceLines, planLines } from '../show/plan-lines.ts'
import type { Progress } from '../show/progress.ts'
import type { Cli } from '../verb.ts'

interface Answering {
  look(state: DeliveryState): void
  close(): Promise<void>
}

interface Put {
  question: string
  withdrawn: AbortController
  done: Promise<void>
}

/** Questions are put to the person at the terminal as they come up, one after the other. */
export function answering(
  cli: Cli,
  delivery: string,
  { progress, giveUp }: { progress: Progress; giveUp: () => void },
): Answering {
  const settled = new Set<string>()
  let current: Put | null = null
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
