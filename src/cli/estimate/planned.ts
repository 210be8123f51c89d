import type { Plan } from '../../delivery/plan/plan.ts'
import type { Policy } from '../../delivery/policy.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyOf } from '../../delivery/state.ts'
import { drive } from '../../engine/drive.ts'
import { submit } from '../../engine/submit.ts'
import { TerminalError } from '../../ports/errors.ts'
import { policyHash } from '../../settings/policy.ts'
import { ledgerId } from '../choose-delivery.ts'
import { onInterrupt } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { freshDeliveryId } from '../prepare/delivery-id.ts'
import { requestOnce } from '../prepare/duplicate.ts'
import { requireHome } from '../prepare/home.ts'
import { endAbandonedLedgers, endLedger } from '../prepare/ledger.ts'
import { preflight } from '../prepare/preflight.ts'
import { requirementFrom } from '../prepare/requirement.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { meanwhile } from '../show/meanwhile.ts'
import type { Cli } from '../world.ts'

export interface Planned {
  /** Null: there is none, and it was said why. */
  plan: Plan | null
  policy: Policy
  spentUsd: number
  /** The delivery that waits for a yes to it; null: it was only estimated. */
  saved: string | null
  code: number
}

interface Wanted {
  save?: boolean
  target?: string
}

/**
 * A planner drafts the plan, as at the beginning of a delivery. Unless it is to be saved, that ends here: what it cost
 * stays in the ledger, under a name that no delivery has.
 */
export async function planFor(
  cli: Cli,
  requirement: { text: string; source: string },
  wanted: Wanted,
): Promise<Planned> {
  requireHome(cli.world.home)
  await endAbandonedLedgers(cli)
  const flags = { gates: 'plan', ...(wanted.target === undefined ? {} : { target: wanted.target }) }
  const prepared = await preflight(cli, flags, cli.world.home)
  const { user } = cli.world
  const fresh = freshDeliveryId(requirement.text)
  const delivery = wanted.save === true ? fresh : ledgerId('estimate', fresh)
  const { repository, base, policy } = prepared
  const intent = {
    ...({
      type: 'RequestDelivery',
      requirement: requirementFrom(requirement, user),
      repository,
      base,
      policy,
    } as const),
    ...{ target: policy.target, policyHash: policyHash(policy), plan: null, review: null },
  }
  const request = async () => {
    const submitted = await submit(await cli.world.intake(), { delivery, intent, actor: user })
    if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
    return delivery
  }
  const again = wanted.save !== true
  await requestOnce(cli, { repository: repository.id, text: requirement.text, again }, request)
  const { state, interrupted } = await driven(cli, delivery)
  if (wanted.save !== true) await putAway(cli, state)
  return plannedIn(cli, state, { saved: wanted.save === true ? delivery : null, interrupted })
}

async function driven(cli: Cli, delivery: string): Promise<{ state: DeliveryState; interrupted: boolean }> {
  const interrupt = onInterrupt({ first: () => {}, again: () => {} })
  const engine = await cli.world.engine(() => {})
  const drove = await meanwhile(
    cli.screen,
    'Reading the requirement and drafting a plan …',
    drive(engine, { delivery, signal: interrupt.signal, stay: false }),
  ).finally(() => interrupt.close())
  return { state: stateOf(drove), interrupted: drove.status === 'interrupted' }
}

type Drove = Awaited<ReturnType<typeof drive>>

function stateOf(drove: Drove): DeliveryState {
  if ('state' in drove) return drove.state
  throw new TerminalError('another process has taken it over', 'look at it with `ropewalk status`')
}

/** Ends it: nothing waits for an answer any more. */
async function putAway(cli: Cli, { id, mode }: DeliveryState): Promise<void> {
  if (mode.status === 'ended') return
  await endLedger(cli, id, 'it was only estimated')
}

function plannedIn(
  { screen }: Cli,
  state: DeliveryState,
  { saved, interrupted }: { saved: string | null; interrupted: boolean },
): Planned {
  const { plan } = state.plan
  const spentUsd = state.money.usd
  const policy = policyOf(state)
  if (plan !== null) return { plan, policy, spentUsd, saved, code: exitCodes.done }
  if (interrupted) return { plan, policy, spentUsd, saved, code: exitCodes.operator }
  const reason =
    state.mode.status === 'ended' ? state.mode.reason : (state.trouble?.message ?? 'it has to be settled what is meant')
  const questions = openQuestions(state)
  if (screen.json) screen.emit({ plan: null, reason, questions, spentUsd, saved })
  else
    screen.print(
      `There is no plan to estimate: ${reason}`,
      ...questionLines(questions, saved),
      ...(saved === null && questions.length > 0
        ? ['Say it in the requirement, or keep it open to answer: --save']
        : []),
    )
  return { plan, policy, spentUsd, saved, code: exitCodes.human }
}
