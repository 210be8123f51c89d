import type { DeliveryState } from '../../delivery/state.ts'
import type { Decided, Wish } from '../../desk/intents.ts'
import { statusView } from '../../views/status.ts'
import { counted } from '../../views/step-text.ts'
import { exitCodes } from '../ending.ts'
import { bold, table } from '../show/line.ts'
import { aStory, type Cli, deliveryArgument, deliveryOption, ofDelivery, verb } from '../verb.ts'

export const decidingOptions = {
  ...deliveryOption,
  '--resume': 'then continue the delivery here, unless another process drives it',
}
const oneWaiting = { '[question]': 'a question or a story; you can leave it out when only one waits' }
const reason = { '--because <reason>': 'required; it stays on record' }

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

const approving = {
  says: 'say yes to the plan, or to a story that waits for your approval',
  takes: oneWaiting,
  options: decidingOptions,
}
export const approveVerb = verb(approving, (cli, [question], about) =>
  decideWith(cli, about, { kind: 'approve', question }),
)

const rejecting = {
  says: 'say no, and why',
  takes: oneWaiting,
  options: decidingOptions,
  required: { '--because <reason>': 'required; whoever does the work again is told' },
}
export const rejectVerb = verb(rejecting, (cli, [question], { because, ...about }) =>
  decideWith(cli, about, { kind: 'reject', question, because }),
)

const answeringOne = {
  says: 'answer an open question',
  takes: {
    '<question>': 'its id, as `ropewalk inbox` shows it',
    '<option>': 'the number or the name of one of its options; free text if it has none',
    '[text]': 'more to say with it, in quotes',
  },
  options: decidingOptions,
}
export const answerVerb = verb(answeringOne, (cli, [question, option, text = ''], about) =>
  decideWith(cli, about, { kind: 'answer', question: question!, option: option!, text }),
)

const telling = {
  says: 'say something to the agent that works on a story, or to the next one',
  takes: { ...aStory, '<text>': 'in quotes' },
  options: decidingOptions,
}
export const tellVerb = verb(telling, (cli, [story, text], about) =>
  decideWith(cli, about, { kind: 'tell', story: story!, text: text! }),
)

const waiving = {
  says: 'accept a finding of the inspection, the verifier or a reviewer as it is',
  takes: { ...aStory, '<finding>': 'its fingerprint, or the beginning of it; `ropewalk why <story>` shows it' },
  options: decidingOptions,
  required: reason,
}
export const waiveVerb = verb(waiving, (cli, [story, finding], { because, ...about }) =>
  decideWith(cli, about, { kind: 'waive', story: story!, finding: finding!, because }),
)

const retrying = {
  says: 'give a story another set of attempts',
  takes: aStory,
  options: { ...decidingOptions, '--advice <text>': 'the coder is told this' },
}
export const retryVerb = verb(retrying, (cli, [story], { advice = '', ...about }) =>
  decideWith(cli, about, { kind: 'retry', story: story!, advice }),
)

const skipping = {
  says: 'leave a story out, and the stories that depend on it',
  takes: aStory,
  options: decidingOptions,
  required: reason,
}
export const skipVerb = verb(skipping, (cli, [story], { because, ...about }) =>
  decideWith(cli, about, { kind: 'skip', story: story!, because }),
)

const pausing = {
  says: 'start nothing more until the delivery is resumed',
  takes: deliveryArgument,
  options: { ...deliveryOption, '--now': 'also end what is running' },
}
export const pauseVerb = verb(pausing, (cli, _, { delivery, now }) =>
  decideWith(cli, { delivery, resume: false }, { kind: 'pause', now }),
)

const landing = { says: 'merge proven work to the target branch after it had to wait', ...ofDelivery }
/** Whoever lands waits for it. */
export const landVerb = verb(landing, (cli, _, { delivery }) =>
  decideWith(cli, { delivery, resume: true }, { kind: 'land' }),
)

const stopping = {
  says: 'end a delivery; what is merged stays, and unfinished work is kept',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--because <reason>': 'stays on record',
    '--now': 'end its processes at once, without waiting for its driver',
    '--all': 'end every open delivery of this machine at once',
  },
}
/** Ends a delivery before its time: by its driver, or here when it has none. What was merged stays, what was done is kept. */
export const stopVerb = verb(stopping, async (cli, _, options) => {
  const { delivery, because = 'stopped by the operator', now, all } = options
  if (all) return await stopAll(cli, because)
  const code = await decideWith(cli, { delivery, resume: true }, { kind: 'stop', because, now })
  return code === exitCodes.operator ? exitCodes.done : code
})

async function stopAll({ desk, screen }: Cli, because: string): Promise<number> {
  const stopped = await desk.stopAll(because)
  const rows = stopped.map(({ delivery, killed, said }) => [
    ...[bold(delivery), `${counted(killed, 'process', 'processes')} ended`, said],
  ])
  screen.show(stopped, () => (rows.length === 0 ? ['No delivery is open.'] : table(rows)))
  return exitCodes.done
}

/** Its driver may have ended it by now: what was stopped must not be opened again. */
async function goOn(cli: Cli, delivery: string, { kind }: Wish): Promise<number> {
  const { driveHere, resumeHere } = await import('../deliver/run.ts')
  return kind === 'stop' ? await driveHere(cli, { delivery, stay: false }) : await resumeHere(cli, delivery)
}

function driverDoes({ kind }: Wish, pid: number): string {
  if (kind === 'pause') return `Process ${pid} starts nothing more until \`ropewalk resume\`.`
  return kind === 'stop' ? `Process ${pid} is ending it.` : `Still running in process ${pid}.`
}

const saidOf = (decided: Decided, wish: Wish): string =>
  (said[wish.kind] as (wish: Wish, decided: Decided) => string)(wish, decided)

const said: { [Kind in Wish['kind']]: (wish: Extract<Wish, { kind: Kind }>, decided: Decided) => string } = {
  approve: (_, decided) => `Approved ${answered(decided)?.question ?? ''}.`,
  reject: (_, decided) => `Rejected ${answered(decided)?.question ?? ''}.`,
  answer: ({ question, option }, decided) => `Answered ${question}: ${answered(decided)?.option ?? option}.`,
  tell: ({ story }, { state }) => toldText(state, story),
  waive: ({ story, finding }, { intents: [intent] }) =>
    `Waived ${intent?.type === 'WaiveFinding' ? intent.fingerprint : finding} of ${story}.`,
  retry: ({ story }) => `${story} will be tried again.`,
  skip: ({ story }) => `${story} is left out.`,
  pause: ({ now }) => (now ? 'Paused. What is running is being ended.' : 'Paused. What is running may finish.'),
  stop: () => 'Stopping.',
  land: () => 'The landing may continue.',
  plan: (_, { intents }) =>
    intents[0]?.type === 'GivePlan'
      ? 'The plan was replaced.'
      : `${counted(intents.length, 'story was', 'stories were')} amended.`,
}

const answered = ({ intents: [intent] }: Decided) => (intent?.type === 'AnswerQuestion' ? intent : null)

function toldText(state: DeliveryState, story: string): string {
  const atWork = Object.values(state.running).find(({ step }) => step.verb === 'CodeStory' && step.story === story)
  if (atWork?.step.verb !== 'CodeStory') return `Told ${story}: its next turn begins with it.`
  return `Told ${story}: ${atWork.step.agent} is interrupted and continues with it at once.`
}
