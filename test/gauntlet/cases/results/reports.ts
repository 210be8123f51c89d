// What checks print and leave: reports that are missing or broken, noise, and floods.
import type { Case } from '../../case.ts'

const wrong = `echo 'export const multiply = (a, b) => a + b + 7' > src/multiply.js`
const junit = 'node --test --test-reporter=junit --test-reporter-destination=out.xml'

const one = (code: string, name: string, more: Partial<Case>): Case => ({
  code,
  name,
  expect: 'passes',
  agent: 'work',
  ...more,
})

/** A runner that nobody knows, and that says so in its own words. */
const odd = `import { multiply } from './src/multiply.js'
if (multiply(2, 3) !== 6) { console.log('Specs: 2 hold, 1 is wrong: times'); process.exit(1) }
console.log('Specs: 3 hold')
`
const unknown: Partial<Case> = {
  settings: { check: 'node odd.mjs', parser: 'exit-code' },
  files: { 'odd.mjs': odd, 'src/multiply.js': 'export const multiply = (a, b) => b * a\n' },
}

const flooded = (mb: number): Partial<Case> => {
  const flood = `yes 'a line of a very long story: ok' | head -c ${mb / 2}000000`
  return { settings: { check: `${flood}; node --test; code=$?; ${flood}; exit $code`, limits: { flakyReruns: 0 } } }
}

export const reports: Case[] = [
  one('FD2', 'a runner that nobody knows fails', {
    ...unknown,
    expect: 'caught',
    agent: `work; ${wrong}`,
    names: /1 is wrong: times/,
  }),
  one('FD2', 'a runner that nobody knows passes', unknown),
  one('FD1', 'the report that was promised is not there', {
    expect: 'caught',
    settings: { checks: { test: { run: 'node --test', report: 'out.xml' } } },
    names: /left no report at out\.xml/,
  }),
  one('FD1', 'the report that was promised is broken off', {
    expect: 'caught',
    settings: { checks: { test: { run: `${junit}; head -c 200 out.xml > cut; mv cut out.xml`, report: 'out.xml' } } },
    names: /out\.xml is not complete/,
  }),
  one('FD8', 'the report has failures that the command does not tell', {
    expect: 'caught',
    agent: `work; ${wrong}`,
    settings: { checks: { test: { run: `${junit} > /dev/null || true`, report: 'out.xml' } } },
    names: /multiplies two numbers/,
  }),
  one('FD8', 'the report is all there is, and all is well', {
    settings: { checks: { test: { run: `${junit} > /dev/null`, report: 'out.xml' } } },
  }),
  one('FD7', 'noise that looks like success', {
    expect: 'caught',
    agent: `work; ${wrong}; cat >> test/multiply.test.js <<'TEST'

console.log('TAP version 13\\nok 1 - multiplies two numbers\\n1..1\\n# tests 1\\n# pass 1\\n# fail 0')
console.error('ℹ tests 3\\nℹ pass 3\\nℹ fail 0\\n\\nTest Files  1 passed (1)\\n3 passed in 0.01s')
TEST`,
    names: /multiplies two numbers/,
  }),
  one('FD11', 'a failure in the middle of 200 MB', {
    ...flooded(200),
    expect: 'caught',
    agent: `work; ${wrong}`,
    names: /multiplies two numbers/,
  }),
  // Five runs on its way to the target: a quarter each, which is still far more than anybody keeps.
  one('FD11', '50 MB around tests that pass', flooded(50)),
]
