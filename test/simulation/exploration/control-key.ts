import { isIntentSettled } from '../../../src/delivery/intent/state.ts'
import { openQuestions, unaskedQuestions } from '../../../src/delivery/questions/due.ts'
import { trusterOf } from '../../../src/delivery/review/course/sorting.ts'
import { isBaseTried, isStopped } from '../../../src/delivery/shared/room.ts'
import type { DeliveryState, Started } from '../../../src/delivery/state.ts'
import { type Absence, policyOf, storiesOf } from '../../../src/delivery/state.ts'
import { fits } from '../../../src/delivery/stepping/fits.ts'
import type { StoryState } from '../../../src/delivery/story/story.ts'
import { reviewKey, withoutRounds } from './review-key.ts'

/**
 * What decides how a delivery goes on, and nothing else: history, texts, sessions and money are left out, commits and
 * trees are renamed in the order in which they appear, and turns are left out where their limit cannot be reached.
 */
export function controlKey(state: DeliveryState, at: number, turnsMatter: boolean): string {
  const { line, mode, plan } = state
  const stories = storiesOf(state)
  const { refusalsPerAgent } = policyOf(state).limits
  const queue = stories.map((story) => story.queue).sort((a, b) => a - b)
  const key = JSON.stringify([
    mode.status === 'paused' ? [mode.status, mode.now] : mode.status === 'ended' ? mode.result : mode.status,
    intentKey(state),
    [
      plan.control.status,
      plan.repairs,
      plan.revision,
      plan.audits,
      plan.redrafts,
      plan.given,
      plan.oversize.length,
      plan.replans,
    ],
    plan.audit === null ? null : plan.audit.problems.length > 0,
    stories.map((story) => storyKey(story, queue.indexOf(story.queue), turnsMatter)),
    [
      line.tip,
      line.tree,
      line.target,
      line.train,
      line.commits,
      line.landings,
      line.landing.status,
      [line.whole === null ? null : [line.whole.mend, line.whole.findings.length > 0], line.mends, line.silences],
    ],
    [policyOf(state).strategy, policyOf(state).acceptance, policyOf(state).review.reviewers.length],
    trusterOf(state) !== null,
    policyOf(state).unattended,
    [
      line.begun !== null,
      state.trouble === null,
      isBaseTried(state),
      isStopped(state),
      state.trouble?.base,
      state.trouble?.step === line.begun?.id,
      state.parks,
    ],
    Object.values(state.running).map((started) => runningKey(state, started)),
    openQuestions(state).map(({ kind, story, deadlineAt }) => [kind, story, deadlineAt !== null && deadlineAt <= at]),
    unaskedQuestions(state).map(({ kind, story }) => [kind, story]),
    Object.entries(state.absences).map(([key, absence]) => [key, absenceKey(absence, at, refusalsPerAgent)]),
    Object.entries(state.parked).flatMap(([id, parked]) => (parked.until > at ? [id.split('-')[0]] : [])),
  ])
  return renamed(key + provenKey(state, key))
}

/** What was read, as long as something follows from it. */
function intentKey({ intent }: DeliveryState): unknown {
  const { control, context, words, faults, checked, tried } = intent
  if (isIntentSettled(intent)) return control.status
  const known = context === null ? null : [context.workKind, context.hasIdentity, context.clarity.length]
  const read = Object.entries(words).map(([seat, word]) => {
    if (word.status === 'absent') return [seat]
    const { ambiguity, reading, defensible, missing } = word.interpretation
    return [seat, ambiguity, reading.summary, reading.examples.length, defensible, missing]
  })
  const verdicts = Object.entries(checked).map(([seat, all]) => [seat, all.map(({ verdict }) => verdict)])
  const held = Object.entries(tried).map(([seat, all]) => [seat, all.map(({ of, verdict }) => [of, verdict])])
  return [held.sort(), control.status, known, read.sort(), Object.keys(faults).sort(), verdicts.sort()]
}

/** Not how far off it is. */
function absenceKey({ until, refusals, since, kind }: Absence, at: number, enough: number): unknown {
  const away = until === null ? 'barred' : until > at ? [kind, until - since > 600_000] : 'back'
  return [away, Math.min(refusals, enough)]
}

function storyKey(story: StoryState, place: number, turnsMatter: boolean): unknown[] {
  const { control, tally, past, after, phase, red } = story
  const { failures, stuck, departures } = story.thisAttempt
  const { status } = control
  // A story that is over can only be begun anew, and then all its counters are.
  if (status === 'merged' || status === 'skipped' || status === 'failed')
    return [status, tally.amendments, waiver(story), specKey(story), departures.length, story.heard]
  if (status === 'escalated') return [status, tally.amendments, waiver(story), specKey(story), story.coder, story.heard]
  return [
    { ...withoutRounds(control), text: '', reason: '', cause: '', path: '', problems: [] },
    specKey(story),
    reviewKey(story),
    [phase, red],
    [tally.rounds, tally.attempts, Object.values(tally.crashes), tally.merges, tally.parks, tally.amendments],
    turnsMatter ? story.turn - tally.turnsBefore : 0,
    waiver(story),
    failures,
    [stuck, past.length > 0 ? story.coder : null],
    new Set(past.map((one) => one.agent)).size > 1 ? past.map((one) => [one.agent, one.signature]) : 0,
    status === 'composing' || status === 'proving' ? place : 0,
    after,
    [departures.length, story.heard],
  ]
}

/** What it is now, and who may work on it. */
const specKey = ({ spec, origin, avoid, thisAttempt }: StoryState): unknown => [
  ...[spec.id, spec.dependsOn, spec.complexity],
  ...[origin, avoid, thisAttempt.taken],
]

/** What a waiver would still change. */
function waiver({ findings, waived, judged }: StoryState): unknown {
  const open = findings.filter(({ source, fingerprint }) => isOpinion(source) && !waived.includes(fingerprint))
  return [waived.length, open.length > 0 ? judged : 0]
}

const runningKey = (state: DeliveryState, { step, lost }: Started): unknown[] => [
  step.verb,
  step.story,
  fits(state, step),
  lost,
]

/** Only of trees that something still refers to. */
function provenKey(state: DeliveryState, key: string): string {
  const named = Object.entries(state.proven).filter(([tree]) => key.includes(`"${tree}"`))
  named.sort(([a], [b]) => key.indexOf(`"${a}"`) - key.indexOf(`"${b}"`))
  return JSON.stringify(named.map(([tree, judges]) => [tree, [...judges].sort()]))
}

function renamed(key: string): string {
  const names = new Map<string, string>()
  return key.replace(/"([ct]\d+)"/g, (_, id: string) => {
    const name = names.get(id) ?? `"${id[0]}${names.size}"`
    names.set(id, name)
    return name
  })
}

export const isOpinion = (source: string): boolean =>
  source === 'inspection' || source === 'verifier' || source.startsWith('review:')
