import { hashOf } from '../../../std/hash.ts'
import type { Who, Work } from '../../ids.ts'
import { type Finding, type Severity, severities } from '../../judging/finding.ts'
import type { Plan } from '../../plan/plan.ts'
import { type Chosen, choose } from '../../shared/choosing.ts'
import type { Moment } from '../../shared/room.ts'
import { type DeliveryState, policyOf, runningSteps } from '../../state.ts'
import { identified, type Step } from '../../step.ts'
import { type StoryState, workOf } from '../../story/story.ts'
import { isDismissed, type Reviewing, type ReviewWord, type Vantage } from '../review.ts'
import { openSeats, reproducersOf, reviewersOf, triagersOf } from './seats.ts'
import { outsideOf } from './sorting.ts'

/** Turns of those who look at a story's work: all reviewers at once, then one after the other. */
export function dueForReview(state: DeliveryState, story: StoryState, { at }: Moment): Step[] {
  const { control } = story
  if (control.status === 'reviewing')
    return openSeats(policyOf(state), story).flatMap(({ vantage }) => {
      const running = runningTurn(state, story, vantage)
      const who = running === null ? choose(state, reviewersOf(state, story, vantage), at) : null
      return who === null ? (running ?? []) : lookFrom(state, story, { control, who: { vantage, ...who } })
    })
  const running = runningTurn(state, story, null)
  const takers = control.status === 'triaging' ? triagersOf(state) : reproducersOf(state)
  const who = running === null ? choose(state, takers, at) : null
  if (who === null) return running === null ? [] : [running]
  if (control.status === 'reproducing') {
    const findings = control.mend.slice(0, policyOf(state).limits.reproductions)
    return [identified({ verb: 'ReproduceFindings', ...who, ...about(story, { ...control, retry: 0 }), findings })]
  }
  if (control.status !== 'triaging') return []
  const { findings, problems } = control
  const prints = findings.map(({ fingerprint }) => fingerprint)
  const among = (some: string[]) => prints.filter((print) => some.includes(print))
  const doubts = { outside: among(outsideOf(story)), disputed: among(story.review.split) }
  return [identified({ verb: 'TriageFindings', ...who, ...about(story, control), findings, ...doubts, problems })]
}

/** Whoever was chosen for a turn ends it, though another would be chosen now, or nobody. */
export const runningTurn = (state: DeliveryState, story: StoryState, vantage: Vantage | null): Step | null =>
  runningSteps(state).find(
    (step) => isTurn(step, vantage) && step.story === story.spec.id && reviewFits(state, step),
  ) ?? null

const isTurn = (step: Step, vantage: Vantage | null): boolean =>
  step.verb === 'ReviewStory'
    ? step.vantage === vantage
    : vantage === null && (step.verb === 'TriageFindings' || step.verb === 'ReproduceFindings')

function lookFrom(
  state: DeliveryState,
  story: StoryState,
  { control, who }: { control: Reviewing; who: Chosen<Who> & { vantage: Vantage } },
): Step {
  const { since, open } = story.review
  const isAgain = since?.base === control.base && since.by.includes(who.vantage)
  return identified({
    verb: 'ReviewStory',
    ...who,
    ...about(story, control),
    since: isAgain ? since.commit : null,
    open,
    rebuts: control.stage === 'review' ? [] : blockingOf(state, story),
  })
}

const about = ({ spec, revision, attempt, round, review }: StoryState, control: Work & { retry: number }) => ({
  ...{ story: spec.id, revision, attempt, round, reviewRound: review.round },
  ...{ ...workOf(control), retry: control.retry },
})

/** What those who approved are asked about. */
function blockingOf(state: DeliveryState, story: StoryState): Finding[] {
  const { blocks } = policyOf(state).review
  return gathered(story, state.plan.plan, returnedOf(story)).filter(({ severity }) => blocks.includes(severity))
}

export const returnedOf = ({ review }: StoryState): [Vantage, Returned][] =>
  Object.entries(review.words).flatMap(([vantage, { word }]) =>
    word.status === 'returned' ? [[vantage as Vantage, word]] : [],
  )

