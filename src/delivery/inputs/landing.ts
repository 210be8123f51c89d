import type { CommitId } from '../ids.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../state.ts'
import { type AgentStep, type Land, usesAgent } from '../step.ts'
import { isCheck, isProven, judgeOfTree } from '../story/course/judging.ts'
import { type Authored, authoredOf, type Basis, basisOf } from './basis.ts'
import { type Briefing, briefingOf } from './briefing.ts'

type Laid = DeliveryState['line']['commits'][number]

/** A commit that a landing brings, and the one whose proofs are for both. */
export type Landed = Laid & { provenBy: Laid }

export interface LandingInput extends Basis {
  /** Oldest first. */
  landed: Landed[]
  /** A judge that the settings of today ask for and that has not passed; null: all have. */
  missing: string | null
  /** The checkouts in which an earlier start has begun; null: none. */
  begunIn: string[] | null
}

export const landingOf = (state: DeliveryState, step: Pick<Land, 'from' | 'to' | 'tree'>): LandingInput => ({
  ...basisOf(state),
  landed: landedBy(state, step),
  missing: judgeOfTree(state, step.tree),
  begunIn: state.line.begunIn,
})

/** A story without a change has no commit of its own: it names the one before it. */
export function landedBy(state: DeliveryState, { from, to }: Pick<Land, 'from' | 'to'>): Landed[] {
  const { commits } = state.line
  const upTo = commits.slice(0, commits.findLastIndex(({ commit }) => commit === to) + 1)
  const own = upTo.filter(
    ({ commit }, index) => commit !== from && upTo.findIndex((other) => other.commit === commit) === index,
  )
  const isWhole = ({ tree }: Laid): boolean =>
    policyOf(state).judges.every((judge) => !isCheck(judge) || isProven(state, tree, judge))
  return own.map((one, index) => ({ ...one, provenBy: own.slice(index).find(isWhole) ?? own.at(-1)! }))
}

export interface Composing extends Authored {
  /** Whose work the commits of the line are. */
  titles: Record<CommitId, string>
}

export function composingOf(state: DeliveryState, step: { story: string }): Composing {
  const onLine = state.line.commits.map(({ commit, story }) => [commit, state.stories[story]?.spec.title ?? story])
  const others = storiesOf(state).flatMap(({ control, spec }) => {
    if (control.status === 'merged') return [[control.commit, spec.title]]
    return control.status === 'proving' ? [[control.composed.commit, spec.title]] : []
  })
  return { ...authoredOf(state, step), titles: Object.fromEntries([...onLine, ...others]) }
}

/** The workspaces of a story, which nobody needs once it is on the line. */
export interface Advancing extends Basis {
  attempts: number
  /** What refs of ours hold already. */
  kept: CommitId[]
}

export function advancingOf(state: DeliveryState, step: { story: string }): Advancing {
  const { attempt, control } = storyOf(state, step.story)
  return { ...basisOf(state), attempts: attempt, kept: control.status === 'proving' ? [control.commit] : [] }
}

/** Turns that were begun and that nobody will take again. */
export interface Completing extends Basis {
  abandoned: { step: AgentStep; try: number; input: Briefing }[]
}

export const completingOf = (state: DeliveryState): Completing => ({
  ...basisOf(state),
  abandoned: Object.values(state.running).flatMap(({ step, try: number }) =>
    usesAgent(step) ? [{ step, try: number, input: briefingOf(state, step) }] : [],
  ),
})
