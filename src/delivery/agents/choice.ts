import type { Instant } from '../ids.ts'
import type { Seat } from '../intent/interpretation.ts'
import { isIntentSettled } from '../intent/meaning.ts'
import { checkersOf, readersOf, triersOf } from '../intent/readers.ts'
import { judgeOfStory } from '../judging/judging.ts'
import type { Moment } from '../moment.ts'
import { nearCeiling } from '../money/money.ts'
import type { Vantage } from '../review/review.ts'
import type { Reviewer } from '../review/seats.ts'
import { inOrderFor, openSeats } from '../review/seats.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import type { Who } from '../step.ts'
import { chainOf, modelsOf, type Rung } from '../story/ladder.ts'
import type { StoryState } from '../story/story.ts'
import { absenceOf, barOf, barText, givesWay } from './absence.ts'

/** Why it is this one and not the one that the ladder names; empty when it is that one. */
type Chosen<W extends Who> = W & { because: string }

/** Who takes the story's next turn. Null when nobody is left until a human has seen to it. */
export const coderOf = (state: DeliveryState, story: StoryState, moment: Moment): Chosen<Rung> | null =>
  choose(state, codersOf(state, story, moment.day), moment.at)

export const plannerOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, plannersOf(state), at)

export const verifierOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, verifiersOf(state), at)

/** Who says what the requirement means, from this seat. */
export const readerOf = (state: DeliveryState, seat: Seat, { at }: Moment): Chosen<Who> | null =>
  choose(state, named(state, readersOf(state.intent, policyOf(state), seat)), at)

/** Who looks into the assumptions of this seat's reading. */
export const checkerOf = (state: DeliveryState, seat: Seat, { at }: Moment): Chosen<Who> | null =>
  choose(state, named(state, checkersOf(state.intent, policyOf(state), seat)), at)

/** Who holds the examples of others against this seat's reading. */
export const trierOf = (state: DeliveryState, seat: Seat, { at }: Moment): Chosen<Who> | null =>
  choose(state, named(state, triersOf(state.intent, policyOf(state), seat)), at)

export const reviewerOf = (
  state: DeliveryState,
  story: StoryState,
  { vantage, moment }: { vantage: Vantage; moment: Moment },
): Chosen<Who> | null => choose(state, reviewersOf(state, story, vantage), moment.at)

export const triagerOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, triagersOf(state), at)

export const reproducerOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, reproducersOf(state), at)

/** All that may take the story's next turn, the ladder's own choice first; cheaper ones when a ceiling is near. */
export function codersOf(state: DeliveryState, story: StoryState, day: string): Chosen<Rung>[] {
  const near = nearCeiling(state.money, policyOf(state).ceilings, { story: story.spec.id, day })
  return withSpare(state, chainOf(policyOf(state), story)).map((rung) => cheapened(state, rung, near))
}

/** A plan is short, and everything hangs on it: the best model that each agent has. */
export function plannersOf(state: DeliveryState): Chosen<Who>[] {
  return bestOf(state, policyOf(state).roles.planner)
}

export const auditorOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, auditorsOf(state), at)

/** Rather not who has drafted it. */
export function auditorsOf(state: DeliveryState): Chosen<Who>[] {
  const { challenger, planner } = policyOf(state).roles
  const isAuthor = (agent: string) => agent === planner[0]
  return bestOf(state, [...challenger.filter((agent) => !isAuthor(agent)), ...challenger.filter(isAuthor)])
}

/** Where nobody is named, rather not who has written it: the coder's chain from its end. */
export function verifiersOf(state: DeliveryState): Chosen<Who>[] {
  const { coder, verifier } = policyOf(state).roles
  return bestOf(state, verifier.length > 0 ? verifier : coder.toReversed())
}

/** All models of its agents, those first that have neither written the work nor look at it from elsewhere. */
export function reviewersOf(state: DeliveryState, story: StoryState, vantage: Vantage): Chosen<Who>[] {
  const policy = policyOf(state)
  const modelled = (agent: string): Who[] => {
    const models = modelsOf(policy, agent)
    return models.length > 0 ? models : [{ agent, model: null }]
  }
  const candidates = ({ agents }: Reviewer): Who[] => agents.flatMap(modelled)
  return inOrderFor(policy, story, { candidates, vantage }).map(({ agent, model }) => ({ agent, model, because: '' }))
}

export function triagersOf(state: DeliveryState): Chosen<Who>[] {
  const { triager, planner } = policyOf(state).roles
  return bestOf(state, triager.length > 0 ? triager : planner)
}

/** Who writes tests, writes those that are to show what is wrong. */
export function reproducersOf(state: DeliveryState): Chosen<Who>[] {
  const { testWriter, coder } = policyOf(state).roles
  return bestOf(state, testWriter.length > 0 ? testWriter : coder)
}

function bestOf(state: DeliveryState, chain: string[]): Chosen<Who>[] {
  const policy = policyOf(state)
  return named(
    state,
    chain.map((agent) => modelsOf(policy, agent)[0] ?? { agent, model: null }),
  )
}

const named = (state: DeliveryState, chain: Who[]): Chosen<Who>[] =>
  withSpare(state, chain).map(({ agent, model }) => ({ agent, model, because: '' }))

