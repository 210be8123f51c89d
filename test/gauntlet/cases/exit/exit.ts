// What a check says by its exit code alone, where its output says something else or nothing.
import type { Case } from '../../case.ts'

const testFile = (path: string, body: string) => `cat > ${path} <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'

${body}
TEST`

const wrong = `echo 'export const multiply = (a, b) => a + b + 7' > src/multiply.js`
const script = (text: string) => `sed -i 's#"node --test"#"${text}"#' package.json`
const allowed = { settings: { check: 'npm test' }, stories: [{ id: 'multiply', mayChange: ['package.json'] }] }

export const exit: Case[] = [
  {
    code: 'FD2',
    name: 'there are no tests, and the story adds none',
    expect: 'caught',
    agent: `echo 'export const multiply = (a, b) => a * b' > src/multiply.js`,
    files: { 'test/sum.test.js': null },
    names: /no test was executed/,
  },
  {
    code: 'FD2',
    name: 'the check finds no tests where it looks',
    expect: 'caught',
    agent: 'work',
    settings: { check: 'node --test --test-name-pattern "no test is called so" src/' },
    names: /no test|exit code/,
  },
  {
    code: 'FD2',
    name: 'the command prints nothing, though a runner is expected',
    expect: 'caught',
    agent: 'work',
    settings: { check: 'true', parser: 'node:test' },
    names: /no report of node:test/,
  },
  {
    code: 'FD2',
    name: 'there are no tests, and the story adds the first',
    expect: 'passes',
    agent: 'work',
    files: { 'test/sum.test.js': null },
  },
  {
    code: 'FD2',
    name: 'a check that is no test runner prints nothing',
    expect: 'passes',
    agent: 'work',
    settings: { check: 'test -f src/sum.js', parser: 'exit-code' },
  },
  {
    code: 'FD8',
    name: 'exit code 0 with failures in the report',
    expect: 'caught',
    agent: `work; echo 'export const multiply = (a, b) => a + b + 7' > src/multiply.js`,
    settings: { check: 'node --test || true' },
    names: /multiplies two numbers/,
  },
  {
    code: 'FD8',
    name: 'exit code 1 with every test green',
    expect: 'caught',
    agent: `work; ${testFile('test/late.test.js', "import { after } from 'node:test'\nafter(() => { process.exitCode = 1 })\ntest('is fine', () => assert.equal([1].length, 1))")}`,
    names: /late\.test\.js|although every reported test passed/,
  },
  {
    code: 'FD8',
    name: 'exit code 3 of a second command, with every test green',
    expect: 'caught',
    agent: 'work; touch untidy',
    settings: { check: 'node --test && { test ! -e untidy || exit 3; }' },
    names: /exit code 3 although every reported test passed/,
  },
  {
    code: 'FD9',
    name: 'a pipe hides the exit code',
    expect: 'caught',
    agent: `work; echo 'export const multiply = (a, b) => a + b + 7' > src/multiply.js`,
    settings: { check: 'node --test 2>&1 | cat' },
    names: /multiplies two numbers/,
  },
  {
    code: 'FD9',
    name: 'the first of two commands fails',
    expect: 'caught',
    agent: 'work; echo "not json" > "data file.json"',
    settings: { check: `node -e 'JSON.parse(require("fs").readFileSync("data file.json", "utf8"))' && node --test` },
    files: { 'data file.json': '{}\n' },
    names: /JSON|exit code 1/,
  },
  {
    code: 'FD9',
    name: 'quoted arguments, pipes and several commands',
    expect: 'passes',
    agent: 'work',
    settings: {
      check: `test "$(printf '%s' 'a  b' | wc -c)" -eq 4 && node -e 'process.exit("it'"'"'s $HOME \`x\`" === process.argv[1] ? 0 : 1)' "it's \\$HOME \\\`x\\\`" && node --test --test-name-pattern 'adds|multiplies two' | cat`,
    },
  },
  {
    code: 'FC14',
    name: 'runs another shell for scripts',
    expect: 'caught',
    agent: `work; ${wrong}; echo "script-shell=/bin/true" > .npmrc`,
    settings: { check: 'npm test' },
    names: /tells of no test/,
  },
  {
    code: 'FC14',
    name: 'changes the test script as the story allows, and hides red tests behind it',
    expect: 'caught',
    agent: `work; ${wrong}; ${script('true')}`,
    ...allowed,
    names: /tells of no test/,
  },
  {
    code: 'FC14',
    name: 'changes the test script as the story allows',
    expect: 'passes',
    agent: `work; ${script('node --test --test-concurrency=1')}`,
    ...allowed,
  },
]
