import { oneLine } from '../../../std/text/plain-text.ts'
import type { EstimateView } from '../../../views/estimate/estimate.ts'
import { counted, usdText } from '../../../views/step-text.ts'
import type { Line, Span } from '../line.ts'
import { bold, dim, yellow } from '../line.ts'
import { table } from '../table.ts'

/** What it is likely to take, and on what that stands. */
export function estimateLines(view: EstimateView, saved: string | null): Line[] {
  const { stories, roles, hours, price, unpriced, spentUsd } = view
  const cost = (usd: number): string => (usd === 0 && unpriced > 0 ? 'not known' : usdText(usd))
  const paid = price === null ? '' : `, ${money(price)} at ${money(view.ratePerHour ?? 0)} an hour`
  return [
    [bold(`${hoursText(hours)} of a person's work`), `${paid}; ${agentsText(view)}`],
    dim(`  ${grounds[view.basis]}`),
    '',
    ...table(
      stories.map((one): Span[] => [
        bold(one.story),
        `complexity ${one.complexity}`,
        hoursText(one.hours),
        ...(one.price === null ? [] : [money(one.price)]),
        cost(one.usd),
        oneLine(one.title, 80),
      ]),
      '  ',
    ),
    ...stories.flatMap(({ story, reasons }) =>
      reasons.length === 0 ? [] : [dim(`  ${story}: ${reasons.join(', ')}`)],
    ),
    ...(roles.length === 0
      ? [yellow('No agent is configured, so nothing can be said about their cost.')]
      : [
          '',
          ...table(
            roles.map((one): Span[] => [one.role, one.agent, counted(one.turns, 'turn'), cost(one.usd)]),
            '  ',
          ),
        ]),
    ...(unpriced === 0
      ? []
      : [
          yellow(
            `${counted(unpriced, 'turn')} without a known price: what is set aside for a turn counts (reserveUsd)`,
          ),
        ]),
    ...(spentUsd === 0 ? [] : [dim(`This estimate has cost ${usdText(spentUsd)}.`)]),
    ...(saved === null
      ? [dim('Nothing was started.')]
      : [`Saved as ${saved}: \`ropewalk approve -d ${saved} --resume\` starts it.`]),
  ]
}

const grounds: Record<EstimateView['basis'], string> = {
  words: 'by the words of the requirement alone: a first guess, which a planner may turn over',
  plan: 'by the complexity of each story of the plan',
  planner: 'by the plan that a planner has drafted',
}

/** No price at all is not a price of nothing. */
const agentsText = ({ usd, unpriced }: EstimateView): string =>
  usd === 0 && unpriced > 0 ? 'what agents cost is not known' : `about ${usdText(usd)} for agents`

const hoursText = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`)

/** In whatever currency the rate was. */
const money = (amount: number): string => (Number.isInteger(amount) ? `${amount}` : amount.toFixed(2))
