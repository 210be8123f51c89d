// A feature that does not work, with new tests that notice nothing.
import { pick } from '../chains.ts'
import type { Operators } from '../deed.ts'
import { loadable, testFile, type Work } from '../work.ts'
import { assertions } from './assertions.ts'
import { tests } from './tests.ts'

/** With these, something is noticed, or the tests say in so many words what the wrong feature does. */
const outOfReach = [
  'the wrong result expected',
  'either result allowed',
  'only the type',
  'only that there is something',
  'only its length',
  'opposite',
  'a tolerance blown up',
  'other inputs',
]

const wrongly = ({ chain, added }: Work) => ({ [chain.product(added.name)]: chain.define(added.name, added.wrong) })

const from = (table: Record<string, Parameters<typeof pick<string>>[1]>, part: 'assertion' | 'test'): Operators =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([name]) => !outOfReach.includes(name))
      .map(([name, texts]) => [
        `${part}: ${name}`,
        (work) => {
          const text = pick(work.chain, texts)
          if (text === undefined) return null
          const test = testFile(work.chain, work.added, { style: 'direct', [part]: text })
          return {
            sound: true,
            files: {
              ...wrongly(work),
              [work.chain.test(work.added.name)]: part === 'test' ? loadable(work.chain, test) : test,
            },
          }
        },
      ]),
  )

export const witness: Operators = { ...from(assertions, 'assertion'), ...from(tests, 'test') }
