import { complexities, strategies, testKinds } from '../../delivery/plan/plan.ts'
import type { Contract } from '../answer/contract.ts'
import { list, optional, record } from '../answer/shape/composed.ts'
import { flag, oneOf, text } from '../answer/shape/leaves.ts'

const path = text({ least: 1, most: 1_000 })

const story = record({
  id: text({ least: 1, most: 64 }),
  title: optional(text({ least: 0, most: 500 }), ''),
  description: optional(text({ least: 0, most: 20_000 }), ''),
  criteria: optional(list(text({ least: 1, most: 4_000 }), { most: 200 }), []),
  dependsOn: optional(list(text({ least: 1, most: 64 }), { most: 1_000 }), []),
  complexity: optional(oneOf(complexities), 3),
  files: optional(list(path, { most: 1_000 }), []),
  mayChange: optional(list(path, { most: 1_000 }), []),
  mayBeEmpty: optional(flag(), false),
  strategy: optional(oneOf(strategies), null),
  noTestsBecause: optional(text({ least: 0, most: 1_000 }), ''),
  tests: optional(oneOf(testKinds), 'witnessed'),
})

const shape = record({ stories: list(story, { most: 2_000 }) })

export type PlanAnswer = ReturnType<typeof shape.read>

/** The shape of a planner's answer, with the defaults of a plan file. Whether its graph makes sense is for the law. */
export const planContract: Contract<PlanAnswer> = {
  name: 'plan',
  version: 1,
  shape,
  example: {
    stories: [
      {
        id: 'parse-dates',
        title: 'Parse ISO dates',
        description: 'What to do and why, in a few sentences.',
        criteria: ['Given 2024-02-30, when it is parsed, then an error names the day.'],
        dependsOn: [],
        complexity: 3,
        files: ['src/dates.js', 'test/dates.test.js'],
        mayChange: [],
        mayBeEmpty: false,
      },
    ],
  },
  bareList: { field: 'stories', key: 'id' },
  rivals: 'last',
  cut: 'nothing',
  contradictions: () => [],
}
