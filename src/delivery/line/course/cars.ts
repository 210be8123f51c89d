import type { CommitId, StoryId, TreeId } from '../../ids.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../../state.ts'
import type { ComposeLine, Judge } from '../../step.ts'
import { exhaust, returnFromLine } from '../../story/course/attempts.ts'
import { isProven, judgeOfLine, noVerdict } from '../../story/course/judging.ts'
import { isOnLine, isSettled, type Misfit, type Proving, type Red, type StoryState, workOf } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { culpritOf, isOpen, type Known, spanOf } from '../train.ts'

/** A story that is composed on top of those ahead of it, and waits to join the line with them. */
export interface Car {
  story: StoryState
  control: Proving
}

/** From the line's tip on. */
export const carsOf = (state: DeliveryState): Car[] =>
  state.line.train.flatMap((id) => {
    const story = storyOf(state, id)
    return story.control.status === 'proving' ? [{ story, control: story.control }] : []
  })

/** What the next story is composed onto. */
export const topOf = (state: DeliveryState): CommitId => carsOf(state).at(-1)?.control.composed.commit ?? state.line.tip

export function prefixesOf(state: DeliveryState): Known[] {
  const cars = carsOf(state)
  // A train may be as long as the plan: each car is looked at once.
  const red = new Set(cars.flatMap(({ control }) => (control.red === null ? [] : [control.composed.tree])))
  return cars.map(({ story, control: { composed } }) => {
    // Acceptance tests are judged with the result of all, and never hold it back from the line.
    if (story.kind === 'acceptance' || judgeOfLine(state, composed.tree) === null) return 'proven'
    return red.has(composed.tree) ? 'red' : 'unknown'
  })
}

/** What speaks against this tree: stories that change nothing have it in common with the one ahead. */
const redAt = (cars: Car[], tree: TreeId): Red | null =>
  cars.find(({ control }) => control.composed.tree === tree && control.red !== null)?.control.red ?? null

/** The story that is coupled next: first come, first served, behind all that it depends on. */
export function nextCar(state: DeliveryState): StoryState | null {
  const { train } = state.line
  const { red } = spanOf(prefixesOf(state))
  // What is behind a red one is composed again: nothing is put there.
  if (train.length >= policyOf(state).limits.train || red < train.length) return null
  const { whole } = state.line
  const mend = isTipRed(state) ? whole!.mend : null
  if (isTipRed(state) && mend === null) return null
  let first: StoryState | null = null
  for (const id of state.order) {
    const story = state.stories[id]!
    if (story.control.status !== 'composing' || (first !== null && first.queue <= story.queue)) continue
    if (story.control.misfit !== null || (mend !== null && id !== mend)) continue
    if (story.spec.dependsOn.every((one) => isOnLine(storyOf(state, one)) || train.includes(one))) first = story
  }
  return first
}

/** Whether a word of this judge on this car is still wanted. */
export function isToBeProven(state: DeliveryState, { story, judge, commit, retry }: Judge): boolean {
  const cars = carsOf(state)
  const place = cars.findIndex((car) => car.story.spec.id === story)
  const control = cars[place]?.control
  if (control === undefined || control.composed.commit !== commit || control.retry !== retry) return false
  return !isProven(state, control.composed.tree, judge) && isOpen(spanOf(prefixesOf(state)), place)
}

/** Whether it is proven only together with what joins the line ahead of it: without it nobody has proven that. */
export function mustFollow(state: DeliveryState, id: StoryId): boolean {
  const { train, tree: tip } = state.line
  if (storyOf(state, id).kind === 'acceptance') return false
  if (!train.includes(id) || train.indexOf(id) > spanOf(prefixesOf(state)).proven) return false
  const joining = Object.values(state.running).flatMap(({ step }) => (step.verb === 'AdvanceLine' ? [step.tree] : []))
  return [tip ?? [], joining].flat().some((tree) => judgeOfLine(state, tree) !== null)
}

/** After anything has happened: uncouples what does not hang together any more, and sends back a culprit. */
export function settleTrain(state: DeliveryState): void {
  uncouple(state)
  settleMisfits(state)
  const culprit = culpritOf(prefixesOf(state))
  if (culprit === null || isTipInDoubt(state)) return
  const cars = carsOf(state)
  const { story, control } = cars[culprit]!
  sendOff(state, story, { composed: control.composed, red: redAt(cars, control.composed.tree)! })
  settleTrain(state)
}

/** The tip has no proof of its own, and what is composed onto it is red: it may be the tip that is. */
export function isTipInDoubt(state: DeliveryState): boolean {
  return state.line.whole === null && isTipUnproven(state) && culpritOf(prefixesOf(state)) === 0
}

/** Nobody but the story that mends it can be proven on top of it. */
const isTipRed = (state: DeliveryState): boolean => state.line.whole !== null && isTipUnproven(state)

function isTipUnproven(state: DeliveryState): boolean {
  const tip = state.line.commits.at(-1)
  return tip !== undefined && judgeOfLine(state, tip.tree) !== null
}

/** What is ahead of them has joined: then they do not fit onto the line. Or it has left: then they may fit. */
function settleMisfits(state: DeliveryState): void {
  const { train, tip } = state.line
  for (const story of storiesOf(state)) {
    const { control } = story
    if (control.status !== 'composing' || control.misfit === null) continue
    const { misfit } = control
    if (misfit.behind.some((id) => train.includes(id))) continue
    if (misfit.onto === tip) conflictedWithLine(state, story, misfit)
    else moveStory(story, 'misfitGone', { ...control, misfit: null })
  }
}

export function conflictedWithLine(
  state: DeliveryState,
  story: StoryState,
  { onto, conflicted, findings }: Omit<Misfit, 'behind'>,
): void {
  story.findings = findings
  story.judged = null
  returnFromLine(state, story, { base: onto, from: conflicted })
}

/** Back to its coder with what was found; where no judge can speak there is nothing that a coder could mend. */
function sendOff(
  state: DeliveryState,
  story: StoryState,
  { composed, red }: { composed: Proving['composed']; red: Red },
): void {
  if (red.silence !== null) return exhaust(state, story, noVerdict(red.judge, red.silence))
  story.findings = red.findings
  returnFromLine(state, story, { base: composed.onto, from: composed.commit })
}

/** Cars whose onto is not there any more are composed again, on what is. */
function uncouple(state: DeliveryState): void {
  const { line } = state
  if (line.train.length === 0) return
  const kept: string[] = []
  const red = isTipRed(state)
  let top = line.tip
  for (const { story, control } of carsOf(state)) {
    const { composed } = control
    if (composed.onto !== top || (red && story.spec.id !== line.whole?.mend))
      moveStory(story, 'uncoupled', { ...workOf(control), misfit: null })
    else {
      kept.push(story.spec.id)
      top = composed.commit
    }
  }
  line.train = kept
}

/** Not onto a train that will be uncoupled. */
export function isToBeComposed(state: DeliveryState, { story, commit, onto }: ComposeLine): boolean {
  const control = state.stories[story]?.control
  if (control?.status !== 'composing' || control.commit !== commit || onto !== topOf(state)) return false
  return control.misfit === null && spanOf(prefixesOf(state)).red === state.line.train.length
}

/** A word on the tip is wanted when all are settled, or when the tip may be why what is on top of it is red. */
export function isWholeWanted(state: DeliveryState, { commit, tree, judge, retry }: Judge): boolean {
  const { line } = state
  if (line.commits.at(-1)?.commit !== commit || line.silences !== retry || isProven(state, tree, judge)) return false
  return storiesOf(state).every(isSettled) || isTipInDoubt(state)
}
