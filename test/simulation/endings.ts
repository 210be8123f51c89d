// How a step may end, in words for tests. Each gives the event for the step it is handed.

import type { CodingFailure, DeliveryEvent, Outcome, Refusal } from '../../src/delivery/events.ts'
import type { CheckedAssumption, Interpretation, TriedExample } from '../../src/delivery/intent/interpretation.ts'
import type { Finding, Verdict } from '../../src/delivery/judging/finding.ts'
import type { Plan } from '../../src/delivery/plan/plan.ts'
import type { Opinion, Reproduction, ReviewWord, SortedFindings, Vantage } from '../../src/delivery/review/review.ts'
import { type Step, type TryExamples, usesAgent, type Verb, whoTakes } from '../../src/delivery/step.ts'
import type { Handoff } from '../../src/delivery/story/handoff.ts'
import { noHandoff } from '../../src/delivery/story/handoff.ts'
import { never } from '../../src/std/never.ts'
import { approval, harvest, interpretation } from './judgement-sample.ts'
import { finding, noVerdict, passed, story as plainStory, red } from './sample.ts'

export type Ending = (step: Step) => DeliveryEvent

type Coded = Extract<DeliveryEvent, { type: 'StoryCoded' }>
type Of<V extends Verb> = Extract<Step, { verb: V }>

function of<V extends Verb>(verb: V, end: (step: Of<V>) => DeliveryEvent): Ending {
  return (step) => {
    if (step.verb !== verb) throw new Error(`${step.verb} cannot end as a ${verb} does`)
    return end(step as Of<V>)
  }
}

/** A commit and tree that follow from what was asked, so that a test need not name them. */
const made = (step: Step, kind: 'c' | 't'): string => `${kind}-${step.id}`

export const codes = (tree?: string): Ending =>
  of('CodeStory', (step) => ({
    type: 'StoryCoded',
    step: step.id,
    story: step.story,
    commit: made(step, 'c'),
    tree: tree ?? made(step, 't'),
    summary: '',
    handoff: noHandoff,
    session: null,
  }))

/** The work is not what the plan says, and others must know; and tests had to change, as it maintains. */
export const departs: Ending = of('CodeStory', (step) => ({ ...(codes()(step) as Coded), handoff: departing }))

export const departing: Handoff = {
  ...{ ...noHandoff, quality: 'full' },
  deviations: [{ from: 'no cache', why: 'it is too slow', material: true }],
  changedTests: [{ test: 'test', why: 'it is asked for', criterion: 'the first' }],
}

export const harvests: Ending = of('HarvestStory', (step) => ({
  type: 'StoryCoded',
  step: step.id,
  story: step.story,
  commit: made(step, 'c'),
  tree: made(step, 't'),
  summary: '',
  handoff: noHandoff,
  session: null,
}))

export const fails = (kind: CodingFailure, message = 'it stopped'): Ending =>
  of('CodeStory', (step) => ({
    type: 'CodingFailed',
    step: step.id,
    story: step.story,
    kind,
    message,
    evidence: '',
    session: null,
  }))

export const asks = (text: string, options: string[] = [], permission: string | null = null): Ending =>
  of('CodeStory', ({ id, story }) => ({
    type: 'CoderAsked',
    step: id,
    story,
    text,
    options,
    permission,
    session: null,
  }))

export const judges =
  (verdict: Verdict): Ending =>
  (step) => {
    if (step.verb !== 'Judge' && step.verb !== 'Review') throw new Error(`${step.verb} gives no verdict`)
    const { id, story, judge, commit, tree } = step
    const scope = step.verb === 'Judge' ? step.scope : 'story'
    return { type: 'Judged', step: id, story, judge, scope, commit, tree, verdict }
  }

export const passes = judges(passed)
/** An inspection that has nothing against it, and says from where the diff must be reviewed. */
export const calls =
  (...vantages: Vantage[]): Ending =>
  (step) => ({ ...(passes(step) as Extract<DeliveryEvent, { type: 'Judged' }>), calls: vantages })
export const isSilent = judges(noVerdict)
export const finds =
  (failures = 1, message = 'red'): Ending =>
  (step) =>
    judges(red('judge' in step ? step.judge : '', failures, message))(step)

