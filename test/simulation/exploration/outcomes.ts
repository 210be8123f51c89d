import type { CodingFailure, DeliveryEvent, Outcome, Refusal } from '../../../src/delivery/events.ts'
import type { Story } from '../../../src/delivery/plan/plan.ts'
import { type DeliveryState, policyOf } from '../../../src/delivery/state.ts'
import type { CodeStory, ComposeLine, Judge, Land, Review, Step } from '../../../src/delivery/step.ts'
import { usesAgent, whoTakes } from '../../../src/delivery/step.ts'
import { noHandoff } from '../../../src/delivery/story/handoff.ts'
import { never } from '../../../src/std/never.ts'
import { departing, happily } from '../endings.ts'
import { finding, noVerdict, passed, red, story } from '../sample.ts'
import { found } from './intent-outcomes.ts'
import { reviewOutcomes } from './review-outcomes.ts'
import { audited, drafted, harvested, respecified } from './spec-outcomes.ts'

/** Names for commits (`c…`) and trees (`t…`) that nobody has seen yet. */
export type Fresh = (kind: 'c' | 't') => string

export interface Range {
  /** What the world may do besides what the step is for. */
  failures: CodingFailure[]
  troubles: boolean
  asks: boolean
  /** Agents may refuse to take a turn, so. */
  refusals: Refusal[]
  /** The target may move under us. */
  moves: boolean
  /** Coders may do it otherwise than planned. */
  departs?: boolean
  /** What the planner drafts, where it drafts well. */
  plan?: Story[]
}

/** All that can come of a step, one per kind that the law tells apart. */
export function outcomesOf(
  state: DeliveryState,
  step: Step,
  { fresh, at, range }: { fresh: Fresh; at: number; range: Range },
): DeliveryEvent[] {
  const own = [...outcomes(state, step, { fresh, range }), ...refusals(step, at, range)]
  if (!range.troubles || step.verb === 'AskQuestion' || step.verb === 'CloseQuestion') return own
  if (step.verb === 'CompleteDelivery') return own
  const about = { step: step.id, story: step.story }
  return [
    ...own,
    { type: 'StepParked', ...about, until: at, reason: 'not now' },
    { type: 'StepFailed', ...about, message: 'no', remedy: 'mend it' },
    ...(environments.includes(step.verb)
      ? [{ type: 'StepFailed' as const, ...about, message: 'no', remedy: 'mend it', environment: true as const }]
      : []),
  ]
}

/** What runs commands may find the machine wanting. */
const environments: string[] = ['TryBase', 'Judge', 'CodeStory']

/** A limit that says when it is over, and one that does not, as far as the law tells them apart. */
function refusals(step: Step, at: number, range: Range): DeliveryEvent[] {
  if (!usesAgent(step)) return []
  const { id, story: name } = step
  return range.refusals.map((kind) => {
    const until = kind === 'quota' ? at + 1_000 : null
    const about = { step: id, story: name, ...whoTakes(step), account: 'one', kind, until }
    return { type: 'AgentRefused', ...about, message: 'no', remedy: 'mend it' }
  })
}

function outcomes(state: DeliveryState, step: Step, { fresh, range }: { fresh: Fresh; range: Range }): Outcome[] {
  switch (step.verb) {
    case 'DraftPlan':
      return drafted(step, range.plan ?? [story('a')])
    case 'AuditPlan':
      return audited(step)
    case 'RespecifyStory':
      return respecified(state, step)
    case 'HarvestStory':
      return harvested(step, fresh)
    case 'AskQuestion':
      return [{ type: 'QuestionAsked', step: step.id, question: step.question }]
    case 'CloseQuestion':
      return [{ type: 'QuestionExpired', step: step.id, question: step.question, option: step.option }]
    case 'CodeStory':
      return coded(state, step, { fresh, range })
    case 'TidyStory': {
      const { id, story: name, commit } = step
      const changed = { commit: fresh('c'), tree: fresh('t'), changed: ['a'] }
      const { control } = state.stories[name]!
      const same = { commit, tree: control.status === 'tidying' ? control.tree : fresh('t'), changed: [] }
      return [changed, same].map((tidy) => ({ type: 'StoryTidied', step: id, story: name, ...tidy }))
    }
    case 'Judge':
    case 'Review':
      return judged(state, step)
    case 'ComposeLine':
      return composed(state, step, fresh)
    case 'AdvanceLine':
      return [{ type: 'LineAdvanced', step: step.id, story: step.story, from: step.from, to: step.to, tree: step.tree }]
    case 'Land':
      return landed(step, fresh).slice(0, range.moves ? 3 : 2)
    case 'AddFixStory':
      return [{ type: 'FixStoryAdded', step: step.id, story: step.spec.id, spec: step.spec, findings: step.findings }]
    case 'CompleteDelivery': {
      const { id, result, reason, concerns } = step
      return [{ type: 'DeliveryCompleted', step: id, result, reason, concerns }]
    }
    case 'HarvestContext':
    case 'ReadRequirement':
    case 'CheckAssumptions':
    case 'TryExamples':
      return found(step)
    case 'ReviewStory':
    case 'TriageFindings':
    case 'ReproduceFindings':
      return reviewOutcomes(step, fresh)
    case 'TryBase':
    case 'LendWorkspace':
      return [happily(step) as Outcome]
    default:
      never(step)
  }
}

