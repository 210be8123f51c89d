import type { DeliveryState } from '../../delivery/state.ts'
import type { Decided, Wish } from '../../desk/intents.ts'
import { never } from '../../std/never.ts'
import { statusView } from '../../views/status.ts'
import { counted } from '../../views/step-text.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'

export const decidingOptions = {
  ...deliveryOption,
  '--resume': 'then continue the delivery here, unless another process drives it',
}
const oneWaiting = { '[question]': 'a question or a story; you can leave it out when only one waits' }
const reason = { '--because <reason>': 'required; it stays on record' }

export const approveVerb = verb(
  {
    says: 'say yes to the plan, or to a story that waits for your approval',
    takes: oneWaiting,
    options: decidingOptions,
  },
  async (cli, [question], options) => await decideWith(cli, options, { kind: 'approve', question }),
)

export const rejectVerb = verb(
  {
    says: 'say no, and why',
    takes: oneWaiting,
    options: decidingOptions,
    required: { '--because <reason>': 'required; whoever does the work again is told' },
  },
  async (cli, [question], { because, ...about }) => await decideWith(cli, about, { kind: 'reject', question, because }),
)

export const answerVerb = verb(
  {
    says: 'answer an open question',
    takes: {
      '<question>': 'its id, as `ropewalk inbox` shows it',
      '<option>': 'the number or the name of one of its options; free text if it has none',
      '[text]': 'more to say with it, in quotes',
    },
    options: decidingOptions,
  },
  async (cli, [question, option, text = ''], about) =>
    await decideWith(cli, about, { kind: 'answer', question: question!, option: option!, text }),
)

export const tellVerb = verb(
  {
    says: 'say something to the agent that works on a story, or to the next one',
    takes: { '<story>': '', '<text>': 'in quotes' },
    options: decidingOptions,
  },
  async (cli, [story, text], about) => await decideWith(cli, about, { kind: 'tell', story: story!, text: text! }),
)

export const waiveVerb = verb(
  {
    says: 'accept a finding of the inspection, the verifier or a reviewer as it is',
    takes: {
      '<story>': '',
      '<finding>': 'its fingerprint, or the beginning of it; `ropewalk why <story>` shows it',
    },
    options: decidingOptions,
    required: reason,
  },
  async (cli, [story, finding], { because, ...about }) =>
    await decideWith(cli, about, { kind: 'waive', story: story!, finding: finding!, because }),
)

export const retryVerb = verb(
  {
    says: 'give a story another set of attempts',
    takes: { '<story>': '' },
    options: { ...decidingOptions, '--advice <text>': 'the coder is told this' },
  },
  async (cli, [story], { advice = '', ...about }) =>
    await decideWith(cli, about, { kind: 'retry', story: story!, advice }),
)

export const skipVerb = verb(
  {
    says: 'leave a story out, and the stories that depend on it',
    takes: { '<story>': '' },
    options: decidingOptions,
    required: reason,
  },
  async (cli, [story], { because, ...about }) => await decideWith(cli, about, { kind: 'skip', story: story!, because }),
)

export const pauseVerb = verb(
  {
    says: 'start nothing more until the delivery is resumed',
    takes: deliveryArgument,
    options: { ...deliveryOption, '--now': 'also end what is running' },
  },
  async (cli, _, { delivery, now }) => await decideWith(cli, { delivery, resume: false }, { kind: 'pause', now }),
)

/** Whoever lands waits for it. */
export const landVerb = verb(
  {
    says: 'merge proven work to the target branch after it had to wait',
    takes: deliveryArgument,
    options: deliveryOption,
  },
  async (cli, _, { delivery }) => await decideWith(cli, { delivery, resume: true }, { kind: 'land' }),
)

/** Puts what a person decided on record, and says who acts on it. */
export async function decideWith(
  cli: Cli,
  options: { delivery: string | undefined; resume: boolean },
  wish: Wish,
): Promise<number> {
  const decided = await cli.desk.decide(options.delivery, wish)
  const { state, accepted, driver } = decided
  if (options.resume && driver === null) return await goOn(cli, state.id, wish)
  cli.screen.show({ accepted, driven: driver !== null, ...statusView(state, Date.now()) }, () => [
    saidOf(decided, wish),
    driver === null ? 'No process is driving it: continue with `ropewalk resume`.' : driverDoes(wish, driver.pid),
  ])
  return 0
}

/** Its driver may have ended it by now: what was stopped must not be opened again. */
async function goOn(cli: Cli, delivery: string, wish: Wish): Promise<number> {
  if (wish.kind === 'stop') return await (await import('../deliver/go.ts')).driveHere(cli, { delivery, stay: false })
  return await (await import('../deliver/resume.ts')).resumeHere(cli, delivery)
}

function driverDoes({ kind }: Wish, pid: number): string {
  if (kind === 'pause') return `Process ${pid} starts nothing more until \`ropewalk resume\`.`
  return kind === 'stop' ? `Process ${pid} is ending it.` : `Still running in process ${pid}.`
}

function saidOf({ state, intents }: Decided, wish: Wish): string {
  const [intent] = intents
  const question = intent?.type === 'AnswerQuestion' ? intent.question : ''
  switch (wish.kind) {
    case 'approve':
      return `Approved ${question}.`
    case 'reject':
      return `Rejected ${question}.`
    case 'answer':
      return `Answered ${wish.question}: ${intent?.type === 'AnswerQuestion' ? intent.option : wish.option}.`
    case 'tell':
      return toldText(state, wish.story)
    case 'waive':
      return `Waived ${intent?.type === 'WaiveFinding' ? intent.fingerprint : wish.finding} of ${wish.story}.`
    case 'retry':
      return `${wish.story} will be tried again.`
    case 'skip':
      return `${wish.story} is left out.`
    case 'pause':
      return wish.now ? 'Paused. What is running is being ended.' : 'Paused. What is running may finish.'
    case 'stop':
      return 'Stopping.'
    case 'land':
      return 'The landing may continue.'
    case 'plan':
      return intent?.type === 'GivePlan'
        ? 'The plan was replaced.'
        : `${counted(intents.length, 'story was', 'stories were')} amended.`
    default:
      return never(wish)
  }
}

function toldText(state: DeliveryState, story: string): string {
  const atWork = Object.values(state.running).find(({ step }) => step.verb === 'CodeStory' && step.story === story)
  if (atWork?.step.verb !== 'CodeStory') return `Told ${story}: its next turn begins with it.`
  return `Told ${story}: ${atWork.step.agent} is interrupted and continues with it at once.`
}
