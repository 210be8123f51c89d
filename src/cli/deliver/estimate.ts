import type { EstimateAsked } from '../../desk/work/estimate.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Cli } from '../cli.ts'
import { exitCodes } from '../exit-code.ts'
import { readPlan, readRequirement, refuseBoth } from '../given.ts'
import { estimateLines } from '../show/lines/estimate-lines.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { interruptible } from './interrupt.ts'

export interface EstimateOptions {
  file?: string
  plan?: string
  quick?: boolean
  rate?: string
  save?: boolean
  target?: string
}

/** What a requirement is likely to take, before any of it is begun. */
export async function estimate(cli: Cli, [text]: string[], options: EstimateOptions): Promise<number> {
  const { rate, target } = options
  const asked = { by: await basisOf(cli, text, options), target, ratePerHour: rateOf(rate) }
  const answer = await interruptible((signal) => cli.desk.estimate({ ...asked, signal }))
  if (answer.status === 'interrupted') return exitCodes.operator
  if (answer.status === 'estimated') {
    const { view, saved } = answer
    cli.screen.show({ ...view, saved }, () => estimateLines(view, saved))
    return exitCodes.done
  }
  const { status: _, reason, questions, spentUsd, saved } = answer
  cli.screen.show({ plan: null, reason, questions, spentUsd, saved }, () => [
    `There is no plan to estimate: ${reason}`,
    ...questionLines(questions, saved),
    ...(saved === null && questions.length > 0
      ? ['Say it in the requirement, or add --save to answer the question later.']
      : []),
  ])
  return exitCodes.human
}

async function basisOf(
  { cwd }: Cli,
  text: string | undefined,
  { plan, quick, save, file }: EstimateOptions,
): Promise<EstimateAsked['by']> {
  refuseBoth({ '--plan': plan, 'a requirement': text ?? file })
  refuseBoth({ '--plan': plan, '--quick': quick, '--save': save })
  if (plan !== undefined) return { basis: 'plan', plan: await readPlan(cwd, plan) }
  const wanted = await readRequirement(cwd, { text, file })
  return quick === true ? { basis: 'words', wanted } : { basis: 'planner', wanted, save: save === true }
}

function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (text.trim() !== '' && Number.isFinite(rate) && rate >= 0) return rate
  throw new TerminalError(`--rate ${text} is not a price`, 'give the price of an hour as a number, such as --rate 120')
}