function coded(
  state: DeliveryState,
  { id, story: name }: CodeStory,
  { fresh, range }: { fresh: Fresh; range: Range },
): Outcome[] {
  const about = { step: id, story: name, session: null }
  const before = state.stories[name]!.judged?.tree ?? ''
  const trees = [fresh('t'), ...(state.proven[before] === undefined ? [] : [before])]
  return [
    ...trees.map(
      (tree): Outcome => ({ type: 'StoryCoded', ...about, commit: fresh('c'), tree, summary: '', handoff: noHandoff }),
    ),
    ...(range.departs === true ? [departing] : []).map(
      (handoff): Outcome => ({
        type: 'StoryCoded',
        ...about,
        commit: fresh('c'),
        tree: fresh('t'),
        summary: '',
        handoff,
      }),
    ),
    ...range.failures.map(
      (kind): Outcome => ({ type: 'CodingFailed', ...about, kind, message: 'it stopped', evidence: '' }),
    ),
    ...(range.asks ? [null, 'edit'] : []).map(
      (permission): Outcome => ({ type: 'CoderAsked', ...about, text: 'Which?', options: ['one'], permission }),
    ),
  ]
}

/** Green, fewer or as many failures as before, more, and silence. */
function judged(state: DeliveryState, step: Judge | Review): Outcome[] {
  const { id, story: name, judge, commit, tree } = step
  const scope = step.verb === 'Judge' ? step.scope : 'story'
  const before = name === null ? null : state.stories[name]!.thisAttempt.failures
  const counts = before === null || scope !== 'story' ? [1] : [1, 2]
  const verdicts = [passed, ...counts.map((count) => red(judge, count)), noVerdict]
  const about = { step: id, story: name, judge, scope, commit, tree } as const
  const plain = verdicts.map((verdict): Outcome => ({ type: 'Judged', ...about, verdict }))
  const { followDiff, reviewers } = policyOf(state).review
  if (judge !== 'inspection' || !followDiff || reviewers.length === 0) return plain
  return [...plain, { type: 'Judged', ...about, verdict: passed, calls: ['tests', 'ui', 'security'] }]
}

function composed(state: DeliveryState, { id, story: name, onto }: ComposeLine, fresh: Fresh): Outcome[] {
  const { control } = state.stories[name]!
  const trees = [fresh('t'), ...(control.status === 'composing' ? [control.tree] : [])]
  const findings = [finding('compose', 'conflict')]
  const made = [...trees.map((tree) => ({ commit: fresh('c'), tree })), ...nothing(state, onto)]
  return [
    ...made.map((composed): Outcome => ({ type: 'LineComposed', step: id, story: name, onto, ...composed })),
    { type: 'ComposeConflicted', step: id, story: name, onto, conflicted: fresh('c'), findings },
  ]
}

/** The story changes nothing of what is there already. */
function nothing({ line, stories }: DeliveryState, onto: string): { commit: string; tree: string }[] {
  const last = line.train.at(-1)
  const control = last === undefined ? null : stories[last]!.control
  const tree = control?.status === 'proving' ? control.composed.tree : line.tree
  return tree === null ? [] : [{ commit: onto, tree }]
}

const landed = ({ id, from, to }: Land, fresh: Fresh): Outcome[] => [
  { type: 'Landed', step: id, from, to },
  { type: 'LandingRefused', step: id, reason: 'dirty', target: from, message: 'dirty' },
  { type: 'LandingRefused', step: id, reason: 'moved', target: fresh('c'), message: 'moved' },
]
