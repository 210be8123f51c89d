import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { goOnWithChangedTests, maintainedText } from '../../story/course/judging.ts'
import { told } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { reject, type StoryRules } from './rules.ts'

/** Old tests fail, and their coder maintains that they have to change. It waits for as long as it takes. */
export const changedTestsRules: StoryRules<'contested'> = {
  about: 'story',
  status: 'contested',
  words: { reject },
  /** One question for all of them, with what each expected and what it expects now. */
  ask(_, { spec, turn, handoff }, { findings }) {
    const shown = findings.map(({ message, evidence }, index) => `${index + 1}. ${message}\n${evidence}`)
    return asQuestion({
      id: `changed-tests-${spec.id}-${turn}`,
      kind: 'changed-tests',
      story: spec.id,
      text: `${findings.length} old tests fail on ${spec.id}, and its coder says that they must change. May they be changed?`,
      options,
      evidence: [maintainedText(handoff), ...shown].join('\n\n').slice(0, 20_000),
    })
  },
  /** A human's no costs no attempt and no round, as at a gate. */
  answer(state, story, { control, answer }) {
    if (answer.option === 'accept') return goOnWithChangedTests(state, story, control)
    const { base, commit, findings } = control
    story.findings = [told(answer.text || 'these tests hold: mend the code'), ...findings]
    story.thisAttempt.failures = null
    story.tally.rounds = 1
    story.tally.turnsBefore = story.turn
    story.round += 1
    moveStory(story, 'sentBack', { base, from: commit })
  },
}

const options: Option[] = [
  { id: 'accept', label: 'yes: the requirement demands it' },
  { id: 'reject', label: 'no: send the story back, and say why' },
]
