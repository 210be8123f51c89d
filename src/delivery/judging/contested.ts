import type { Answer } from '../questions/question.ts'
import type { DeliveryState } from '../state.ts'
import type { StoryState } from '../story/story.ts'
import { told } from '../story/told.ts'
import { goOnWithChangedTests } from './judging.ts'

/** A human's no costs no attempt and no round, as at a gate. */
export function answerChangedTests(state: DeliveryState, story: StoryState, answer: Answer): void {
  const { control } = story
  if (control.status !== 'contested') return
  if (answer.option === 'accept') return goOnWithChangedTests(state, story, control)
  const { base, commit, findings } = control
  story.findings = [told(answer.text || 'these tests hold: mend the code'), ...findings]
  story.failures = null
  story.tally.rounds = 1
  story.tally.turnsBefore = story.turn
  story.round += 1
  story.control = { status: 'coding', base, from: commit }
}