/** All that may take the story's next turn, whoever it is that it waits for; none where it waits for nobody. */
export function takersOf(state: DeliveryState, story: StoryState): Who[] {
  const { status } = story.control
  if (status === 'waiting' || status === 'coding') return codersOf(state, story, '')
  if (status === 'respecifying') return plannersOf(state)
  if (status === 'triaging') return triagersOf(state)
  if (status === 'reproducing') return reproducersOf(state)
  if (status === 'reviewing')
    return openSeats(policyOf(state), story).flatMap(({ vantage }) => reviewersOf(state, story, vantage))
  return judgeOfStory(state, story) === 'verifier' ? verifiersOf(state) : []
}

/** All that may take the next turn for the plan, or, before it, for what is meant; none where it waits for nobody. */
export function takersOfPlan(state: DeliveryState): Who[] {
  const { intent, plan } = state
  if (plan.control.status === 'auditing') return auditorsOf(state)
  if (plan.control.status !== 'drafting') return []
  if (isIntentSettled(intent)) return plannersOf(state)
  const policy = policyOf(state)
  const { control } = intent
  if (control.status === 'checking') return named(state, checkersOf(intent, policy, control.seat))
  if (control.status === 'comparing')
    return control.seats.flatMap((seat) => named(state, triersOf(intent, policy, seat)))
  const seats = control.status === 'reading' ? control.seats : []
  return seats.flatMap((seat) => named(state, readersOf(intent, policy, seat)))
}

/** None of them takes a turn until a human has seen to it; nor does nobody. */
export const isBarred = (state: DeliveryState, chain: Who[]): boolean =>
  chain.every((who) => barOf(state.absences, who) !== null)

/** Where a model was refused for good, the agent's other models take its place, behind all others. */
function withSpare<W extends Who>(state: DeliveryState, chain: W[]): (W | Rung)[] {
  const isRefused = (who: Who): boolean => barOf(state.absences, who)?.kind === 'model'
  const spare = chain.filter(isRefused).flatMap(({ agent }) => modelsOf(policyOf(state), agent))
  return [...chain, ...spare.filter((who) => !isRefused(who))]
}

function cheapened(state: DeliveryState, rung: Rung, near: string | null): Chosen<Rung> {
  const model = policyOf(state).agents[rung.agent]?.cheaper ?? null
  const pointless = near === null || model === null || model === rung.model
  if (pointless || barOf(state.absences, { agent: rung.agent, model }) !== null) return { ...rung, because: '' }
  return { ...rung, model, because: `${model} is cheaper, and ${near}` }
}

/** The first, if it is there or soon will be; else the first that is there; else the one that is back first. */
function choose<W extends Who>(state: DeliveryState, chain: Chosen<W>[], at: Instant): Chosen<W> | null {
  const { refusalsPerAgent } = policyOf(state).limits
  const [first] = chain
  if (first === undefined) return null
  const absence = absenceOf(state.absences, first, at)
  if (absence === null || !givesWay(absence, refusalsPerAgent)) return first
  const instead = `instead of ${nameOf(first)} (${absence.kind})`
  const other = chain.find((who) => absenceOf(state.absences, who, at) === null) ?? soonest(state, chain, at)
  if (other === null || other === first) return other
  return { ...other, because: [instead, other.because].filter((part) => part !== '').join('; ') }
}

const nameOf = ({ agent, model }: Who): string => (model === null ? agent : `${agent} with ${model}`)

function soonest<W extends Who>(state: DeliveryState, chain: Chosen<W>[], at: Instant): Chosen<W> | null {
  const back = (who: Who): number => absenceOf(state.absences, who, at)?.until ?? Number.POSITIVE_INFINITY
  const best = chain.reduce((one, other) => (back(other) < back(one) ? other : one))
  return back(best) === Number.POSITIVE_INFINITY ? null : best
}

/** Work that is there and that nobody will do until a human has seen to an agent: what is wrong with the first. */
export function nobodyLeft(state: DeliveryState): { message: string; remedy: string } | null {
  if (!Object.values(state.absences).some(({ until }) => until === null)) return null
  if (state.plan.control.status === 'drafting')
    return isIntentSettled(state.intent) ? allBarred(state, plannersOf(state)) : noReaderLeft(state)
  if (state.plan.control.status === 'auditing') return allBarred(state, auditorsOf(state))
  if (state.plan.control.status !== 'approved') return null
  const busy = new Set(Object.values(state.running).map(({ step }) => step.story))
  for (const id of state.order) {
    const story = state.stories[id]!
    const barred = busy.has(id) ? null : allBarred(state, takersOf(state, story))
    if (barred !== null) return barred
  }
  return null
}

/** Where several are to read it, one that cannot is enough: the human may see to it while others go on. */
function noReaderLeft(state: DeliveryState): { message: string; remedy: string } | null {
  const { intent } = state
  const { control } = intent
  const busy = Object.values(state.running).flatMap(({ step }) => (step.verb === 'ReadRequirement' ? [step.seat] : []))
  const policy = policyOf(state)
  if (control.status === 'checking') return allBarred(state, named(state, checkersOf(intent, policy, control.seat)))
  if (control.status !== 'reading') return null
  const open = control.seats.filter((seat) => !busy.includes(seat))
  return open.reduce<ReturnType<typeof allBarred>>(
    (found, seat) => found ?? allBarred(state, named(state, readersOf(intent, policy, seat))),
    null,
  )
}

function allBarred(state: DeliveryState, chain: Who[]): { message: string; remedy: string } | null {
  const bars = chain.map((who) => barOf(state.absences, who))
  const [first] = bars
  if (first == null || bars.some((bar) => bar === null)) return null
  return { message: barText(first), remedy: first.remedy }
}
