import { contractOf } from './answer/contract.ts'
import { list, record, text } from './answer/shape.ts'

/** What who reads a repository to learn about it must return. */
export const learnerContract = contractOf({
  name: 'list of facts',
  version: 1,
  shape: record({
    facts: list(record({ about: text({ least: 1, most: 40 }), text: text({ least: 1, most: 400 }) }), { most: 30 }),
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
