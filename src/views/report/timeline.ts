import type { DeliveryEvent, Envelope, EventType } from '../../delivery/events.ts'
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
  const words = texts[event.type] as ((event: DeliveryEvent, state: DeliveryState) => string) | undefined
  return words?.(event, state) ?? null
}

type EventOf<Type extends EventType> = Extract<DeliveryEvent, { type: Type }>

const plannedText = ({ plan }: EventOf<'PlanGiven' | 'PlanDrafted'>): string =>
  `Planned as ${counted(plan.stories.length, 'story', 'stories')}`

const texts: { [Type in EventType]?: (event: EventOf<Type>, state: DeliveryState) => string } = {
  DeliveryRequested: ({ requirement }) => `Requested by ${requirement.submitter}`,
  PlanGiven: plannedText,
  PlanDrafted: plannedText,
  QuestionAsked: ({ question }) => `Asked: ${question.text}`,
  QuestionAnswered: (event, state) => `${event.by} answered: ${answerText(state, event)}`,
  QuestionExpired: ({ option }) => `Nobody answered in time, so the default was taken: ${option}`,
  LineAdvanced: ({ story }, state) => `${quoted(state, story)} joined the result`,
  Landed: ({ to }, { request }) => `Merged to ${request?.target ?? 'the target'} as ${shortId(to)}`,
  FixStoryAdded: ({ spec }) => `The result as a whole was not right yet, so “${spec.title}” was added`,
  LandingRefused: ({ message }) => `Merging had to wait: ${message}`,
  StorySkipped: ({ by, story, reason }, state) => `${by} left out ${quoted(state, story)}: ${reason}`,
  DeliveryPaused: ({ by }) => `Paused by ${by}`,
  DeliveryResumed: ({ by }) => `Resumed by ${by}`,
  DeliveryStopping: ({ by, reason }) => `Stopped by ${by}${reason === '' ? '' : `: ${reason}`}`,
  DeliveryCompleted: ({ result, reason }) =>
    `Ended: ${result.replaceAll('-', ' ')}${reason === '' ? '' : ` (${reason})`}`,
}

/** By what the option said, not by its name. */
function answerText({ questions }: DeliveryState, { question, option, text }: EventOf<'QuestionAnswered'>): string {
  const chosen = questions[question]?.question.options.find(({ id }) => id === option)
  return [chosen?.label ?? option, text].filter((part) => part !== '').join(': ')
}

const quoted = (state: DeliveryState, story: string): string => `“${state.stories[story]?.spec.title ?? story}”`
