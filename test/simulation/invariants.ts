// What must hold in every state of a delivery and over every event, whatever agents, the world and people do.
import type { Due } from '../../src/delivery/due.ts'
import type { DeliveryEvent } from '../../src/delivery/events.ts'
import { fuel } from '../../src/delivery/fuel.ts'
import { isIntentSettled } from '../../src/delivery/intent/state.ts'
import { planProblems } from '../../src/delivery/plan/validate.ts'
import type { DeliveryState } from '../../src/delivery/state.ts'
import { policyOf } from '../../src/delivery/state.ts'
import type { CodeStory, Land, Step } from '../../src/delivery/step.ts'
import { isIrrevocable, runsCommands, usesAgent } from '../../src/delivery/step.ts'
import { fits } from '../../src/delivery/stepping/fits.ts'
import type { StoryState } from '../../src/delivery/story/story.ts'
import { isOnLine, isSettled } from '../../src/delivery/story/story.ts'
import { invariant } from '../../src/std/never.ts'
import type { Witnessed } from './witness.ts'

/** In each state. */
export function holdsNow(state: DeliveryState, { steps, wakeAt }: Due): void {
  invariant(fuel(state) >= 0, 'fuel is negative')
  if (state.mode.status === 'ended') {
    invariant(steps.length === 0 && wakeAt === null, 'something is due after the end')
    return
  }
  const waits = state.mode.status === 'paused' || wakeAt !== null || dueOrAsked(state, steps)
  invariant(waits, 'a dead end: nothing is due, nothing is asked, and it has not ended')
  invariant(new Set(steps.map((step) => step.id)).size === steps.length, 'a step is listed twice')
  invariant(onePerStory(steps), 'two steps of one story')
  within(steps.filter(usesAgent).length, policyOf(state).limits.agents, 'agents')
  within(steps.filter(runsCommands).length, policyOf(state).limits.checks, 'checks')
  irrevocableStaysDue(state, steps)
  hangsTogether(state)
  isPlanned(state)
}

/** Whatever was split or amended: the stories that are left are a sound plan, and nobody waits for one that is gone. */
function isPlanned(state: DeliveryState): void {
  const living = state.order.map((id) => state.stories[id]!).filter(({ control }) => control.status !== 'split')
  if (living.length === 0) return
  const problems = planProblems({ outline: null, stories: living.map(({ spec }) => spec) }, Number.POSITIVE_INFINITY)
  invariant(problems.length === 0, `the plan is not sound any more: ${problems.join('; ')}`)
  for (const { commit, story } of state.line.commits)
    invariant(state.stories[story]!.control.status !== 'split', `${story} was split and is on the line as ${commit}`)
}

/** The cars of the train are composed on top of each other, from the line's tip on, and nobody else is being proven. */
function hangsTogether({ line, stories, order }: DeliveryState): void {
  let top = line.tip
  for (const id of line.train) {
    const { control } = stories[id]!
    invariant(control.status === 'proving' && control.composed.onto === top, `${id} hangs on nothing`)
    top = control.composed.commit
  }
  const proving = order.filter((id) => stories[id]!.control.status === 'proving')
  invariant(proving.length === line.train.length, 'a story is proven and in no train')
}

const within = (listed: number, limit: number, what: string): void =>
  invariant(listed <= limit, `${listed} ${what} are listed, ${limit} are allowed`)

const dueOrAsked = (state: DeliveryState, steps: Step[]): boolean =>
  steps.length > 0 || Object.values(state.questions).some((asked) => asked.answer === null)

function onePerStory(steps: Step[]): boolean {
  const work = steps.filter((step) => step.verb !== 'AskQuestion' && step.verb !== 'CloseQuestion')
  const isOther = (one: Step, two: Step) => one !== two && one.story !== null && one.story === two.story
  return !work.some((one) => work.some((two) => isOther(one, two) && !areBeside(one, two)))
}

/** Reviewers of a story look at it at the same time. */
export const areBeside = (one: Step, two: Step): boolean =>
  one.verb === 'ReviewStory' && two.verb === 'ReviewStory' && one.vantage !== two.vantage

function irrevocableStaysDue(state: DeliveryState, steps: Step[]): void {
  const { lostStartsPerStep } = policyOf(state).limits
  for (const { step, lost } of Object.values(state.running)) {
    if (!isIrrevocable(step) || lost >= lostStartsPerStep) continue
    invariant(
      steps.some((one) => one.id === step.id),
      'a started landing is no longer due',
    )
  }
}

/** Before a step starts. */
export function mayStart(state: DeliveryState, step: Step, witnessed: Witnessed): void {
  const { judges } = policyOf(state)
  if (step.verb === 'DraftPlan')
    invariant(isIntentSettled(state.intent), 'it is planned before it is settled what is meant')
  if (step.verb === 'CodeStory') mayBeCoded(state, step, witnessed)
  if (step.verb === 'AdvanceLine' && state.stories[step.story]!.kind === 'acceptance')
    invariant(othersSettled(state, step.story), 'acceptance tests join before others are settled')
  // One that has begun may have been begun under another policy.
  if (step.verb !== 'Land' || state.line.begun?.id === step.id) return
  const checks = judges.filter((judge) => judge.startsWith('check:'))
  invariant(
    checks.every((check) => witnessed.proven[step.tree]?.includes(check)),
    'an unproven tree is landed',
  )
  if (hasAcceptanceTests(state, step)) {
    const passed = witnessed.proven[step.tree]?.includes('acceptance') ?? false
    invariant(passed, 'what is landed did not pass its acceptance tests')
  }
  const upTo = state.line.commits.findLastIndex(({ commit }) => commit === step.to)
  invariant(upTo >= 0, 'what is landed is not on the line')
  for (const { story } of state.line.commits.slice(0, upTo + 1)) throughAllJudges(state, story, witnessed)
}