/** Whether a word of a reviewer, a triager or a test of findings is still wanted. */
export function reviewFits(state: DeliveryState, step: Step): boolean {
  if (step.verb !== 'ReviewStory' && step.verb !== 'TriageFindings' && step.verb !== 'ReproduceFindings') return false
  const story = state.stories[step.story]
  if (story === undefined || step.reviewRound !== story.review.round) return false
  const { control } = story
  switch (control.status) {
    case 'reviewing': {
      if (step.verb !== 'ReviewStory' || control.retry !== step.retry || control.commit !== step.commit) return false
      const isRebuttal = control.stage === 'rebuttal'
      if (isRebuttal !== step.rebuts.length > 0) return false
      return openSeats(policyOf(state), story).some(({ vantage }) => vantage === step.vantage)
    }
    case 'triaging':
      return step.verb === 'TriageFindings' && control.retry === step.retry && control.commit === step.commit
    case 'reproducing':
      return step.verb === 'ReproduceFindings' && control.commit === step.commit
    default:
      return false
  }
}

export type Returned = Extract<ReviewWord, { status: 'returned' }>

/** An approval that names nothing it looked at is none, nor is a refusal that names nothing to mend. */
export function usable(word: ReviewWord): ReviewWord {
  if (word.status === 'absent' || word.findings.length > 0) return word
  const finds = word.criteria.some(({ state }) => isLacking(state)) || word.checklist.some(isFailed)
  if (word.verdict === 'needs-work' && !finds) return { status: 'absent', reason: 'it wants work, and names none' }
  if (word.checked.length === 0 && !finds) return { status: 'absent', reason: 'it does not say what it looked at' }
  return word
}

/** All that reviewers have found in this round, each once, without what was dismissed before. */
export function gathered(story: StoryState, plan: Plan | null, words: [Vantage, Returned][]): Finding[] {
  const all = words.flatMap(([vantage, word]) =>
    [...word.findings, ...ofCriteria(story, word), ...ofChecklist(plan, word)].map((finding) => ({
      ...finding,
      source: `review:${vantage}`,
    })),
  )
  const byPrint = new Map<string, Finding>()
  for (const finding of all) {
    const twin = byPrint.get(finding.fingerprint)
    if (twin === undefined || isGraver(finding, twin)) byPrint.set(finding.fingerprint, finding)
  }
  return [...byPrint.values()].filter(({ fingerprint }) => !isDismissed(story, fingerprint))
}

const isGraver = (one: Finding, other: Finding): boolean =>
  severities.indexOf(one.severity) < severities.indexOf(other.severity)

const isLacking = (state: string): boolean => state === 'missing' || state === 'partial'
const isFailed = ({ state }: { state: string }): boolean => state === 'failed'

/** Only what the story was to fulfil: a reviewer sets no goals of its own. */
const ofCriteria = ({ spec }: StoryState, { criteria }: Returned): Finding[] =>
  criteria
    .filter(({ criterion, state }) => isLacking(state) && spec.criteria.includes(criterion))
    .map(({ criterion, state, why }) =>
      finding({
        rule: 'criterion',
        severity: state === 'missing' ? 'blocking' : 'important',
        message: `a criterion is ${state === 'missing' ? 'not' : 'only partly'} met: ${criterion}`,
        why,
        print: [criterion, state],
      }),
    )

/** Musts and must-nots of the plan: a failed one blocks. */
const ofChecklist = (plan: Plan | null, { checklist }: Returned): Finding[] =>
  checklist
    .filter((word) => isFailed(word) && plan?.outline?.checklist.some(({ item }) => item === word.item))
    .map(({ item, why }) =>
      finding({
        rule: 'checklist',
        severity: 'blocking',
        message: `the plan's checklist fails: ${item}`,
        why,
        print: [item],
      }),
    )

const finding = ({ rule, severity, message, why, print }: Given): Finding => ({
  source: 'review',
  rule,
  severity,
  file: null,
  line: null,
  message,
  evidence: why,
  fingerprint: hashOf(['review', rule, ...print]),
  fixTarget: 'code',
})

interface Given {
  rule: string
  severity: Severity
  message: string
  why: string
  print: string[]
}
