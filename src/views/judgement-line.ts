import type { IntentOutcome } from '../delivery/intent/events.ts'
import type { SpecOutcome } from '../delivery/plan/events.ts'
import type { ReviewOutcome } from '../delivery/review/events.ts'
import { never } from '../std/never.ts'
import type { EventLine } from './event-line.ts'
import { counted } from './step-text.ts'

/** What was said about what is meant, about a plan, and about work. */
export function judgementLine(event: IntentOutcome | SpecOutcome | ReviewOutcome): EventLine {
  switch (event.type) {
    case 'ContextHarvested':
      return line(null, `${counted(event.context.items.length, 'source')} of context collected`)
    case 'RequirementRead':
      return line(null, `read (${event.seat}): ${event.interpretation.reading.summary}`)
    case 'ReadingFaulted':
      return line(null, `no usable reading (${event.seat}): ${event.problems.join('; ')}`)
    case 'AssumptionsChecked':
      return line(null, `${counted(event.checked.length, 'assumption')} checked`)
    case 'PlanAudited':
      return line(null, `plan ${event.revision} audited: ${event.problems.join('; ') || 'nothing against it'}`)
    case 'StoryRespecified':
      return line(event.story, `specified anew: ${event.cause}`)
    case 'StorySplit':
      return line(event.story, `split into ${event.into.map(({ id }) => id).join(', ')}: ${event.cause}`)
    case 'RespecifyFaulted':
      return line(event.story, `no usable specification: ${event.problems.join('; ')}`)
    case 'WorkspaceLent':
      return line(event.story, `a human works on it in ${event.path}`)
    case 'StoryReviewed':
      return line(event.story, reviewed(event))
    case 'FindingsTriaged':
      return line(event.story, `${counted(event.sorted.length, 'finding')} sorted`)
    case 'TriageFaulted':
      return line(event.story, `no usable triage: ${event.problems.join('; ')}`)
    case 'FindingsReproduced':
      return line(event.story, event.reproductions.map(({ result, why }) => `${result}: ${why}`).join('; '))
    default:
      return never(event)
  }
}

const line = (story: string | null, text: string): EventLine => ({ story, text, notable: true })

function reviewed({ vantage, word }: Extract<ReviewOutcome, { type: 'StoryReviewed' }>): string {
  if (word.status === 'absent') return `reviewer for ${vantage} did not come back: ${word.reason}`
  const verdict = word.verdict === 'approve' ? 'approves' : 'says that it needs work'
  return `reviewer for ${vantage} ${verdict} (${counted(word.findings.length, 'finding')})`
}
