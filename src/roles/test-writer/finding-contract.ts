import type { CommitId } from '../../delivery/ids.ts'
import type { Contract } from '../answer/contract.ts'
import { list, optional, record } from '../answer/shape/composed.ts'
import { oneOf, text } from '../answer/shape/leaves.ts'

const shapeFor = (commit: CommitId, names: string[]) =>
  record({
    commit: oneOf([commit]),
    tests: list(
      record({
        finding: oneOf(names),
        file: text({ least: 1, most: 1_000 }),
        test: text({ least: 1, most: 1_000 }),
        shows: text({ least: 1, most: 400 }),
        ifTrue: optional(
          record({
            file: text({ least: 1, most: 1_000 }),
            is: text({ least: 1, most: 4_000 }),
            wouldBe: text({ least: 0, most: 4_000 }),
          }),
          null,
        ),
      }),
      { most: 50 },
    ),
    none: optional(list(record({ finding: oneOf(names), why: text({ least: 1, most: 1_000 }) }), { most: 50 }), []),
  })

export type Written = ReturnType<ReturnType<typeof shapeFor>['read']>

/** Which test was written for which finding, and how it will fail. */
export const reproductionContract = (commit: CommitId, names: string[]): Contract<Written> => ({
  name: 'reproduction',
  version: 1,
  shape: shapeFor(commit, names),
  example: {
    commit,
    tests: [
      {
        finding: names[0] ?? 'F1',
        file: 'test/repro-leap-day.test.js',
        test: 'accepts the 29th of February of a leap year',
        shows: 'RangeError: 2024-02-29',
        ifTrue: { file: 'src/dates.js', is: 'year % 4 === 0', wouldBe: 'false' },
      },
    ],
    none: [],
  },
  bareList: null,
  rivals: 'none',
  cut: 'nothing',
  contradictions: ({ tests }) => {
    const files = tests.map(({ file }) => file)
    const shared = files.find((file, index) => files.indexOf(file) !== index)
    return shared === undefined ? [] : [`${shared} holds the tests of two findings; write one file for each`]
  },
})
