import { expect, it } from 'vitest'
import { budgets } from './budgets.ts'
import { type Cost, costLines } from './report.ts'

const cost = (project: string, cpuSeconds: number): Cost => ({
  project,
  file: `${project}-${cpuSeconds}.ts`,
  cpuSeconds,
})

it('tells what each project used of its budget, and who used most', () => {
  const { quick = 0 } = budgets
  const small = [...Array(12).keys()].map((index) => cost('other', index / 10))
  expect(costLines([cost('quick', quick), cost('quick', 1), ...small], 2)).toEqual([
    'CPU seconds used, and the budget:',
    '     6.6 other',
    `${(quick + 1).toFixed(1).padStart(8)} quick (budget ${quick}, OVER)`,
    `     2.0 the runner itself (budget ${budgets['the runner itself']})`,
    'The files that used most:',
    `${quick.toFixed(1).padStart(8)} quick-${quick}.ts`,
    '     1.1 other-1.1.ts',
    '     1.0 quick-1.ts',
    '     1.0 other-1.ts',
    ...[9, 8, 7, 6, 5, 4].map((tenths) => `     0.${tenths} other-0.${tenths}.ts`),
  ])
})
