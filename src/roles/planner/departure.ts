import type { Contract } from '../answer/contract.ts'
import { optional, record } from '../answer/shape/composed.ts'
import { flag } from '../answer/shape/leaves.ts'
import { amendable, amendmentContract, changesIn } from './amendment.ts'

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
