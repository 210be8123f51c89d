import type { CommitId } from '../../delivery/ids.ts'
import type { Contract } from '../answer/contract.ts'
import { list, optional, record } from '../answer/shape/composed.ts'
import { oneOf, text } from '../answer/shape/leaves.ts'

const stances = ['upheld', 'disputed', 'unsure'] as const

const shapeFor = (commit: CommitId, names: string[]) =>
  record({
    commit: oneOf([commit]),
    rebuttals: list(
      record({
        finding: oneOf(names),
        stance: oneOf(stances),
        because: text({ least: 1, most: 4_000 }),
        evidence: optional(text({ least: 0, most: 20_000 }), ''),
      }),
      { most: Math.max(50, names.length) },
    ),
  })

export type Rebuttals = ReturnType<ReturnType<typeof shapeFor>['read']>

/** What a reviewer who approved must say about others' findings. */
export const rebuttalContract = (commit: CommitId, names: string[]): Contract<Rebuttals> => ({
  name: 'rebuttal',
  version: 1,
  shape: shapeFor(commit, names),
  example: {
    commit,
    rebuttals: names.map((finding) => ({
      finding,
      stance: 'disputed',
      because: 'The day is held against the month one line above, which the finding leaves out.',
      evidence: 'if (day > daysIn(month, year)) throw new RangeError(text)',
    })),
  },
  bareList: { field: 'rebuttals', key: 'stance' },
  rivals: 'none',
  cut: 'nothing',
  contradictions: ({ rebuttals }) => {
    const said = rebuttals.map(({ finding }) => finding)
    const missing = names.filter((name) => !said.includes(name))
    const twice = names.filter((name) => said.filter((one) => one === name).length > 1)
    return [
      ...missing.map((name) => `nothing is said about ${name}`),
      ...twice.map((name) => `${name} is spoken of more than once`),
    ]
  },
})
