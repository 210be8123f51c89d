import { resolve } from 'node:path'
import type { Plan } from '../../delivery/plan/plan.ts'
import type { Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import { toPolicy } from '../../settings/policy.ts'
import { type EstimateView, estimateView } from '../../views/estimate/estimate.ts'
import { quickPlan } from '../../views/estimate/quick-plan.ts'
import { expectedTurns } from '../../views/estimate/turns.ts'
import { factsHere } from '../prepare/facts.ts'
import { readEverything, readPlan } from '../prepare/preflight.ts'
import { readRequirement, refuseWhatIsNone } from '../prepare/requirement.ts'
import type { Cli } from '../world.ts'
import { estimateLines } from './estimate-lines.ts'
import { type Planned, planFor } from './planned.ts'
import { priced } from './priced.ts'

export interface EstimateOptions {
  file?: string
  plan?: string
  quick?: boolean
  rate?: string
  save?: boolean
  target?: string
}

/** What a requirement is likely to take, before any of it is begun. */
export async function estimate(cli: Cli, text: string | undefined, options: EstimateOptions): Promise<number> {
  const ratePerHour = rateOf(options.rate)
  refuseBoth(text, options)
  if (options.quick !== true && options.plan === undefined) {
    const planned = await planFor(cli, await wanted(cli, text, options), options)
    if (planned.plan === null) return planned.code
    const { plan, policy, spentUsd } = planned
    show(cli, await viewOf(cli, { basis: 'planner', plan, reasons: {}, policy, ratePerHour, spentUsd }), planned)
    return planned.code
  }
  const policy = await unstaffedPolicy(cli, options)
  const { plan, reasons } =
    options.plan === undefined
      ? quickPlan((await wanted(cli, text, options)).text)
      : { plan: await readPlan(resolve(cli.cwd, options.plan)), reasons: {} }
  const basis = options.plan === undefined ? 'words' : 'plan'
  show(cli, await viewOf(cli, { basis, plan, reasons, policy, ratePerHour, spentUsd: 0 }), null)
  return 0
}

/** What `run` would not begin has no price either. */
async function wanted(cli: Cli, text: string | undefined, { file }: EstimateOptions) {
  const requirement = await readRequirement(cli.cwd, { text, file })
  refuseWhatIsNone(requirement.text)
  return requirement
}

function refuseBoth(text: string | undefined, { plan, quick, save, file }: EstimateOptions): void {
  if (plan !== undefined && (text !== undefined || file !== undefined))
    throw new TerminalError(
      'a plan and a requirement were both given',
      'give one of them: a plan has its stories already',
    )
  if (plan !== undefined && quick === true)
    throw new TerminalError(
      '--quick is for a requirement without a plan',
      'leave it out: no model is asked about a plan',
    )
  if (save === true && (plan !== undefined || quick === true))
    throw new TerminalError(
      'there is nothing to save without a planner',
      'leave out --quick and --plan, or run it: ropewalk run --plan',
    )
}

function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (text.trim() !== '' && Number.isFinite(rate) && rate >= 0) return rate
  throw new TerminalError(`--rate: ${text} is no price of an hour`, 'give a number, such as --rate 120')
}

/** As the settings say it, without trying the agents: nobody is going to work. */
async function unstaffedPolicy(cli: Cli, { target }: EstimateOptions): Promise<Policy> {
  const { layered } = await readEverything(cli, target === undefined ? {} : { target }, cli.world.home)
  return toPolicy(layered.settings, factsHere(layered.target, true))
}

interface Basis extends Pick<EstimateView, 'basis' | 'ratePerHour' | 'spentUsd'> {
  plan: Plan
  reasons: Record<string, string[]>
  policy: Policy
}

async function viewOf(cli: Cli, { policy, ...given }: Basis): Promise<EstimateView> {
  const expected = expectedTurns(policy, given.plan, { drafted: given.basis !== 'words' })
  const turns = await priced(await cli.world.prices(), policy, expected)
  return estimateView({ ...given, turns })
}

function show({ screen }: Cli, view: EstimateView, planned: Planned | null): void {
  const saved = planned?.saved ?? null
  if (screen.json) screen.emit({ ...view, saved })
  else screen.print(...estimateLines(view, saved))
}
