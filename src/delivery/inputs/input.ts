import type { DeliveryState } from '../state.ts'
import { storyOf } from '../state.ts'
import type { Step, Verb } from '../step.ts'
import { authoredOf, type Basis, basisOf } from './basis.ts'
import { briefingOf, codingOf, planNow, planOf, readingOf } from './briefing.ts'
import { judgingOf, unjudged } from './judging.ts'
import { advancingOf, completingOf, composingOf, landingOf } from './landing.ts'
import { opiningOf, reviewingOf } from './reviewing.ts'

type StepOf<V extends Verb> = Extract<Step, { verb: V }>

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
