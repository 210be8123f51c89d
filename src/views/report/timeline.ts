import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import type { Instant } from '../../delivery/ids.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { counted, shortId } from '../step-text.ts'

export interface TimelineMoment {
  at: Instant
  text: string
}

/** What happened, in the words of somebody who does not know how it is done. */
export function timeline(state: DeliveryState, events: Envelope[]): TimelineMoment[] {
  const begun = new Set<string>()
  return events.flatMap(({ at, event }) => {
    const text = begins(state, event, begun) ?? plainWords(state, event)
    return text === null ? [] : [{ at, text }]
  })
}

/** The first coding turn of a story. */
function begins(state: DeliveryState, event: DeliveryEvent, begun: Set<string>): string | null {
  if (event.type !== 'StepStarted' || event.step.verb !== 'CodeStory' || begun.has(event.step.story)) return null
  begun.add(event.step.story)
  return `Work on ${quoted(state, event.step.story)} began`
}

function plainWords(state: DeliveryState, event: DeliveryEvent): string | null {
  switch (event.type) {
    case 'DeliveryRequested':
      return `Requested by ${event.requirement.submitter}`
    case 'PlanGiven':
    case 'PlanDrafted':
      return `Planned as ${counted(event.plan.stories.length, 'story', 'stories')}`
    case 'QuestionAsked':
      return `Asked: ${event.question.text}`
    case 'QuestionAnswered':
      return `${event.by} answered: ${answerText(state, event)}`
    case 'QuestionExpired':
      return `Nobody answered in time, so the default was taken: ${event.option}`
    case 'LineAdvanced':
      return `${quoted(state, event.story)} joined the result`
    case 'Landed':
      return `Merged to ${state.request?.target ?? 'the target'} as ${shortId(event.to)}`
    case 'FixStoryAdded':
      return `The result as a whole was not right yet, so “${event.spec.title}” was added`
    case 'LandingRefused':
      return `Merging had to wait: ${event.message}`
    case 'StorySkipped':
      return `${event.by} left out ${quoted(state, event.story)}: ${event.reason}`
    case 'DeliveryPaused':
      return `Paused by ${event.by}`
    case 'DeliveryResumed':
      return `Resumed by ${event.by}`
    case 'DeliveryStopping':
      return `Stopped by ${event.by}${event.reason === '' ? '' : `: ${event.reason}`}`
    case 'DeliveryCompleted':
      return `Ended: ${event.result.replaceAll('-', ' ')}${event.reason === '' ? '' : ` (${event.reason})`}`
    default:
      return null
  }
}

/** By what the option said, not by its name. */
function answerText(
  { questions }: DeliveryState,
  { question, option, text }: Extract<DeliveryEvent, { type: 'QuestionAnswered' }>,
): string {
  const chosen = questions[question]?.question.options.find(({ id }) => id === option)
  return [chosen?.label ?? option, text].filter((part) => part !== '').join(': ')
}

const quoted = (state: DeliveryState, story: string): string => `“${state.stories[story]?.spec.title ?? story}”`
