import type { InputOf } from '../../delivery/inputs/input.ts'
import { complexities, type Story } from '../../delivery/plan/plan.ts'
import type { RespecifyStory } from '../../delivery/step.ts'
import { answerSection, type Contract, contractOf, problemsSection } from '../answer/contract.ts'
import { flag, list, oneOf, optional, record, text } from '../answer/shape.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { fenced, section } from '../prompt/sections.ts'
import { attemptTexts, checksSection, findingsSection, storySection, storyTexts } from '../prompt/shown.ts'
import { exampleStory, proofProblems, storyShape } from './prompt.ts'

const path = text(1, 1_000)

/** What a planner may change about a story on its own: never what it is allowed to touch, or how it is tested. */
const amendable = {
  cause: text(1, 1_000),
  title: optional(text(1, 500), null),
  description: optional(text(1, 20_000), null),
  criteria: optional(list(text(1, 4_000), { most: 200 }), null),
  files: optional(list(path, { most: 1_000 }), null),
  contextFiles: optional(list(path, { most: 50 }), null),
  risks: optional(list(text(1, 600), { most: 20 }), null),
  complexity: optional(oneOf(complexities), null),
}

const amendment = record(amendable)

export type Amendment = ReturnType<typeof amendment.read>

/** Of what may be changed, all that is told. */
export const changesIn = ({ cause: _, ...said }: Amendment): Partial<Omit<Story, 'id'>> =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))

export const amendmentContract = contractOf({
  name: 'amendment',
  version: 1,
  shape: amendment,
  example: {
    cause: 'The story says that dates are texts; src/dates.js keeps them as numbers.',
    description: 'What to do and why, in a few sentences, as the code is.',
    criteria: ['Given 2024-02-30, when it is parsed, then an error names the day.'],
  },
  rivals: 'last',
  contradictions: (said) =>
    Object.keys(changesIn(said)).length === 0
      ? [
          'nothing is changed: give at least one of title, description, criteria, files, contextFiles, risks, complexity',
        ]
      : [],
})

const departure = record({ holds: optional(flag(), false), ...amendable })
export type Reconsidered = ReturnType<typeof departure.read>

/** What a planner must return on a story that builds on what was done otherwise than planned. */
export const departureContract: Contract<Reconsidered> = {
  ...amendmentContract,
  name: 'departure',
  shape: departure,
  example: { holds: false, ...(amendmentContract.example as object) },
  contradictions: ({ holds, ...said }) => {
    const changes = Object.keys(changesIn(said))
    if (holds && changes.length > 0) return [`it is said to hold as it is, and to be changed: ${changes.join(', ')}`]
    return holds || changes.length > 0 ? [] : ['nothing is changed: say "holds": true if it is right as it is']
  },
}

const departureTask = [
  'Other stories of the plan are done, and not as it was planned: above is how, and what others have left is told below. Nobody has begun this story yet, which builds on them or has files in common with them. Look into the code as it is now.',
  'If the story is right as it is, answer {"holds": true, "cause": "why it is"}. Else give it a specification that fits what is there now, and say in cause what had to change; change only what has to change. The requirement stays what it is. What is left out stays as it is.',
].join('\n')

const cause = text(1, 1_000)

const split = record({ cause, stories: list(storyShape, { most: 20 }) })

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
    ...proofProblems(stories),
  ],
})

interface Respecifying {
  step: Pick<RespecifyStory, 'as' | 'departed' | 'reason' | 'findings' | 'problems'>
  input: Pick<InputOf<RespecifyStory>, 'spec' | 'past' | 'plan' | 'policy'>
}

/** What the planner is told when a story failed for its specification, is too much for one, or stands on other ground than planned. */
export function respecifyPrompt({ step, input }: Respecifying, setting: Setting): Prompt {
  const isReplanned = step.departed !== undefined
  const contract = isReplanned ? departureContract : contracts[step.as]
  const why = isReplanned ? 'Why it is looked at again' : 'Why it did not go on'
  const others = input.plan.stories.filter(({ id }) => id !== input.spec.id)
  return assemble('planner-story', setting, [
    storySection(input.spec, 'The story'),
    section('reason', why, [fenced(step.reason, 'reason'), isReplanned ? departureTask : tasks[step.as]]),
    findingsSection(step.findings),
    section('past', 'What was tried', attemptTexts(input.past)),
    problemsSection(contract, step.problems),
    section('plan', 'The other stories', storyTexts(others)),
    checksSection('Checks that every story must pass', input.policy.checks),
    answerSection(contract, setting),
  ])
}

const contracts = { amended: amendmentContract, split: splitContract }

const tasks = {
  amended:
    'A coder could not do this story as it is written. Give the story a specification that fits the code and itself, and say in cause what was wrong with it. Change only what has to change; the requirement stays what it is. What is left out stays as it is.',
  split:
    'Nobody could do this story as it is written. Replace the story by two or more smaller ones that together do what it was to do, each of which can be merged alone. Their ids are not in the plan yet; dependsOn may name each other, and what the story itself depended on. Say in cause why.',
}
