import { complexities, type Plan, type Story, strategies, testKinds } from '../../delivery/plan/plan.ts'
import { contractOf } from '../answer/contract.ts'
import { flag, list, oneOf, optional, record, text } from '../answer/shape.ts'
import { outlineOf, outlineShape, proofOf, proofProblems, proofShape } from './outline.ts'

const path = text({ least: 1, most: 1_000 })

/** A story as a planner writes it. */
export const storyShape = record({
  id: text({ least: 1, most: 64 }),
  title: optional(text({ least: 0, most: 500 }), ''),
  description: optional(text({ least: 0, most: 20_000 }), ''),
  criteria: optional(list(text({ least: 1, most: 4_000 }), { most: 200 }), []),
  dependsOn: optional(list(text({ least: 1, most: 64 }), { most: 1_000 }), []),
  complexity: optional(oneOf(complexities), 3),
  files: optional(list(path, { most: 1_000 }), []),
  contextFiles: optional(list(path, { most: 50 }), []),
  risks: optional(list(text({ least: 1, most: 600 }), { most: 20 }), []),
  mayChange: optional(list(path, { most: 1_000 }), []),
  mayBeEmpty: optional(flag(), false),
  strategy: optional(oneOf(strategies), null),
  noTestsBecause: optional(text({ least: 0, most: 1_000 }), ''),
  tests: optional(oneOf(testKinds), 'witnessed'),
  proofs: optional(list(proofShape, { most: 20 }), []),
})

type StoryAnswer = ReturnType<typeof storyShape.read>

const shape = record({ outline: optional(outlineShape, null), stories: list(storyShape, { most: 2_000 }) })

export const exampleStory = {
  id: 'parse-dates',
  title: 'Parse ISO dates',
  description: 'What to do and why, in a few sentences.',
  criteria: ['Given 2024-02-30, when it is parsed, then an error names the day.'],
  dependsOn: [],
  complexity: 3,
  files: ['src/dates.js', 'test/dates.test.js'],
  contextFiles: ['src/calendar.js'],
  risks: ['Other callers may rely on dates that do not exist.'],
  mayChange: [],
  mayBeEmpty: false,
  proofs: [{ type: 'file-contains', path: 'README.md', text: 'ISO dates' }],
}

export type PlanAnswer = ReturnType<typeof shape.read>

/** The shape of a planner's answer, with the defaults of a plan file. Whether its graph makes sense is for the law. */
export const planContract = contractOf({
  name: 'plan',
  version: 2,
  shape,
  example: {
    outline: {
      approach: 'How it is done as a whole, in a few sentences.',
      runnerUp: { approach: 'The next best way.', lostBecause: 'Why it is not taken.' },
      invariants: ['What is true now and must stay so.'],
      nonGoals: ['What is left out on purpose.'],
      tradeOffs: ['What is given up for what.'],
      checklist: [{ must: true, item: 'An error names the day.' }],
      switchWhen: 'What would make the runner-up the better one.',
      covers: [{ criterion: 'C1', stories: ['parse-dates'] }],
      risks: [{ risk: 'What is open.', decision: 'What is done meanwhile.' }],
    },
    stories: [exampleStory],
  },
  bareList: { field: 'stories', key: 'id' },
  rivals: 'last',
  contradictions: ({ stories }) =>
    stories.flatMap(({ proofs }, story) =>
      proofs.flatMap((proof, index) => proofProblems(proof, `stories[${story}].proofs[${index}]`)),
    ),
  lacks: ({ stories, outline }) => (stories.length > 1 ? outlineProblems(outline) : []),
})

/** Why several stories are one plan, and this one, has to be said: those who audit, code and review it go by that. */
function outlineProblems(outline: PlanAnswer['outline']): string[] {
  if (outline === null) return ['outline is missing: a plan of several stories says its approach and the runner-up']
  const { approach, lostBecause } = outline.runnerUp
  return approach.trim() === '' || lostBecause.trim() === ''
    ? ['outline.runnerUp is not filled in: name the next best approach, and why it lost']
    : []
}

/** The plan that a planner means by its answer. `criteria`: those of the requirement, in the order in which it was told them. */
export const planFromAnswer = ({ stories, outline }: PlanAnswer, criteria: string[]): Plan => ({
  stories: stories.map(plannedStory),
  outline: outline === null ? null : outlineOf(outline, criteria),
})

export const plannedStory = (story: StoryAnswer): Story => ({
  ...story,
  title: story.title || story.id,
  proofs: story.proofs.map(proofOf),
})
