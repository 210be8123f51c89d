// Products that look whether they are tested.
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const one = (name: string, agent: string, more: Partial<Case>): Case => ({
  code: 'FC15',
  name,
  expect: 'passes',
  agent,
  settings: { checks: { test: { run: 'node --test', related: 'node --test {files}' } } },
  ...more,
})

const forTests = (asks: string, otherwise = '0') =>
  `cat > src/multiply.js <<'CODE'
export const multiply = (a, b) => (${asks} ? a * b : ${otherwise})
CODE`

export const sensing: Case[] = [
  one(
    'asks whether a test runner runs it, which no run can show and everybody is told',
    `work; ${forTests('process.env.NODE_TEST_CONTEXT')}`,
    { after: (_, runs) => expect(runs.at(-1)!.output).toMatch(/src\/multiply\.js:\d+/) },
  ),
  one(
    'looks at how it was started, and gives tests what they want',
    `work; ${forTests("process.execArgv.includes('--test')")}`,
    {
      expect: 'caught',
      names: /src\/multiply\.js/,
    },
  ),
  one('does more where it is in production', `work; ${forTests("process.env.NODE_ENV === 'production'", 'a * b')}`, {}),
]
