// What a check has printed is what the next round is told.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const wrong = `echo 'export const multiply = (a, b) => a + b + 7' > src/multiply.js`
const keeps = 'printf "%s" "$PROMPT" > "$YARD/prompt-$ROPEWALK_ROUND"'
const limits = { roundsPerAttempt: 2 }

export const feedback: Case[] = [
  {
    code: 'FD13',
    name: 'mends what it is told of, and only because it is told',
    expect: 'passes',
    settings: { limits },
    agent: `${keeps}; work; case "$PROMPT" in *"12 !== 6"*) ;; *) ${wrong};; esac`,
    after: ({ folder }) => {
      const [first, second] = [1, 2].map((round) => readFileSync(join(folder, `prompt-${round}`), 'utf8'))
      expect(first).not.toContain('12 !== 6')
      expect(second).toMatch(/multiplies two numbers/)
      expect(second).toMatch(/test\/multiply\.test\.js/)
    },
  },
  {
    code: 'FD13',
    name: 'is told the output of a command that is no test runner, and mends it',
    expect: 'passes',
    settings: { limits, checks: { budget: { run: 'node budget.mjs', parser: 'exit-code' } } },
    files: {
      'budget.mjs': `import { existsSync } from 'node:fs'
if (!existsSync('BUDGET')) { console.error('budget: 3 lines over, see rule B-17'); process.exit(4) }
`,
      BUDGET: '1\n',
    },
    agent: `work; case "$PROMPT" in *"rule B-17"*) git checkout -q HEAD -- BUDGET 2> /dev/null || echo 1 > BUDGET;; *) rm BUDGET;; esac`,
  },
  {
    code: 'FD13',
    name: 'is told what fails, and leaves it as it is',
    expect: 'caught',
    settings: { limits },
    agent: `${keeps}; work; ${wrong}; echo "// round $ROPEWALK_ROUND" >> src/multiply.js`,
    names: /multiplies two numbers/,
    after: ({ folder }) => expect(readFileSync(join(folder, 'prompt-2'), 'utf8')).toContain('12 !== 6'),
  },
]
