import type { CommitId } from '../ids.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../state.ts'
import { type AgentStep, type Land, type Step, type StepOf, usesAgent, type Verb } from '../step.ts'
import { isCheck, isProven, judgeOfTree } from '../story/course/judging.ts'
import {
  type Authored,
  authoredOf,
  type Basis,
  type Briefing,
  basisOf,
  briefingOf,
  codingOf,
  planNow,
  planOf,
  readingOf,
} from './briefing.ts'
import { judgingOf, opiningOf, reviewingOf, unjudged } from './judging.ts'

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

/** What each step's performer is given of the delivery, made when it is performed; it never sees the state itself. */
const inputs = {
  HarvestContext: basisOf,
  TryBase: (state: DeliveryState) => unjudged(basisOf(state)),
  ReadRequirement: briefingOf,
  CheckAssumptions: briefingOf,
  TryExamples: (state: DeliveryState, step: StepOf<'TryExamples'>) => ({
    ...briefingOf(state, step),
    reading: readingOf(state, step.seat),
  }),
  DraftPlan: (state: DeliveryState, step: StepOf<'DraftPlan'>) => ({
    ...briefingOf(state, step),
    repairs: state.plan.repairs,
    criteria: state.intent.contract?.criteria ?? [],
  }),
  AuditPlan: (state: DeliveryState, step: StepOf<'AuditPlan'>) => ({
    ...briefingOf(state, step),
    plan: planOf(state),
  }),
  RespecifyStory: (state: DeliveryState, step: StepOf<'RespecifyStory'>) => {
    const { spec, past } = storyOf(state, step.story)
    return { ...briefingOf(state, step), spec, past, plan: planNow(state) }
  },
  AskQuestion: basisOf,
  CloseQuestion: basisOf,
  AddFixStory: basisOf,
  CodeStory: codingOf,
  TidyStory: (state: DeliveryState, step: StepOf<'TidyStory'>) => ({
    ...authoredOf(state, step),
    red: storyOf(state, step.story).red,
  }),
  Judge: judgingOf,
  Review: opiningOf,
  ReviewStory: reviewingOf,
  TriageFindings: opiningOf,
  ReproduceFindings: (state: DeliveryState, step: StepOf<'ReproduceFindings'>) => ({
    ...opiningOf(state, step),
    ...authoredOf(state, step),
  }),
  LendWorkspace: basisOf,
  HarvestStory: (state: DeliveryState, step: StepOf<'HarvestStory'>) => ({
    ...authoredOf(state, step),
    /** What a human said when they were done. */
    words: state.questions[`take-over-${step.story}-${step.attempt}`]?.answer?.text ?? '',
  }),
  ComposeLine: composingOf,
  AdvanceLine: advancingOf,
  Land: landingOf,
  CompleteDelivery: completingOf,
} satisfies { [V in Verb]: (state: DeliveryState, step: StepOf<V>) => Basis }

export type StepInput = { [V in Verb]: ReturnType<(typeof inputs)[V]> }
export type InputOf<S extends Step> = StepInput[S['verb']]

/** The input of a step as the delivery stands now. */
export const inputOf = <S extends Step>(state: DeliveryState, step: S): InputOf<S> =>
  (inputs[step.verb] as unknown as (state: DeliveryState, step: S) => InputOf<S>)(state, step)
