import type { EstimateAsked } from '../../desk/work/estimate.ts'
import { TerminalError } from '../../ports/errors.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { EstimateView } from '../../views/estimate.ts'
import { counted, usdText } from '../../views/step-text.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { givenRequirement, readPlan, refuseBoth } from '../given.ts'
import { questionLines } from '../show/delivery-lines.ts'
import { bold, dim, type ShownLine, tableUnder, titled, yellow } from '../show/line.ts'
import { type Cli, type GivenOptions, verb } from '../verb.ts'

const options = {
  '-f, --file <path>': 'read the requirement from a file',
  '--plan <path>': 'estimate this plan, without a model',
  '--quick': 'estimate from the wording alone, without a model',
  '--rate <price>': 'what an hour of a person costs',
  '--save': 'keep the plan as a delivery that waits for your approval',
  '--target <branch>': 'the branch that the work would be merged to',
}
const words = {
  says: 'estimate what a requirement will take, before any work begins',
  takes: { '[requirement]': 'what you want, in quotes; - reads it from standard input' },
  options,
}

/** What a requirement is likely to take, before any of it is begun. */
export const estimateVerb = verb(words, async (cli, [text], given) => {
  const { rate, target } = given
  const asked = { by: await basisOf(cli, text, given), target, ratePerHour: rateOf(rate) }
  const answer = await interruptible(cli.screen, (signal) => cli.desk.estimate({ ...asked, signal }))
  if (answer.status === 'interrupted') return exitCodes.operator
  if (answer.status === 'estimated') {
    const { view, saved } = answer
    cli.screen.show({ ...view, saved }, () => estimateLines(view, saved))
    return exitCodes.done
  }
  const { status: _, ...unplanned } = answer
  const { reason, questions, saved } = unplanned
  const isOpen = saved === null && questions.length > 0
  cli.screen.show({ plan: null, ...unplanned }, () => [
    `There is no plan to estimate: ${reason}`,
    ...questionLines(questions, saved),
    ...(isOpen ? ['Say it in the requirement, or add --save to answer the question later.'] : []),
  ])
  return exitCodes.human
})

async function basisOf(
  { cwd }: Cli,
  text: string | undefined,
  { plan, quick, save, file }: GivenOptions<keyof typeof options>,
): Promise<EstimateAsked['by']> {
  refuseBoth({ '--plan': plan, 'a requirement': text ?? file })
  refuseBoth({ '--plan': plan, '--quick': quick, '--save': save })
  if (plan !== undefined) return { basis: 'plan', plan: await readPlan(cwd, plan) }
  const wanted = await givenRequirement(cwd, { text, file })
  return quick ? { basis: 'words', wanted } : { basis: 'planner', wanted, save }
}

function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (text.trim() !== '' && Number.isFinite(rate) && rate >= 0) return rate
  throw new TerminalError(`--rate ${text} is not a price`, 'give the price of an hour as a number, such as --rate 120')
}

/** What it is likely to take, and on what that stands. */
function estimateLines(view: EstimateView, saved: string | null): ShownLine[] {
  const { stories, roles, hours, price, unpriced, spentUsd } = view
  // No price at all is not a price of nothing.
  const isKnown = (usd: number): boolean => usd > 0 || unpriced === 0
  const cost = (usd: number): string => (isKnown(usd) ? usdText(usd) : 'not known')
  const paid = price === null ? '' : `, ${money(price)} at ${money(view.ratePerHour ?? 0)} an hour`
  const spent = isKnown(view.usd) ? `about ${usdText(view.usd)} for agents` : 'what agents cost is not known'
  const setAside = `${counted(unpriced, 'turn')} without a known price: what is set aside for a turn counts (reserveUsd)`
  const byRole = tableUnder(roles, (one) => [one.role, one.agent, counted(one.turns, 'turn'), cost(one.usd)])
  return [
    [bold(`${hoursText(hours)} of a person's work`), `${paid}; ${spent}`],
    dim(`  ${grounds[view.basis]}`),
    '',
    ...tableUnder(stories, (one) => [
      ...[bold(one.story), `complexity ${one.complexity}`, hoursText(one.hours)],
      ...(one.price === null ? [] : [money(one.price)]),
      ...[cost(one.usd), oneLine(one.title, 80)],
    ]),
    ...stories.flatMap(({ story, reasons }) =>
      reasons.length === 0 ? [] : [dim(`  ${story}: ${reasons.join(', ')}`)],
    ),
    ...titled('', byRole),
    ...(roles.length === 0 ? [yellow('No agent is configured, so nothing can be said about their cost.')] : []),
    ...(unpriced === 0 ? [] : [yellow(setAside)]),
    ...(spentUsd === 0 ? [] : [dim(`This estimate has cost ${usdText(spentUsd)}.`)]),
    saved === null
      ? dim('Nothing was started.')
      : `Saved as ${saved}: \`ropewalk approve -d ${saved} --resume\` starts it.`,
  ]
}

const grounds: Record<EstimateView['basis'], string> = {
  words: 'from the words of the requirement alone: a first guess, which a planner may overturn',
  plan: 'from the complexity of each story of the plan',
  planner: 'from the plan that a planner drafted',
}

const hoursText = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`)

/** In whatever currency the rate was. */
const money = (amount: number): string => (Number.isInteger(amount) ? `${amount}` : amount.toFixed(2))
