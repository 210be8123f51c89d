import type { Plan } from '../../delivery/plan/plan.ts'
import { type DeliveryState, storiesOf } from '../../delivery/state.ts'
import { acceptanceOf } from '../../delivery/story/course/acceptance.ts'
import { load } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { DeliveryRow, EventLog } from '../../ports/event-log.ts'
import type { ToldPrompt } from '../../ports/prompts.ts'
import { type CostView, costView } from '../../views/cost.ts'
import { inboxOf } from '../../views/inbox.ts'
import { statusView, waitsOf } from '../../views/status.ts'
import { deliveryWord } from '../../views/summary.ts'
import { chosen, driverOf, newestFirst, refuseLost, withoutLedgers } from '../choose-delivery.ts'
import { leavingOf } from '../gc/keep.ts'
import type { Visit } from '../world.ts'
import { requireStory } from './story.ts'

/** Where a delivery is, and who drives it. */
export async function status(visit: Visit, name: string | undefined) {
  const { log, state } = await chosen(visit, name)
  const at = Date.now()
  const driver = await driverOf(log, state.id, at)
  // Without a driver nobody is at work, whatever was left behind.
  const told = driver === null ? [] : (await visit.world.pulses()).of(state.id)
  const pulses = told.filter(({ step }) => state.running[step] !== undefined)
  return { view: statusView(state, at), driver, pulses, leaving: await leavingOf(visit) }
}

/** Every delivery of this machine, the newest first. */
export async function listDeliveries({ world }: Visit): Promise<(DeliveryRow & { word: string })[]> {
  const log = await world.log()
  const rows = newestFirst(withoutLedgers(await log.deliveries(null)))
  await refuseLost({ world }, log)
  const listed = []
  for (const row of rows) listed.push({ ...row, word: await wordOf(log, row) })
  return listed
}

const wordOf = async (log: EventLog, { delivery, result }: DeliveryRow): Promise<string> =>
  result ?? deliveryWord(await load(log, delivery), Date.now())

/** What was spent, on what, by whom. */
export const cost = async (visit: Visit, name: string | undefined): Promise<CostView> =>
  costView((await chosen(visit, name)).state)

/** The plan as it stands, with what was amended since. */
export async function plan(visit: Visit, name: string | undefined) {
  const { state } = await chosen(visit, name)
  if (state.plan.plan === null) throw noPlan(state)
  const { control, revision } = state.plan
  const acceptance = acceptanceOf(state)?.spec
  return {
    ...{ delivery: state.id, revision, status: control.status },
    /** The story whose tests are written before all others; null: there is none. */
    acceptance: acceptance === undefined ? null : { id: acceptance.id, title: acceptance.title },
    /** Which stories wait for others that declare the same files. */
    sameFiles: storiesOf(state).flatMap(({ spec, after }) => (after.length === 0 ? [] : [{ story: spec.id, after }])),
    plan: currentPlan(state),
  }
}

function noPlan({ plan: { control } }: DeliveryState): TerminalError {
  if (control.status === 'faulted')
    return new TerminalError(
      `the planner gave no valid plan: ${control.problems.join('; ')}`,
      'give one yourself: ropewalk plan --set plan.yaml --resume',
    )
  return new TerminalError('there is no plan yet', '`ropewalk status` shows what is happening')
}

/** Its keys in the order in which people write them. */
const currentPlan = (state: DeliveryState): Plan => ({
  outline: state.plan.plan?.outline ?? null,
  stories: storiesOf(state)
    .filter(({ kind, control }) => kind === 'story' && control.status !== 'split')
    .map(({ spec }) => {
      const { id, title, description, criteria, dependsOn, complexity, files, mayChange, mayBeEmpty, ...rest } = spec
      const { contextFiles, risks, strategy, noTestsBecause, tests, proofs } = rest
      const what = { id, title, description, criteria, dependsOn, complexity, files, mayChange, mayBeEmpty }
      return { ...what, contextFiles, risks, strategy, noTestsBecause, tests, proofs }
    }),
})

/** What a role is told, word for word, and why each part of it is there. */
export async function prompt(
  visit: Visit,
  name: string | undefined,
  { wanted, story }: { wanted: string; story: string | undefined },
): Promise<ToldPrompt & { delivery: string }> {
  const { state } = await chosen(visit, name)
  if (story !== undefined) requireStory(state, story)
  const at = Date.now()
  const moment = { at, day: new Date(at).toISOString().slice(0, 10), open: true, changesAt: null }
  const prompts = await visit.world.prompts()
  return { delivery: state.id, ...(await prompts.look({ state, moment, wanted, story: story ?? null })) }
}

/** Every question of every delivery that waits for a human, and what waits for something else. */
export async function inbox({ world }: Visit) {
  const log = await world.log()
  await refuseLost({ world }, log)
  const open = newestFirst(withoutLedgers(await log.deliveries(null))).filter(({ result }) => result === null)
  const states = []
  for (const { delivery } of open) states.push(await load(log, delivery))
  const at = Date.now()
  return {
    items: states.flatMap(inboxOf),
    waits: states.map((state) => ({ delivery: state.id, waits: waitsOf(state, at) })),
  }
}
