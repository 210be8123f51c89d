import type { Plan } from '../../delivery/plan/plan.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { Question } from '../../delivery/question.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import { type DeliveryState, policyOf } from '../../delivery/state.ts'
import { drive } from '../../engine/drive.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Prices } from '../../ports/prices.ts'
import { toPolicy } from '../../settings/policy.ts'
import {
  type EstimateView,
  type ExpectedTurn,
  estimateView,
  expectedTurns,
  type PricedTurn,
  quickPlan,
} from '../../views/estimate.ts'
import { ledgerId } from '../choose-delivery.ts'
import { preflight } from '../prepare/preflight.ts'
import {
  endAbandonedLedgers,
  endLedger,
  freshDeliveryId,
  refuseWhatIsNone,
  requestOnce,
  type WantedText,
} from '../prepare/request.ts'
import { factsHere, readEverything, requireHome } from '../prepare/settings-layers.ts'
import { meanwhile, type Visit } from '../world.ts'

export interface EstimateAsked {
  /** `words`: the requirement alone, without a model. `planner`: a planner drafts the plan; `save` keeps it. */
  by:
    | { basis: 'words'; wanted: WantedText }
    | { basis: 'plan'; plan: Plan }
    | { basis: 'planner'; wanted: WantedText; save: boolean }
  target: string | undefined
  ratePerHour: number | null
  signal: AbortSignal
}

/** `saved`: the delivery that waits for a yes to its plan. */
type EstimateAnswer =
  | { status: 'estimated'; view: EstimateView; saved: string | null }
  | { status: 'unplanned'; reason: string; questions: Question[]; spentUsd: number; saved: string | null }
  | { status: 'interrupted' }

/** What a requirement is likely to take, before any of it is begun. */
export async function estimate(visit: Visit, asked: EstimateAsked): Promise<EstimateAnswer> {
  const { by, target, ratePerHour, signal } = asked
  // What `run` would not begin has no price either.
  if (by.basis !== 'plan') refuseWhatIsNone(by.wanted.text)
  if (by.basis === 'planner') return await byPlanner(visit, { ...by, target, ratePerHour, signal })
  const { layered } = await readEverything(visit, { target }, visit.world.home)
  // As the settings say it, without trying the agents: nobody is going to work.
  const policy = toPolicy(layered.settings, factsHere(layered.target, true))
  const { plan, reasons } = by.basis === 'words' ? quickPlan(by.wanted.text) : { plan: by.plan, reasons: {} }
  const view = await viewOf(visit, { basis: by.basis, plan, reasons, policy, ratePerHour, spentUsd: 0 })
  return { status: 'estimated', view, saved: null }
}

interface Basis extends Pick<EstimateView, 'basis' | 'ratePerHour' | 'spentUsd'> {
  plan: Plan
  reasons: Record<string, string[]>
  policy: Policy
}

async function viewOf({ world }: Visit, { policy, ...given }: Basis): Promise<EstimateView> {
  const expected = expectedTurns(policy, given.plan, { drafted: given.basis !== 'words' })
  return estimateView({ ...given, turns: await priced(await world.prices(), policy, expected) })
}

/** By the price list; where it knows nothing, what is set aside for a turn stands for it. */
async function priced(prices: Prices, { agents }: Policy, turns: ExpectedTurn[]): Promise<PricedTurn[]> {
  const at = Date.now()
  return await Promise.all(
    turns.map(async (turn) => {
      const { model, usage } = turn
      const policy = agents[turn.agent]
      if (policy?.free) return { ...turn, usd: 0, priced: true }
      const usd = model === null ? null : await prices.usd({ model, usage, at })
      return { ...turn, usd: usd ?? policy?.reserveUsd ?? 0, priced: usd !== null }
    }),
  )
}

/**
 * A planner drafts the plan, as at the beginning of a delivery. Unless it is to be saved, that ends here: what it cost
 * stays in the ledger, under a name that no delivery has.
 */
async function byPlanner(
  visit: Visit,
  { wanted, save, target, ratePerHour, signal }: Omit<EstimateAsked, 'by'> & { wanted: WantedText; save: boolean },
): Promise<EstimateAnswer> {
  requireHome(visit.world.home)
  await endAbandonedLedgers(visit)
  const { repository, base, policy } = await preflight(visit, { gates: 'plan', target }, visit.world.home)
  const fresh = freshDeliveryId(wanted.text)
  const about = { delivery: save ? fresh : ledgerId('estimate', fresh), wanted, repository, base, policy }
  const delivery = await requestOnce(visit, { ...about, plan: null, review: null }, !save)
  const { state, interrupted } = await drafted(visit, delivery, signal)
  if (!save && state.mode.status !== 'ended') await endLedger(visit, delivery, 'it was only estimated')
  const saved = save ? delivery : null
  const { plan } = state.plan
  const spentUsd = state.money.usd
  if (plan === null) return interrupted ? { status: 'interrupted' } : unplanned(state, saved)
  const given = { basis: 'planner' as const, plan, reasons: {}, policy: policyOf(state), ratePerHour, spentUsd }
  return { status: 'estimated', view: await viewOf(visit, given), saved }
}

async function drafted(visit: Visit, delivery: string, signal: AbortSignal) {
  const engine = await visit.world.engine(() => {})
  const drove = await meanwhile(
    visit,
    'Reading the requirement and drafting a plan …',
    drive(engine, { delivery, signal, stay: false }),
  )
  if ('state' in drove) return { state: drove.state, interrupted: drove.status === 'interrupted' }
  throw new TerminalError('another process has taken it over', 'look at it with `ropewalk status`')
}

function unplanned(state: DeliveryState, saved: string | null): EstimateAnswer {
  const { mode, trouble, money } = state
  const reason =
    mode.status === 'ended' ? mode.reason : (trouble?.message ?? 'first it has to be settled what is meant')
  return { status: 'unplanned', reason, questions: openQuestions(state), spentUsd: money.usd, saved }
}
