import type { DeliveryEvent, Human, Interim, Lifecycle, Outcome, Stepping } from '../../delivery/events.ts'
import type { Harvest } from '../../delivery/intent/context.ts'
import type { IntentOutcome } from '../../delivery/intent/events.ts'
import type { CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import { blocks, isByExitCode, type Verdict } from '../../delivery/judging/finding.ts'
import type { SpecOutcome } from '../../delivery/plan/events.ts'
import type { ReviewOutcome } from '../../delivery/review/events.ts'
import { fates, type Reproduction, type Sorted } from '../../delivery/review/review.ts'
import { usesAgent } from '../../delivery/step.ts'
import { never } from '../../std/never.ts'
import { counted, shortId, stepText, usdText } from '../step-text.ts'

/** What happened, for people. One case for every event there is. */
export function eventLine(event: DeliveryEvent): EventLine {
  switch (event.type) {
    case 'DeliveryRequested':
    case 'PolicyPinned':
    case 'DeliveryPaused':
    case 'DeliveryResumed':
    case 'DeliveryStopping':
    case 'DeliveryReopened':
    case 'DeliveryImported':
    case 'DeliveryAdopted':
      return lifecycle(event)
    case 'PlanGiven':
      return note(
        null,
        `plan ${event.revision} given: ${counted(event.plan.stories.length, 'story', 'stories')} (${event.cause})`,
      )
    case 'StepStarted':
    case 'StepParked':
    case 'AgentRefused':
    case 'StepAborted':
    case 'StepFailed':
      return stepping(event)
    case 'AgentStarted':
    case 'SessionOpened':
    case 'TurnSpent':
    case 'DayNearlySpent':
    case 'DaySpent':
    case 'WorkArchived':
    case 'ConcernRaised':
    case 'LandingBegun':
    case 'HiccupNoted':
      return interim(event)
    case 'QuestionAnswered':
    case 'StoryTold':
    case 'StoryRetried':
    case 'StorySkipped':
    case 'StoryAmended':
    case 'FindingWaived':
      return human(event)
    default:
      return outcome(event)
  }
}

const inCheckouts = (paths: string[]): string => (paths.length === 0 ? '' : `, and with it ${paths.join(', ')}`)

const because = (reason: string): string => (reason === '' ? '' : `: ${reason}`)

function lifecycle(event: Lifecycle): EventLine {
  switch (event.type) {
    case 'DeliveryRequested':
      return note(
        null,
        `requested by ${event.requirement.submitter} on ${event.target} at ${shortId(event.base)}: ${event.requirement.text}`,
      )
    case 'PolicyPinned':
      return quiet(null, `settings pinned (${event.hash})`)
    case 'DeliveryPaused':
      return note(null, `paused by ${event.by}${event.now ? ', at once' : ''}`)
    case 'DeliveryResumed':
      return note(null, `resumed by ${event.by}`)
    case 'DeliveryStopping':
      return note(null, `being stopped by ${event.by}${because(event.reason)}`)
    case 'DeliveryReopened':
      return note(null, `open again: ${event.cause}`)
    case 'DeliveryImported':
      return note(null, `imported from a file by ${event.by}; all before this is what the file says`)
    case 'DeliveryAdopted':
      return note(null, `adopted by ${event.by} for ${event.repository.path}`)
    default:
      return never(event)
  }
}

function stepping(event: Stepping): EventLine {
  switch (event.type) {
    case 'StepStarted': {
      const { step } = event
      const who = step.verb === 'CodeStory' ? ` by ${step.agent} (attempt ${step.attempt}, round ${step.round})` : ''
      const again = event.try > 1 ? `, start ${event.try}` : ''
      const why = 'because' in step && step.because !== '' ? `, ${step.because}` : ''
      const line = `${stepText(step)}${who}${again}${why}`
      return usesAgent(step) ? note(step.story, line) : quiet(step.story, line)
    }
    case 'StepParked':
      return note(event.story, `waits${because(event.reason)}`)
    case 'AgentRefused':
      return note(event.story, `${event.agent} cannot work now (${event.kind})${because(event.message)}`)
    case 'StepAborted':
      return quiet(event.story, `aborted${because(event.reason)}`)
    case 'StepFailed':
      return note(event.story, `failed: ${event.message} (${event.remedy})`)
    default:
      return never(event)
  }
}

function outcome(event: Outcome): EventLine {
  switch (event.type) {
    case 'PlanDrafted':
      return note(null, `plan ${event.revision} drafted: ${counted(event.plan.stories.length, 'story', 'stories')}`)
    case 'BaseTried':
      return quiet(null, `on the base ${event.told.join('; ')}`)
    case 'PlanFaulted':
      return note(null, `the planner gave no valid plan: ${event.problems.join('; ')}`)
    case 'QuestionAsked':
      return note(event.question.story, `question ${event.question.id}: ${event.question.text}`)
    case 'QuestionExpired':
      return note(null, `question ${event.question} was not answered in time: ${event.option}`)
    case 'StoryCoded':
      return note(event.story, `coded as ${shortId(event.commit)}${because(event.summary)}`)
    case 'CodingFailed':
      return note(event.story, `coding ended without a result (${event.kind}): ${event.message}`)
    case 'CoderAsked':
      return note(
        event.story,
        event.permission === null
          ? `the coder asks: ${event.text}`
          : `the coder asks to be allowed: ${event.permission}`,
      )
    case 'StoryTidied':
      return quiet(
        event.story,
        event.changed.length === 0 ? 'tidy already' : `tidied ${counted(event.changed.length, 'file')}`,
      )
    case 'Judged':
      return judged(event)
    case 'LineComposed':
      return quiet(event.story, `composed onto ${shortId(event.onto)} as ${shortId(event.commit)}`)
    case 'ComposeConflicted':
      return note(
        event.story,
        `conflicts with the line: ${event.findings.map((one) => one.file ?? one.message).join(', ')}`,
      )
    case 'LineAdvanced':
      return note(event.story, `on the line as ${shortId(event.to)}`)
    case 'Landed':
      return note(null, `landed: ${shortId(event.from)} → ${shortId(event.to)}`)
    case 'LandingRefused':
      return note(null, `landing has to wait: ${event.message}`)
    case 'FixStoryAdded':
      return note(event.story, `added to mend the result of all stories: ${event.findings[0]?.message ?? ''}`)
    case 'DeliveryCompleted':
      return note(null, `${event.result}${because(event.reason)}`)
    default:
      return judgementLine(event)
  }
}

function judged(event: Extract<Outcome, { type: 'Judged' }>): EventLine {
  const scope =
    event.scope === 'story' ? '' : event.scope === 'line' ? ' on the line, with all that is ahead of it' : ' as a whole'
  return { story: event.story, text: `${event.judge}${scope}: ${verdictText(event.verdict)}`, notable: true }
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

function interim(event: Interim): EventLine {
  switch (event.type) {
    case 'AgentStarted':
      return quiet(event.story, `${event.agent} started as ${event.role}: ${event.command.join(' ')}`)
    case 'SessionOpened':
      return quiet(event.story, `session ${event.session} with ${event.agent}`)
    case 'TurnSpent': {
      const { story, role, agent, usage, usd, price } = event.turn
      const isSilent = price === 'untold' || price === 'lost'
      const tokens = isSilent ? 'usage unknown' : `${usage.inputTokens + usage.outputTokens} tokens`
      const isUnknown = isSilent || price === 'unknown'
      const counts = usd === 0 ? 'nothing set aside for it' : `counted as ${usdText(usd)}`
      const cost = isUnknown ? `${isSilent ? '' : 'price unknown, '}${counts}` : usdText(usd)
      return quiet(story, `${role} turn of ${agent}: ${tokens}, ${cost}${event.turn.exact ? '' : ' (estimated)'}`)
    }
    case 'DayNearlySpent':
      return note(null, `concern: ${event.text}`)
    case 'DaySpent':
      return note(null, `the ceiling is reached: ${event.text}`)
    case 'WorkArchived':
      return quiet(event.story, `archived as ${event.ref}: ${event.reason}`)
    case 'ConcernRaised':
      return note(event.story, `concern: ${event.text}`)
    case 'LandingBegun':
      return quiet(null, `the target moves to ${shortId(event.to)}${inCheckouts(event.checkouts)}`)
    case 'HiccupNoted':
      return note(event.story, `a passing problem: ${event.text}`)
    default:
      return never(event)
  }
}

function human(event: Human): EventLine {
  switch (event.type) {
    case 'QuestionAnswered':
      return note(null, `${event.by} answered ${event.question}: ${event.option}${because(event.text)}`)
    case 'StoryTold':
      return note(event.story, `told by ${event.by}: ${event.text}`)
    case 'StoryRetried':
      return note(event.story, `${event.by} asked for another try${because(event.advice)}`)
    case 'StorySkipped':
      return note(event.story, `skipped by ${event.by}${because(event.reason)}`)
    case 'StoryAmended':
      return note(event.story, `amended by ${event.by}: ${Object.keys(event.changes).join(', ')}`)
    case 'FindingWaived':
      return note(event.story, `finding ${event.fingerprint} waived by ${event.by}: ${event.because}`)
    default:
      return never(event)
  }
}

/** What was said about what is meant, about a plan, and about work. */
function judgementLine(event: IntentOutcome | SpecOutcome | ReviewOutcome): EventLine {
  switch (event.type) {
    case 'ContextHarvested':
      return note(null, harvested(event.context))
    case 'RequirementRead':
      return note(
        null,
        `read (${event.seat}, ${event.interpretation.ambiguity}): ${event.interpretation.reading.summary}`,
      )
    case 'ReadingFaulted':
      return note(null, `no usable reading (${event.seat}): ${event.problems.join('; ')}`)
    case 'AssumptionsChecked':
      return note(null, checked(event.checked))
    case 'ExamplesTried':
      return note(null, held(event))
    case 'PlanAudited':
      return note(
        null,
        `plan ${event.revision} audited: ${[...event.problems, ...event.concerns].join('; ') || 'no objections'}`,
      )
    case 'StoryRespecified':
      return note(event.story, `specified anew (${Object.keys(event.changes).join(', ')}): ${event.cause}`)
    case 'StoryUpheld':
      return note(event.story, `still right as it was planned: ${event.why}`)
    case 'StorySplit':
      return note(event.story, `split into ${event.into.map(({ id }) => id).join(', ')}: ${event.cause}`)
    case 'RespecifyFaulted':
      return note(event.story, `no usable specification: ${event.problems.join('; ')}`)
    case 'WorkspaceLent':
      return note(event.story, `a human works on it in ${event.path}`)
    case 'StoryReviewed':
      return note(event.story, reviewed(event))
    case 'FindingsTriaged':
      return note(event.story, `findings sorted: ${sorted(event.sorted)}`)
    case 'TriageFaulted':
      return note(event.story, `no usable triage: ${event.problems.join('; ')}`)
    case 'FindingsReproduced':
      return note(event.story, `findings tried by tests: ${tried(event.reproductions)}`)
    default:
      return never(event)
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

function held({ seat, tried: words }: Extract<IntentOutcome, { type: 'ExamplesTried' }>): string {
  const not = words.filter(({ verdict }) => verdict !== 'yes')
  const told = not.map(({ verdict, input, output }) => `${verdict}: ${input} → ${output}`).join('; ')
  return `${counted(words.length, 'example')} tried on the reading of ${seat}: ${told || 'all of them hold'}`
}

function reviewed({ vantage, word }: Extract<ReviewOutcome, { type: 'StoryReviewed' }>): string {
  if (word.status === 'absent') return `reviewer for ${vantage} gave no review: ${word.reason}`
  if (word.rebuttals.length > 0)
    return `reviewer for ${vantage} on others' findings: ${word.rebuttals.map(({ stance }) => stance).join(', ')}`
  const verdict = word.verdict === 'approve' ? 'approves' : 'says that it needs work'
  const first = word.findings[0]
  return `reviewer for ${vantage} ${verdict} (${counted(word.findings.length, 'finding')})${first === undefined ? '' : `: ${first.message}`}`
}

/** As `2 accepted, 1 rejected`. */
const sorted = (findings: Sorted[]): string =>
  fates
    .map((fate) => ({ fate, count: findings.filter((one) => one.fate === fate).length }))
    .flatMap(({ fate, count }) => (count === 0 ? [] : [`${count} ${fate}`]))
    .join(', ') || 'none'

const tried = (reproductions: Reproduction[]): string =>
  reproductions.map(({ result, why }) => `${result} (${why})`).join('; ') || 'none'

interface EventLine {
  story: string | null
  text: string
  /** What somebody who watches wants to see; the rest is for the log. */
  notable: boolean
}

const note = (story: string | null, text: string): EventLine => ({ story, text, notable: true })
const quiet = (story: string | null, text: string): EventLine => ({ story, text, notable: false })
