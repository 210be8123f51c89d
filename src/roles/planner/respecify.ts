import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Plan, Story } from '../../delivery/plan/plan.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { PastAttempt } from '../../delivery/story/story.ts'
import { contractOf } from '../answer/contract.ts'
import { list, record, text } from '../answer/shape.ts'
import { answerSection, problemsSection } from '../answer/told.ts'
import { checksSection } from '../prompt/checks.ts'
import { fenced } from '../prompt/fence.ts'
import { findingsSection } from '../prompt/findings.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { requirementSection } from '../prompt/requirement.ts'
import { section } from '../prompt/sections.ts'
import { attemptTexts, storySection, storyTexts } from '../prompt/story.ts'
import { amendmentContract, departureContract, departureTask } from './amendment.ts'
import { exampleStory, storyShape } from './contract.ts'
import { proofProblems } from './outline.ts'

const cause = text({ least: 1, most: 1_000 })

const split = record({ cause, stories: list(storyShape, { most: 20 }) })
export type Split = ReturnType<typeof split.read>

export const splitContract = contractOf({
  name: 'split',
  version: 1,
  shape: split,
  example: {
    cause: 'Reading and checking dates are two things, and each is hard enough.',
    stories: [exampleStory, { id: 'check-dates', title: 'Refuse dates that do not exist', dependsOn: ['parse-dates'] }],
  },
  bareList: { field: 'stories', key: 'id' },
  rivals: 'last',
  contradictions: ({ stories }) => [
    ...(stories.length < 2 ? ['a split has at least two stories'] : []),
    ...stories.flatMap(({ proofs }, story) =>
      proofs.flatMap((proof, index) => proofProblems(proof, `stories[${story}].proofs[${index}]`)),
    ),
  ],
})

interface RespecifyBrief {
  as: 'amended' | 'split'
  story: Story
  reason: string
  /** Others departed from the plan: it may be right as it is. */
  isReplanned: boolean
  findings: Finding[]
  past: PastAttempt[]
  plan: Plan | null
  problems: string[]
  requirement: Requirement
  checks: CheckPolicy[]
  result: string
}

/** What the planner is told when a story failed for its specification, is too much for one, or stands on other ground than planned. */
export function respecifyPrompt(brief: RespecifyBrief, setting: Setting): Prompt {
  const { as, story, past, plan, problems, result } = brief
  const contract = brief.isReplanned ? departureContract : contracts[as]
  const why = brief.isReplanned ? 'Why it is looked at again' : 'Why it did not go on'
  const others = (plan?.stories ?? []).filter(({ id }) => id !== story.id)
  return assemble('planner-story', setting, [
    storySection(story, 'The story'),
    section('reason', why, [fenced(brief.reason, 'reason'), brief.isReplanned ? departureTask : tasks[as]]),
    findingsSection(brief.findings),
    section('past', 'What was tried', attemptTexts(past)),
    problemsSection(contract, problems),
    requirementSection(brief.requirement),
    section('plan', 'The other stories', storyTexts(others)),
    checksSection('Checks that every story must pass', brief.checks),
    answerSection(contract, { result }),
  ])
}

const contracts = { amended: amendmentContract, split: splitContract }

const tasks = {
  amended:
    'A coder could not do this story as it is written. Give the story a specification that fits the code and itself, and say in cause what was wrong with it. Change only what has to change; the requirement stays what it is. What is left out stays as it is.',
  split:
    'Nobody could do this story as it is written. Replace the story by two or more smaller ones that together do what it was to do, each of which can be merged alone. Their ids are not in the plan yet; dependsOn may name each other, and what the story itself depended on. Say in cause why.',
}
