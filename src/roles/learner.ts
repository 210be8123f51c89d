import type { LearnedFact } from '../ports/memory.ts'
import { answerSection, contractOf } from './answer/contract.ts'
import { list, record, text } from './answer/shape.ts'
import { assemble, type Prompt, type Setting } from './prompt/prompt.ts'
import { fenced, section } from './prompt/sections.ts'

/** What who reads a repository to learn about it must return. */
export const learnerContract = contractOf({
  name: 'list of facts',
  version: 1,
  shape: record({
    facts: list(record({ about: text(1, 40), text: text(1, 400) }), { most: 30 }),
  }),
  example: {
    facts: [
      { about: 'money', text: 'Amounts are whole cents everywhere; only src/show/price.js makes text of them.' },
      {
        about: 'orders',
        text: 'A state of an order is also listed in db/states.sql, which has to be changed with it.',
      },
    ],
  },
  bareList: { field: 'facts', key: 'about' },
  rivals: 'last',
  cut: 'whole-elements',
})

/** What is told to who reads a repository: what is known of it already. */
export function learnerPrompt(facts: LearnedFact[], setting: Setting): Prompt {
  const known = facts.map(({ about, text }) => fenced(`${about}: ${text}`, 'fact'))
  return assemble('learner', setting, [
    section('memory', 'What is known already, and need not be said again', known),
    answerSection(learnerContract, setting),
  ])
}