function mayBeCoded(state: DeliveryState, step: CodeStory, witnessed: Witnessed): void {
  const story = state.stories[step.story]!
  const { strategy } = policyOf(state)
  if (story.control.status === 'waiting') {
    for (const id of story.spec.dependsOn)
      invariant(isOnLine(state.stories[id]!), `${step.story} starts before ${id} is on the line`)
    const first = state.stories[state.order[0]!]!
    const ready = first === story || first.kind === 'story' || isSettled(first) || 'commit' in first.control
    invariant(ready, `${step.story} starts before the acceptance tests are there`)
  }
  if (step.phase === 'tests') return
  const isFirst = ['tdd', 'three-session'].includes(story.spec.strategy ?? strategy) && canShow(state, story)
  if (story.red !== null) isShown(story, witnessed)
  else
    invariant(
      !isFirst || witnessed.repinned || witnessed.taken.includes(step.story),
      `${step.story} is coded before its tests were shown to fail`,
    )
}

const canShow = (state: DeliveryState, { spec }: StoryState): boolean =>
  spec.tests === 'witnessed' && policyOf(state).checks.some(({ related }) => related !== null)

/** Said in the log, before this. */
const isShown = ({ spec, red }: StoryState, { judged }: Witnessed): void =>
  invariant(judged[red ?? '']?.includes('red') ?? false, `nobody has seen the tests of ${spec.id} fail`)

const othersSettled = (state: DeliveryState, id: string): boolean =>
  state.order.every((one) => one === id || isSettled(state.stories[one]!))

function hasAcceptanceTests({ order, stories, line }: DeliveryState, { to }: Land): boolean {
  const first = stories[order[0]!]!
  if (first.kind !== 'acceptance' || !isOnLine(first)) return false
  const places = line.commits.map(({ story }) => story)
  return (
    first.control.status === 'merged' ||
    places.indexOf(first.spec.id) <= line.commits.findLastIndex((one) => one.commit === to)
  )
}

function throughAllJudges(state: DeliveryState, id: string, witnessed: Witnessed): void {
  const story = state.stories[id]!
  const { control } = story
  invariant(control.status === 'joined', `${id} is on the line and not joined`)
  const { gates } = policyOf(state)
  const seen = [...(witnessed.judged[control.commit] ?? []), ...(witnessed.proven[control.tree] ?? [])]
  if (story.red !== null) isShown(story, witnessed)
  for (const judge of judgesFor(state, story, witnessed)) {
    const heard = seen.includes(judge) || seen.includes(judge.replace('related:', 'check:'))
    invariant(heard, `${id} is landed and ${judge} has not passed it`)
  }
  throughReview(state, story, { commit: control.commit, witnessed })
  if (gates === 'manual') invariant(witnessed.approved.includes(control.commit), `${id} is landed past its gate`)
}

/** Somebody has looked at it, and what was accepted as blocking is mended, disproved, waived, or a human decided. */
function throughReview(
  state: DeliveryState,
  { spec, kind }: StoryState,
  { commit, witnessed }: { commit: string; witnessed: Witnessed },
): void {
  const { review, unattended } = policyOf(state)
  if (review.reviewers.length === 0 || kind !== 'story' || witnessed.repinned) return
  invariant((witnessed.reviewed[commit] ?? []).length > 0, `${spec.id} is landed and nobody has reviewed it`)
  const left = (witnessed.refused[commit] ?? []).filter((print) => !witnessed.waived[spec.id]?.includes(print))
  invariant(!unattended || left.length === 0, `${spec.id} is landed with what reviewers call blocking`)
}

function judgesFor(state: DeliveryState, story: StoryState, { repinned, taken }: Witnessed): string[] {
  const { judges, checks, strategy } = policyOf(state)
  if (story.kind === 'acceptance') return ['inspection']
  const later = checks.filter(({ full }) => full !== 'story').map(({ name }) => `check:${name}`)
  const { spec } = story
  const needed = judges.filter((judge) => {
    if (judge === 'witness') return spec.strategy !== 'none'
    return judge === 'criteria' ? spec.proofs.length > 0 : !later.includes(judge)
  })
  const verified =
    (spec.strategy ?? strategy) === 'three-session' && canShow(state, story) && !repinned && !taken.includes(spec.id)
  return verified ? [...needed, 'verifier'] : needed
}

/** Over each event that is the outcome of a step that was due. */
export function burns(before: number, after: DeliveryState, event: DeliveryEvent): void {
  const left = fuel(after)
  invariant(left < before, `fuel does not fall with ${event.type}: ${before} → ${left}`)
}

/** Whether an outcome of this running step counts: otherwise it has been overtaken. */
export const counts = (state: DeliveryState, step: Step): boolean => fits(state, step)
