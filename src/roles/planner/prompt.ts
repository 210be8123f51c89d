import {
  type Criterion,
  complexities,
  criterionTypes,
  type Outline,
  type Plan,
  type Story,
  strategies,
  testKinds,
} from '../../delivery/plan/plan.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import { invariant } from '../../std/never.ts'
import { answerSection, contractOf, reworkText, scaffoldText } from '../answer/contract.ts'
import { cutText, flag, list, oneOf, optional, record, saidAs, text, whole } from '../answer/shape.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { fenced, section } from '../prompt/sections.ts'
import { checksSection } from '../prompt/shown.ts'

const path = text(1, 1_000)
const line = text(1, 600)
const lines = optional(list(line, { most: 20 }), [])
const said = optional(cutText(0, 2_000), '')

/** Why it is this plan. */
export const outlineShape = record({
  approach: text(1, 4_000),
  runnerUp: optional(saidAs('approach', record({ approach: said, lostBecause: said })), {
    approach: '',
    lostBecause: '',
  }),
  invariants: lines,
  nonGoals: lines,
  tradeOffs: lines,
  checklist: optional(list(record({ must: flag(), item: line }), { most: 20 }), []),
  switchWhen: said,
  covers: optional(list(record({ criterion: line, stories: list(text(1, 64), { most: 100 }) }), { most: 60 }), []),
  risks: optional(list(record({ risk: line, decision: said }), { most: 20 }), []),
})

/** Criteria of the requirement can be named by their number: `C1` is the first. */
export function outlineOf(outline: ReturnType<typeof outlineShape.read>, criteria: string[]): Outline {
  const covers = outline.covers.map(({ criterion, stories }) => {
    const number = /^\W*c[- ]?(\d{1,3})\W*$/i.exec(criterion)?.[1]
    return { criterion: (number === undefined ? undefined : criteria[Number(number) - 1]) ?? criterion, stories }
  })
  return { ...outline, covers }
}

const proofPath = optional(path, null)

/** What a machine can tell; which fields it has follows from its type. */
export const proofShape = record({
  type: oneOf(criterionTypes),
  path: proofPath,
  text: optional(text(1, 2_000), null),
  run: optional(text(1, 2_000), null),
  report: proofPath,
  percent: optional(whole(0, 100), null),
})

type SaidProof = ReturnType<typeof proofShape.read>

const needs: Record<Criterion['type'], (keyof SaidProof)[]> = {
  'file-exists': ['path'],
  'file-contains': ['path', 'text'],
  'command-succeeds': ['run'],
  'output-contains': ['run', 'text'],
  'coverage-at-least': ['report', 'percent'],
}

export const proofProblems = (stories: { proofs: SaidProof[] }[]): string[] =>
  stories.flatMap(({ proofs }, story) =>
    proofs.flatMap((proof, index) =>
      needs[proof.type]
        .filter((key) => proof[key] === null)
        .map((key) => `stories[${story}].proofs[${index}].${key} is missing; ${proof.type} needs it`),
    ),
  )

function proofOf(proof: SaidProof): Criterion {
  const fields = Object.fromEntries(needs[proof.type].map((key) => [key, proof[key]]))
  invariant(
    Object.values(fields).every((value) => value !== null),
    'a proof was read that does not fit',
  )
  return { type: proof.type, ...fields } as Criterion
}

/** A story as a planner writes it. */
export const storyShape = record({
  id: text(1, 64),
  title: optional(text(0, 500), ''),
  description: optional(text(0, 20_000), ''),
  criteria: optional(list(text(1, 4_000), { most: 200 }), []),
  dependsOn: optional(list(text(1, 64), { most: 1_000 }), []),
  complexity: optional(oneOf(complexities), 3),
  files: optional(list(path, { most: 1_000 }), []),
  contextFiles: optional(list(path, { most: 50 }), []),
  risks: optional(list(text(1, 600), { most: 20 }), []),
  mayChange: optional(list(path, { most: 1_000 }), []),
  mayBeEmpty: optional(flag(), false),
  strategy: optional(oneOf(strategies), null),
  noTestsBecause: optional(text(0, 1_000), ''),
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
  contradictions: ({ stories }) => proofProblems(stories),
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

interface PlannerBrief {
  feedback: string[]
  /** Drafts in a row that could not be used. */
  repairs: number
  checks: CheckPolicy[]
}

/** What the planner is told: a human's words as they are; what was wrong with the form, together with the form. */
export function plannerPrompt({ feedback, repairs, checks }: PlannerBrief, setting: Setting): Prompt {
  const title = 'Why the previous draft did not do'
  const again = repairs === 1 ? reworkText : scaffoldText
  const words = feedback.map((text) => fenced(text.slice(0, 4_000), 'feedback'))
  return assemble('planner', setting, [
    section('problems', title, feedback.length === 0 || repairs === 0 ? [] : [again(planContract, feedback)]),
    section('feedback', title, repairs > 0 ? [] : words),
    checksSection('Checks that every story must pass', checks),
    answerSection(planContract, setting),
  ])
}
