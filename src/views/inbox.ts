import type { Finding } from '../delivery/judging/finding.ts'
import type { Question } from '../delivery/question.ts'
import { openQuestions } from '../delivery/questions/due.ts'
import { questionRules } from '../delivery/questions/registry.ts'
import type { DeliveryState } from '../delivery/state.ts'
import type { StoryState } from '../delivery/story/story.ts'
import { oneLine } from '../std/text/plain-text.ts'
import { counted, placeText } from './step-text.ts'

/** A question that waits for a human, with all they need to answer it. What `inbox` shows, and its JSON. */
export type InboxItem = ReturnType<typeof inboxOf>[number]

export const inboxOf = (state: DeliveryState) =>
  openQuestions(state).map((asked) => {
    const { evidence: _, ...question } = asked
    const { deadlineAt, default: option } = question
    return {
      delivery: state.id,
      requirement: state.request?.requirement.text ?? '',
      repository: state.request?.repository.path ?? '',
      question,
      evidence: packetOf(state, asked),
      // What will be done by itself, and when; null: it waits for as long as it takes.
      otherwise: deadlineAt === null || option === null ? null : { option, at: deadlineAt },
    }
  })

const mostFindings = 5

/** What a person has to see before they answer, line by line: what the question brings itself, else the story's own facts. */
function packetOf(state: DeliveryState, question: Question): string[] {
  const own = question.evidence.trim() === '' ? [] : question.evidence.trimEnd().split('\n')
  const { shows } = questionRules[question.kind]
  if (shows === 'plan') return [...own, ...planLines(state)]
  return own.length > 0 || shows === 'nothing' ? own : storyLines(state, question)
}

const planLines = ({ plan, stories }: DeliveryState): string[] =>
  (plan.plan?.stories ?? []).map(
    ({ id, title, complexity }) =>
      `${id}: ${oneLine(title, 200)} (complexity ${complexity}${sharingText(stories[id]?.after ?? [])})`,
  )

function storyLines(state: DeliveryState, { story: id }: Question): string[] {
  const story = id === null ? undefined : state.stories[id]
  if (story === undefined) return []
  return [...pastLines(story), ...findingLines(story.findings)]
}

const sharingText = (after: string[]): string => (after.length === 0 ? '' : `, same files as ${after.join(', ')}`)

const pastLines = ({ past }: StoryState): string[] =>
  past.slice(-3).map(({ attempt, agent, ended }) => `attempt ${attempt} by ${agent} ended: ${oneLine(ended, 300)}`)

function findingLines(findings: Finding[]): string[] {
  const left = findings.length - mostFindings
  const shown = findings.slice(0, mostFindings).map(findingText)
  return left > 0 ? [...shown, `and ${counted(left, 'finding')} more`] : shown
}

/** One line: how much it weighs, who says so, what, and where. */
export const findingText = (finding: Finding): string =>
  `${finding.severity} (${finding.source}) ${oneLine(finding.message, 200)}${finding.file === null ? '' : ` at ${placeText(finding)}`}`
