import { complexities, type Story } from '../../delivery/plan/plan.ts'
import { type Contract, contractOf } from '../answer/contract.ts'
import { flag, list, oneOf, optional, record, text } from '../answer/shape.ts'

const path = text({ least: 1, most: 1_000 })

/** What a planner may change about a story on its own: never what it is allowed to touch, or how it is tested. */
const amendable = {
  cause: text({ least: 1, most: 1_000 }),
  title: optional(text({ least: 1, most: 500 }), null),
  description: optional(text({ least: 1, most: 20_000 }), null),
  criteria: optional(list(text({ least: 1, most: 4_000 }), { most: 200 }), null),
  files: optional(list(path, { most: 1_000 }), null),
  contextFiles: optional(list(path, { most: 50 }), null),
  risks: optional(list(text({ least: 1, most: 600 }), { most: 20 }), null),
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

export const departureTask = [
  'Other stories of the plan are done, and not as it was planned: above is how, and what others have left is told below. Nobody has begun this story yet, which builds on them or has files in common with them. Look into the code as it is now.',
  'If the story is right as it is, answer {"holds": true, "cause": "why it is"}. Else give it a specification that fits what is there now, and say in cause what had to change; change only what has to change. The requirement stays what it is. What is left out stays as it is.',
].join('\n')