export const composes = (tree?: string): Ending =>
  of('ComposeLine', (step) => ({
    type: 'LineComposed',
    step: step.id,
    story: step.story,
    onto: step.onto,
    commit: made(step, 'c'),
    tree: tree ?? made(step, 't'),
  }))

export const conflicts: Ending = of('ComposeLine', (step) => ({
  type: 'ComposeConflicted',
  step: step.id,
  story: step.story,
  onto: step.onto,
  conflicted: made(step, 'c'),
  findings: [finding('compose', 'conflict')],
}))

export const refuses = (reason: 'moved' | 'dirty', target = 'c-theirs'): Ending =>
  of('Land', (step) => ({ type: 'LandingRefused', step: step.id, reason, target, message: reason }))

export const drafts = (plan: Plan): Ending =>
  of('DraftPlan', ({ id, revision }) => ({ type: 'PlanDrafted', step: id, plan, revision, cause: 'drafted' }))

export const reads = (given: Partial<Interpretation> = {}, quality: 'full' | 'partial' = 'full'): Ending =>
  of('ReadRequirement', ({ id, seat }) => ({
    ...{ type: 'RequirementRead', step: id, seat, quality },
    interpretation: interpretation(given),
  }))

export const misreads: Ending = of('ReadRequirement', ({ id, seat }) => ({
  type: 'ReadingFaulted',
  step: id,
  seat,
  problems: ['it is prose'],
}))

/** All assumptions that are not named hold. */
export const looksInto = (found: Record<string, CheckedAssumption['verdict']>): Ending =>
  of('CheckAssumptions', ({ id, assumptions }) => ({
    type: 'AssumptionsChecked',
    step: id,
    checked: assumptions.map((one) => ({
      ...{ id: one.id, claim: one.claim, verdict: found[one.id] ?? 'holds' },
      ...{ evidence: 'seen', file: 'a.ts', line: 1 },
    })),
  }))

/** What a reader says to all examples of others. */
export const accepts = (verdict: TriedExample['verdict']): Ending => of('TryExamples', (step) => triedBy(step, verdict))

export const triedBy = ({ id, seat, examples }: TryExamples, verdict: TriedExample['verdict']): Outcome => ({
  ...{ type: 'ExamplesTried', step: id, seat },
  tried: examples.map((example) => ({ ...example, verdict, why: 'so it is' })),
})

export const parks =
  (until: number): Ending =>
  ({ id, story }) => ({
    type: 'StepParked',
    step: id,
    story,
    until,
    reason: 'not now',
  })

/** The agent's service says no. */
export const refuse =
  (kind: Refusal, until: number | null = null): Ending =>
  (step) => {
    if (!usesAgent(step)) throw new Error(`${step.verb} has no agent`)
    const about = { step: step.id, story: step.story, ...whoTakes(step), account: 'one', kind, until }
    return { type: 'AgentRefused', ...about, message: `no (${kind})`, remedy: 'mend it' }
  }

export const breaks: Ending = ({ id, story }) => ({
  type: 'StepFailed',
  step: id,
  story,
  message: 'no',
  remedy: 'mend it',
})

