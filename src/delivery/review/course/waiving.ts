import { blocks, type Finding, isOfReview } from '../../judging/finding.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import { leaveWhenJudged } from '../../story/course/judging.ts'
import { reviveDependents } from '../../story/course/ladder.ts'
import type { StoryState } from '../../story/story.ts'
import { moveStory, waivable } from '../../story/transitions.ts'
import { approve } from './ending.ts'

/** After a waiver: when nothing is left that blocks, the judged commit goes on from where it was stopped. */
export function goOnAfterWaiver(state: DeliveryState, story: StoryState): void {
  const { judged, control } = story
  const open = story.findings.some(
    (finding) => finding.source !== 'coder' && holds(state, finding) && !story.waived.includes(finding.fingerprint),
  )
  if (judged === null || open || !waivable.some((status) => status === control.status)) return
  const { base, commit, tree, phase, red } = judged
  story.findings = []
  // It is of another part, begun anew since.
  if (story.phase !== phase) story.thisAttempt.session = null
  story.phase = phase
  story.red = red
  if (judged.judge === 'review') {
    reviveDependents(state, story)
    return approve(state, story, judged)
  }
  moveStory(story, 'findingWaived', { base, commit, tree, passed: [...judged.passed, judged.judge], retry: 0 })
  reviveDependents(state, story)
  leaveWhenJudged(state, story)
}

/** Of what reviewers say, the settings say what sends it back. */
const holds = (state: DeliveryState, finding: Finding): boolean =>
  isOfReview(finding) ? policyOf(state).review.blocks.includes(finding.severity) : blocks(finding)
