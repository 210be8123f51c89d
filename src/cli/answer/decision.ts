import type { DeliveryState } from '../../delivery/state.ts'
import type { Decided, Wish } from '../../desk/intents.ts'
import { never } from '../../std/never.ts'
import { statusView } from '../../views/status.ts'
import { counted } from '../../views/step-text.ts'
import { type Cli, type CliVerb, type DeliveryOption, nameIn } from '../cli.ts'

export interface DecidingOptions extends DeliveryOption {
  /** Continue here when nobody else does. */
  resume?: boolean
}

/** A verb that puts what a person decided on record, and says who acts on it. */
export const decision =
  <Own = unknown>(wishOf: (given: string[], options: Own) => Wish): CliVerb<Own & DecidingOptions> =>
  async (cli, given, options) =>
    await decideWith(cli, options, wishOf(given, options))

/** For a verb about a delivery as a whole, whose id may follow it. */
export const courseDecision =
  <Own = unknown>(wishOf: (options: Own) => Wish): CliVerb<Own & DecidingOptions> =>
  async (cli, given, options) => {
    const delivery = nameIn(given, options)
    return await decideWith(cli, { ...options, ...(delivery === undefined ? {} : { delivery }) }, wishOf(options))
  }

export async function decideWith(cli: Cli, options: DecidingOptions, wish: Wish): Promise<number> {
  const decided = await cli.desk.decide(options.delivery, wish)
  const { state, accepted, driver } = decided
  // Whoever lands waits for it; of other decisions one can say whether to wait.
  const continues = options.resume === true || wish.kind === 'land'
  if (continues && driver === null) return await goOn(cli, state.id, wish)
  cli.screen.show({ accepted, driven: driver !== null, ...statusView(state, Date.now()) }, () => [
    saidOf(decided, wish),
    driver === null ? 'No process is driving it: continue with `ropewalk resume`.' : driverDoes(wish, driver.pid),
  ])
  return 0
}

/** Its driver may have ended it by now: what was stopped must not be opened again. */
async function goOn(cli: Cli, delivery: string, wish: Wish): Promise<number> {
  if (wish.kind === 'stop') return await (await import('../deliver/go.ts')).driveHere(cli, { delivery, stay: false })
  return await (await import('../deliver/resume.ts')).resumeVerb(cli, [delivery], {})
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
