import type { Requirement } from '../../delivery/intent/requirement.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Plan, Story } from '../../delivery/plan/plan.ts'
import { complexities } from '../../delivery/plan/plan.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { PastAttempt } from '../../delivery/story/story.ts'
import type { Contract } from '../answer/contract.ts'
import { list, optional, record } from '../answer/shape/composed.ts'
import { oneOf, text } from '../answer/shape/leaves.ts'
import { exampleText, reworkText } from '../answer/told.ts'
import { checksSection } from '../prompt/checks.ts'
import { fenced } from '../prompt/fence.ts'
import { findingsSection } from '../prompt/findings.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { requirementSection } from '../prompt/requirement.ts'
import { section } from '../prompt/sections.ts'
import { storySection, storyTexts } from '../prompt/story.ts'
import { exampleStory, storyShape } from './contract.ts'
import { proofProblems } from './outline.ts'

const cause = text({ least: 1, most: 1_000 })
const path = text({ least: 1, most: 1_000 })

/** What a planner may change about a story on its own: never what it is allowed to touch, or how it is tested. */
const amendment = record({
  cause,
  title: optional(text({ least: 1, most: 500 }), null),
  description: optional(text({ least: 1, most: 20_000 }), null),
  criteria: optional(list(text({ least: 1, most: 4_000 }), { most: 200 }), null),
  files: optional(list(path, { most: 1_000 }), null),
  contextFiles: optional(list(path, { most: 50 }), null),
  risks: optional(list(text({ least: 1, most: 600 }), { most: 20 }), null),
  complexity: optional(oneOf(complexities), null),
})

export type Amendment = ReturnType<typeof amendment.read>

export const amendmentContract: Contract<Amendment> = {
  name: 'amendment',
  version: 1,
  shape: amendment,
  example: {
    cause: 'The story says that dates are texts; src/dates.js keeps them as numbers.',
    description: 'What to do and why, in a few sentences, as the code is.',
    criteria: ['Given 2024-02-30, when it is parsed, then an error names the day.'],
  },
  bareList: null,
  rivals: 'last',
  cut: 'nothing',
  contradictions: ({ cause: _, ...changes }) =>
    Object.values(changes).every((value) => value === null)
      ? [
          'nothing is changed: give at least one of title, description, criteria, files, contextFiles, risks, complexity',
        ]
      : [],
}

const split = record({ cause, stories: list(storyShape, { most: 20 }) })
export type Split = ReturnType<typeof split.read>

export const splitContract: Contract<Split> = {
  name: 'split',
  version: 1,
  shape: split,
  example: {
    cause: 'Reading and checking dates are two things, and each is hard enough.',
    stories: [exampleStory, { id: 'check-dates', title: 'Refuse dates that do not exist', dependsOn: ['parse-dates'] }],
  },
  bareList: { field: 'stories', key: 'id' },
  rivals: 'last',
  cut: 'nothing',
  contradictions: ({ stories }) => [
    ...(stories.length < 2 ? ['a split has at least two stories'] : []),
    ...stories.flatMap(({ proofs }, story) =>
      proofs.flatMap((proof, index) => proofProblems(proof, `stories[${story}].proofs[${index}]`)),
    ),
  ],
}

export interface RespecifyBrief {
  as: 'amended' | 'split'
  story: Story
  reason: string
  findings: Finding[]
  past: PastAttempt[]
  plan: Plan | null
  problems: string[]
  requirement: Requirement
  checks: CheckPolicy[]
  result: string
}

/** What the planner is told when a story failed for its specification, or is too much for one. */
export function respecifyPrompt(brief: RespecifyBrief, setting: Setting): Prompt {
  const { as, story, past, plan, problems, result } = brief
  const contract = as === 'amended' ? amendmentContract : splitContract
  const others = (plan?.stories ?? []).filter(({ id }) => id !== story.id)
  const tried = past.map(
    ({ attempt, agent, ended }) => `Attempt ${attempt} (${agent}) ended:\n${fenced(ended.slice(0, 1_000), 'reason')}`,
  )
  return assemble('planner-story', setting, [
    storySection(story, 'The story'),
    section('reason', 'Why it did not go on', [fenced(brief.reason, 'reason'), tasks[as]]),
    findingsSection(brief.findings),
    section('past', 'What was tried', tried.reverse()),
    section(
      'problems',
      'Why the answer before did not do',
      problems.length === 0 ? [] : [reworkText(contract, problems)],
    ),
    requirementSection(brief.requirement),
    section('plan', 'The other stories', storyTexts(others)),
    checksSection('Checks that every story must pass', brief.checks),
    section('answer', 'How to answer', [
      [
        `Write JSON to the file named by ROPEWALK_RESULT (${result}); if you cannot write it, end your reply with the same JSON in one fenced block:`,
        exampleText(contract),
      ].join('\n'),
    ]),
  ])
}

const tasks = {
  amended:
    'Give the story a specification that fits the code and itself, and say in cause what was wrong with it. Change only what has to change; the requirement stays what it is. What is left out stays as it is.',
  split:
    'Replace the story by two or more smaller ones that together do what it was to do, each of which can be merged alone. Their ids are not in the plan yet; dependsOn may name each other, and what the story itself depended on. Say in cause why.',
}