/** All goes well. */
export function happily(step: Step): DeliveryEvent {
  switch (step.verb) {
    case 'DraftPlan':
      return { type: 'PlanFaulted', step: step.id, problems: ['nothing was drafted'] }
    case 'TryBase':
      return { type: 'BaseTried', step: step.id, base: step.base, told: [] }
    case 'AskQuestion':
      return { type: 'QuestionAsked', step: step.id, question: step.question }
    case 'CloseQuestion':
      return { type: 'QuestionExpired', step: step.id, question: step.question, option: step.option }
    case 'CodeStory':
      return codes()(step)
    case 'TidyStory': {
      const { id, story, commit } = step
      return { type: 'StoryTidied', step: id, story, commit, tree: made(step, 't'), changed: [] }
    }
    case 'Judge':
    case 'Review':
      return passes(step)
    case 'ComposeLine':
      return composes()(step)
    case 'AdvanceLine': {
      const { id, story, from, to, tree } = step
      return { type: 'LineAdvanced', step: id, story, from, to, tree }
    }
    case 'Land':
      return { type: 'Landed', step: step.id, from: step.from, to: step.to }
    case 'AddFixStory':
      return { type: 'FixStoryAdded', step: step.id, story: step.spec.id, spec: step.spec, findings: step.findings }
    case 'CompleteDelivery': {
      const { id, result, reason, concerns } = step
      return { type: 'DeliveryCompleted', step: id, result, reason, concerns }
    }
    case 'HarvestContext':
      return { type: 'ContextHarvested', step: step.id, context: harvest() }
    case 'ReadRequirement':
      return {
        type: 'RequirementRead',
        step: step.id,
        seat: step.seat,
        interpretation: interpretation(),
        quality: 'full',
      }
    case 'CheckAssumptions': {
      const checked = step.assumptions.map(({ id, claim }) => ({
        ...{ id, claim, verdict: 'holds' as const },
        ...{ evidence: '', file: null, line: null },
      }))
      return { type: 'AssumptionsChecked', step: step.id, checked }
    }
    case 'TryExamples':
      return triedBy(step, 'yes')
    case 'AuditPlan':
      return { type: 'PlanAudited', step: step.id, revision: step.revision, problems: [], concerns: [] }
    case 'ReviewStory': {
      const { id, story, vantage, commit } = step
      return { type: 'StoryReviewed', step: id, story, vantage, commit, word: approval }
    }
    case 'TriageFindings': {
      const sorted = step.findings.map(({ fingerprint, severity }) => ({
        ...{ fingerprint, severity, because: 'true' },
        fate: 'accepted' as const,
      }))
      return { type: 'FindingsTriaged', step: step.id, story: step.story, sorted, verdict: 'needs-work' }
    }
    case 'ReproduceFindings':
      return { type: 'FindingsReproduced', step: step.id, story: step.story, reproductions: [], red: null }
    case 'RespecifyStory': {
      const { id, story, turn, as } = step
      const into = [`${story}-${turn}x`, `${story}-${turn}y`].map((piece) => plainStory(piece))
      if (as === 'split') return { type: 'StorySplit', step: id, story, into, cause: 'it was too much' }
      return { type: 'StoryRespecified', step: id, story, changes: { description: 'better' }, cause: 'it was wrong' }
    }
    case 'LendWorkspace':
      return { type: 'WorkspaceLent', step: step.id, story: step.story, path: '/w' }
    case 'HarvestStory':
      return harvests(step)
    default:
      never(step)
  }
}

/** A reviewer comes back with this. */
export const says = (word: ReviewWord): Ending =>
  of('ReviewStory', ({ id, story, vantage, commit }) => ({
    type: 'StoryReviewed',
    step: id,
    story,
    vantage,
    commit,
    word,
  }))

/** A triager sorts what it was given, one by one. */
export const sorts = (
  sort: (finding: Finding) => Partial<SortedFindings> | null,
  verdict: Opinion = 'needs-work',
): Ending =>
  of('TriageFindings', ({ id, story, findings }) => ({
    type: 'FindingsTriaged',
    step: id,
    story,
    verdict,
    sorted: findings.flatMap((finding) => {
      const word = sort(finding)
      const { fingerprint, severity } = finding
      const because = `it is so: ${fingerprint}`
      return word === null ? [] : [{ fingerprint, severity, fate: 'accepted' as const, because, ...word }]
    }),
  }))

/** A test was written for each finding, and this came of it. */
export const tries = (result: (finding: Finding) => Reproduction['result']): Ending =>
  of('ReproduceFindings', (step) => {
    const reproductions = step.findings.map((finding) => ({
      fingerprint: finding.fingerprint,
      result: result(finding),
      test: `test/${finding.message}.test.ts`,
      why: 'so it went',
    }))
    const isRed = reproductions.some((one) => one.result === 'confirmed')
    const red = isRed ? { commit: made(step, 'c'), tree: made(step, 't') } : null
    return { type: 'FindingsReproduced', step: step.id, story: step.story, reproductions, red }
  })
