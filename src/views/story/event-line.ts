import type { DeliveryEvent, EventType } from '../../delivery/events.ts'
import type { Harvest } from '../../delivery/intent/context.ts'
import type { CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import { blocks, isByExitCode, type Verdict } from '../../delivery/judging/finding.ts'
import { fates, type Reproduction, type SortedFindings } from '../../delivery/review/review.ts'
import { usesAgent } from '../../delivery/step.ts'
import { never } from '../../std/never.ts'
import { counted, shortId, stepText, usdText } from '../step-text.ts'

interface EventLine {
  story: string | null
  text: string
  /** What somebody who watches wants to see; the rest is for the log. */
  notable: boolean
}

/** What happened, for people. */
export function eventLine(event: DeliveryEvent): EventLine {
  const text = Object.hasOwn(texts, event.type) ? texts[event.type] : never(event as never)
  return { story: storyIn(event), text: (text as (event: DeliveryEvent) => string)(event), notable: isNotable(event) }
}

function storyIn(event: DeliveryEvent): string | null {
  if (event.type === 'StepStarted') return event.step.story
  if (event.type === 'QuestionAsked') return event.question.story
  if (event.type === 'TurnSpent') return event.turn.story
  return 'story' in event ? event.story : null
}

const isNotable = (event: DeliveryEvent): boolean =>
  event.type === 'StepStarted' ? usesAgent(event.step) : !quiet.includes(event.type)

const quiet: EventType[] = [
  ...(['PolicyPinned', 'StepAborted', 'BaseTried', 'StoryTidied', 'LineComposed', 'AgentStarted'] as const),
  ...(['SessionOpened', 'TurnSpent', 'WorkArchived', 'LandingBegun'] as const),
]

export type EventOf<Type extends EventType> = Extract<DeliveryEvent, { type: Type }>

const because = (reason: string): string => (reason === '' ? '' : `: ${reason}`)
const stories = ({ plan }: EventOf<'PlanGiven' | 'PlanDrafted'>): string =>
  counted(plan.stories.length, 'story', 'stories')

/** An event that has no line here does not compile. */
const texts: { [Type in EventType]: (event: EventOf<Type>) => string } = {
  DeliveryRequested: ({ requirement, target, base }) =>
    `requested by ${requirement.submitter} on ${target} at ${shortId(base)}: ${requirement.text}`,
  PolicyPinned: ({ hash }) => `settings pinned (${hash})`,
  DeliveryPaused: ({ by, now }) => `paused by ${by}${now ? ', at once' : ''}`,
  DeliveryResumed: ({ by }) => `resumed by ${by}`,
  DeliveryStopping: ({ by, reason }) => `being stopped by ${by}${because(reason)}`,
  DeliveryReopened: ({ cause }) => `open again: ${cause}`,
  DeliveryImported: ({ by }) => `imported from a file by ${by}; everything before this is what the file says`,
  DeliveryAdopted: ({ by, repository }) => `adopted by ${by} for ${repository.path}`,
  PlanGiven: (event) => `plan ${event.revision} given: ${stories(event)} (${event.cause})`,
  StepStarted: started,
  StepParked: ({ reason }) => `waits${because(reason)}`,
  AgentRefused: ({ agent, kind, message }) => `${agent} cannot work now (${kind})${because(message)}`,
  StepAborted: ({ reason }) => `aborted${because(reason)}`,
  StepFailed: ({ message, remedy }) => `failed: ${message} (${remedy})`,
  BaseTried: ({ told }) => `on the base ${told.join('; ')}`,
  PlanDrafted: (event) => `plan ${event.revision} drafted: ${stories(event)}`,
  PlanFaulted: ({ problems }) => `the planner gave no valid plan: ${problems.join('; ')}`,
  QuestionAsked: ({ question }) => `question ${question.id}: ${question.text}`,
  QuestionExpired: ({ question, option }) => `question ${question} was not answered in time: ${option}`,
  StoryCoded: ({ commit, summary }) => `coded as ${shortId(commit)}${because(summary)}`,
  CodingFailed: ({ kind, message }) => `coding ended without a result (${kind}): ${message}`,
  CoderAsked: ({ permission, text }) =>
    permission === null ? `the coder asks: ${text}` : `the coder asks to be allowed: ${permission}`,
  StoryTidied: ({ changed }) => (changed.length === 0 ? 'tidy already' : `tidied ${counted(changed.length, 'file')}`),
  Judged: ({ judge, scope, verdict }) => `${judge}${scopes[scope]}: ${verdictText(verdict)}`,
  LineComposed: ({ onto, commit }) => `composed onto ${shortId(onto)} as ${shortId(commit)}`,
  ComposeConflicted: ({ findings }) =>
    `conflicts with the line: ${findings.map(({ file, message }) => file ?? message).join(', ')}`,
  LineAdvanced: ({ to }) => `on the line as ${shortId(to)}`,
  Landed: ({ from, to }) => `landed: ${shortId(from)} → ${shortId(to)}`,
  LandingRefused: ({ message }) => `landing has to wait: ${message}`,
  FixStoryAdded: ({ findings }) => `added to mend the result of all stories: ${findings[0]?.message ?? ''}`,
  DeliveryCompleted: ({ result, reason }) => `${result}${because(reason)}`,
  AgentStarted: ({ agent, role, command }) => `${agent} started as ${role}: ${command.join(' ')}`,
  SessionOpened: ({ session, agent }) => `session ${session} with ${agent}`,
  TurnSpent: spent,
  DayNearlySpent: ({ text }) => `concern: ${text}`,
  DaySpent: ({ text }) => `the ceiling is reached: ${text}`,
  WorkArchived: ({ ref, reason }) => `archived as ${ref}: ${reason}`,
  ConcernRaised: ({ text }) => `concern: ${text}`,
  LandingBegun: ({ to, checkouts }) =>
    `the target moves to ${shortId(to)}${checkouts.length === 0 ? '' : `, and with it ${checkouts.join(', ')}`}`,
  HiccupNoted: ({ text }) => `a passing problem: ${text}`,
  QuestionAnswered: ({ by, question, option, text }) => `${by} answered ${question}: ${option}${because(text)}`,
  StoryTold: ({ by, text }) => `told by ${by}: ${text}`,
  StoryRetried: ({ by, advice }) => `${by} asked for another try${because(advice)}`,
  StorySkipped: ({ by, reason }) => `skipped by ${by}${because(reason)}`,
  StoryAmended: ({ by, changes }) => `amended by ${by}: ${Object.keys(changes).join(', ')}`,
  FindingWaived: ({ fingerprint, by, because: why }) => `finding ${fingerprint} waived by ${by}: ${why}`,
  ContextHarvested: ({ context }) => harvested(context),
  RequirementRead: ({ seat, interpretation }) =>
    `read (${seat}, ${interpretation.ambiguity}): ${interpretation.reading.summary}`,
  ReadingFaulted: ({ seat, problems }) => `no usable reading (${seat}): ${problems.join('; ')}`,
  AssumptionsChecked: ({ checked: assumptions }) => checked(assumptions),
  ExamplesTried: held,
  PlanAudited: ({ revision, problems, concerns }) =>
    `plan ${revision} audited: ${[...problems, ...concerns].join('; ') || 'no objections'}`,
  StoryRespecified: ({ changes, cause }) => `specified anew (${Object.keys(changes).join(', ')}): ${cause}`,
  StoryUpheld: ({ why }) => `still right as it was planned: ${why}`,
  StorySplit: ({ into, cause }) => `split into ${into.map(({ id }) => id).join(', ')}: ${cause}`,
  RespecifyFaulted: ({ problems }) => `no usable specification: ${problems.join('; ')}`,
  WorkspaceLent: ({ path }) => `a human works on it in ${path}`,
  StoryReviewed: reviewed,
  FindingsTriaged: ({ sorted: findings }) => `findings sorted: ${sorted(findings)}`,
  TriageFaulted: ({ problems }) => `no usable triage: ${problems.join('; ')}`,
  FindingsReproduced: ({ reproductions }) => `findings tried by tests: ${tried(reproductions)}`,
}

const scopes = { story: '', line: ' on the line, with all that is ahead of it', whole: ' as a whole' }

function started({ step, try: count }: EventOf<'StepStarted'>): string {
  const who = step.verb === 'CodeStory' ? ` by ${step.agent} (attempt ${step.attempt}, round ${step.round})` : ''
  const again = count > 1 ? `, start ${count}` : ''
  const why = 'because' in step && step.because !== '' ? `, ${step.because}` : ''
  return `${stepText(step)}${who}${again}${why}`
}

function spent({ turn: { role, agent, usage, usd, price, exact } }: EventOf<'TurnSpent'>): string {
  const isSilent = price === 'untold' || price === 'lost'
  const tokens = isSilent ? 'usage unknown' : `${usage.inputTokens + usage.outputTokens} tokens`
  const isUnknown = isSilent || price === 'unknown'
  const counts = usd === 0 ? 'nothing set aside for it' : `counted as ${usdText(usd)}`
  const cost = isUnknown ? `${isSilent ? '' : 'price unknown, '}${counts}` : usdText(usd)
  return `${role} turn of ${agent}: ${tokens}, ${cost}${exact ? '' : ' (estimated)'}`
}

export function verdictText(verdict: Verdict): string {
  switch (verdict.status) {
    case 'passed': {
      const counts = verdict.proof?.counts
      const tests = counts == null ? '' : ` (${counts.passed} of ${counts.total})`
      const alone = verdict.proof !== null && isByExitCode(verdict.proof) ? ' by exit code alone' : ''
      return `passed${alone}${tests}${verdict.proof?.reused === true ? ', proven before' : ''}`
    }
    case 'findings': {
      const first = verdict.findings.find(blocks)
      // What holds nobody back is only noted.
      if (first === undefined) return `passed; noted${because(verdict.findings[0]?.message ?? '')}`
      return `${counted(verdict.findings.length, 'finding')}${because(first.message)}`
    }
    case 'none':
      return `no verdict: ${verdict.reason}`
    default:
      return never(verdict)
  }
}

function harvested(context: Harvest): string {
  const { items, workKind, clarity, signals } = context
  const failed = clarity.filter(({ passed }) => !passed).map(({ rule }) => rule)
  const said = [
    `${counted(items.length, 'source')} of context collected`,
    `a ${workKind}`,
    ...(failed.length === 0 ? [] : [`not ${failed.join(', ')}`]),
    ...addressesText(context),
    ...(signals.length === 0 ? [] : [`signs of doubt: ${signals.map(({ name }) => name).join(', ')}`]),
  ]
  return said.join('; ')
}

/** As `read https://a.example; not read: https://b.example (it answers 404)`. */
function addressesText({ references, unreachable }: Harvest): string[] {
  const read = references.map(({ source }) => source)
  const not = unreachable.map(({ source, why }) => `${source} (${why})`)
  return [
    ...(read.length === 0 ? [] : [`read ${read.join(', ')}`]),
    ...(not.length === 0 ? [] : [`not read: ${not.join(', ')}`]),
  ]
}

function checked(assumptions: CheckedAssumption[]): string {
  const bad = assumptions.filter(({ verdict }) => verdict !== 'holds')
  const told = bad.map(({ verdict, claim }) => `${verdict}: ${claim}`).join('; ')
  return `${counted(assumptions.length, 'assumption')} checked: ${told || 'all hold'}`
}

function held({ seat, tried: words }: EventOf<'ExamplesTried'>): string {
  const not = words.filter(({ verdict }) => verdict !== 'yes')
  const told = not.map(({ verdict, input, output }) => `${verdict}: ${input} → ${output}`).join('; ')
  return `${counted(words.length, 'example')} tried on the reading of ${seat}: ${told || 'all of them hold'}`
}

function reviewed({ vantage, word }: EventOf<'StoryReviewed'>): string {
  if (word.status === 'absent') return `reviewer for ${vantage} gave no review: ${word.reason}`
  if (word.rebuttals.length > 0)
    return `reviewer for ${vantage} on others' findings: ${word.rebuttals.map(({ stance }) => stance).join(', ')}`
  const verdict = word.verdict === 'approve' ? 'approves' : 'says that it needs work'
  const first = word.findings[0]
  return `reviewer for ${vantage} ${verdict} (${counted(word.findings.length, 'finding')})${first === undefined ? '' : `: ${first.message}`}`
}

/** As `2 accepted, 1 rejected`. */
const sorted = (findings: SortedFindings[]): string =>
  fates
    .map((fate) => ({ fate, count: findings.filter((one) => one.fate === fate).length }))
    .flatMap(({ fate, count }) => (count === 0 ? [] : [`${count} ${fate}`]))
    .join(', ') || 'none'

const tried = (reproductions: Reproduction[]): string =>
  reproductions.map(({ result, why }) => `${result} (${why})`).join('; ') || 'none'
