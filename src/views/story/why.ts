import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import type { Instant } from '../../delivery/ids.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Question } from '../../delivery/question.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { storyOf } from '../../delivery/state.ts'
import type { PastAttempt } from '../../delivery/story/story.ts'
import type { StoryView } from '../status.ts'
import { storyView } from '../status.ts'
import { eventLine } from './event-line.ts'

/** Where a story is and how it came there, from recorded facts alone. */
export interface WhyView {
  story: StoryView
  description: string
  criteria: string[]
  past: PastAttempt[]
  history: { at: Instant; version: number; text: string; findings: Finding[] }[]
  questions: Question[]
  waived: string[]
}

export function whyView(state: DeliveryState, id: string, events: Envelope[]): WhyView {
  const story = storyOf(state, id)
  return {
    story: storyView(state, story),
    description: story.spec.description,
    criteria: story.spec.criteria,
    past: story.past,
    history: events.filter((one) => isAbout(state, one.event, id)).map(entryOf),
    questions: openQuestions(state).filter((question) => question.story === id),
    waived: story.waived,
  }
}

/** Notable events of the story, and what a human said about it. */
function isAbout(state: DeliveryState, event: DeliveryEvent, id: string): boolean {
  if (event.type === 'QuestionAnswered' || event.type === 'QuestionExpired')
    return state.questions[event.question]?.question.story === id
  const { story, notable } = eventLine(event)
  return notable && story === id
}

function entryOf({ at, version, event }: Envelope): WhyView['history'][number] {
  return { at, version, text: eventLine(event).text, findings: findingsIn(event) }
}

function findingsIn(event: DeliveryEvent): Finding[] {
  if (event.type === 'Judged') return event.verdict.status === 'findings' ? event.verdict.findings : []
  if (event.type === 'StoryReviewed') return event.word.status === 'returned' ? event.word.findings : []
  return event.type === 'ComposeConflicted' ? event.findings : []
}
