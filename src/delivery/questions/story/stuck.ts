// What questions about a story with which nobody can go on without a human have in common.

import type { Answer, Option } from '../../question.ts'
import type { DeliveryState } from '../../state.ts'
import { raiseConcern } from '../../state.ts'
import { settleWithout } from '../../story/course/attempts.ts'
import type { StoryState } from '../../story/story.ts'

/** What was tried, and what stands against it. */
export function packet({ past, findings, former, last }: StoryState): string {
  const lines = [
    ...former.map(({ as, cause }) => `- was ${as}: ${cause}`),
    ...past
      .slice(-10)
      .map(({ attempt, round, agent, ended }) => `- attempt ${attempt}.${round} (${agent || 'a human'}): ${ended}`),
    ...findings.slice(0, 10).map(({ source, file, line, message }) => `- ${source}${where(file, line)}: ${message}`),
    ...(last === null ? [] : [`- the last work: ${last.from}`]),
  ]
  return lines.map((line) => line.slice(0, 500)).join('\n')
}

const where = (file: string | null, line: number | null): string =>
  file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}`

/** Whether the answer ends the story, or all of it. */
export function isLeftOut(
  state: DeliveryState,
  story: StoryState,
  { answer, reason }: { answer: Answer; reason: string },
): boolean {
  const late = answer.by === 'deadline'
  const why = late ? `nobody answered in time: ${reason}` : answer.text || reason
  switch (answer.option) {
    case 'stop':
      state.mode = { status: 'stopping', reason: answer.text || `${story.spec.id} was abandoned` }
      return true
    case 'skip':
      if (late) raiseConcern(state, `${story.spec.id} was left out: ${why}`)
      settleWithout(state, story, {
        status: 'skipped',
        reason: why,
        because: null,
        ...(late ? { unanswered: true } : {}),
      })
      return true
    case 'fail':
      settleWithout(state, story, { status: 'failed', reason: why })
      return true
    default:
      return false
  }
}

export const leaveOut: Option = { id: 'skip', label: 'leave it out, and what depends on it' }
export const giveUp: Option = {
  id: 'fail',
  label: 'give it up: what depends on it is left out, and the delivery ends as blocked',
}
export const stopAll: Option = { id: 'stop', label: 'stop the delivery' }
