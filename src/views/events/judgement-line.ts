import type { Harvest } from '../../delivery/intent/context.ts'
import type { IntentOutcome } from '../../delivery/intent/events.ts'
import type { CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import type { SpecOutcome } from '../../delivery/plan/events.ts'
import type { ReviewOutcome } from '../../delivery/review/events.ts'
import { fates, type Reproduction, type Sorted } from '../../delivery/review/review.ts'
import { never } from '../../std/never.ts'
import { counted } from '../step-text.ts'
import { type EventLine, note } from './line.ts'

/** What was said about what is meant, about a plan, and about work. */
export function judgementLine(event: IntentOutcome | SpecOutcome | ReviewOutcome): EventLine {
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
        `plan ${event.revision} audited: ${[...event.problems, ...event.concerns].join('; ') || 'nothing against it'}`,
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
  return `${counted(words.length, 'example')} held against the reading of ${seat}: ${told || 'it has all of them so'}`
}

function reviewed({ vantage, word }: Extract<ReviewOutcome, { type: 'StoryReviewed' }>): string {
  if (word.status === 'absent') return `reviewer for ${vantage} did not come back: ${word.reason}`
  if (word.rebuttals.length > 0)
    return `reviewer for ${vantage} on others' findings: ${word.rebuttals.map(({ stance }) => stance).join(', ')}`
  const verdict = word.verdict === 'approve' ? 'approves' : 'says that it needs work'
  const first = word.findings[0]
  return `reviewer for ${vantage} ${verdict} (${counted(word.findings.length, 'finding')})${first === undefined ? '' : `: ${first.message}`}`
}

/** As `2 accepted, 1 rejected`. */
export const sorted = (findings: Sorted[]): string =>
  fates
    .map((fate) => ({ fate, count: findings.filter((one) => one.fate === fate).length }))
    .flatMap(({ fate, count }) => (count === 0 ? [] : [`${count} ${fate}`]))
    .join(', ') || 'none'

const tried = (reproductions: Reproduction[]): string =>
  reproductions.map(({ result, why }) => `${result} (${why})`).join('; ') || 'none'
