/** What was found in a repository's files about how it is checked. */
interface Proposal {
  stacks: string[]
  checks: ProposedCheck[]
  setup: string | null
}

interface ProposedCheck {
  name: string
  run: string
  fix: string | null
  related: string | null
  parser: 'auto' | 'exit-code'
}

/** A commented `ropewalk.yaml` for `init`. What could not be detected is there as a comment to fill in. */
export function renderConfig(detected: Proposal, facts: { target: string }): string {
  return [
    '# Ropewalk: how this repository is checked, and who may work on it.',
    '# Every key is explained in docs/guides/configuration.md of Ropewalk.',
    `# Detected: ${detected.stacks.length === 0 ? 'nothing we know; please fill in the checks' : detected.stacks.join(', ')}.`,
    '',
    '# The branch that proven work lands on.',
    `target: ${quoted(facts.target)}`,
    '',
    '# Where a human must say yes: auto (nowhere), plan (before work starts), manual (also before each merge).',
    '# Without this line it is plan in a terminal, and auto where nobody can answer, such as in CI.',
    '# gates: plan',
    '',
    '# When the target moves: end (once, when all is proven) or each (story by story).',
    'land: end',
    '',
    '# Who writes the code: auto (the first that can be used), claude, codex, gemini, opencode, qwen, copilot, or an',
    '# agent of your own under agents:. A list is a chain, best first. `ropewalk agents` shows what there is.',
    'roles: { coder: auto }',
    '# agents:',
    '#   mine: { driver: command, command: ["./my-agent", "--flag"] }',
    '',
    ...checkLines(detected),
    '',
    '# Run once in each clean place before the checks.',
    detected.setup === null ? '# setup: "make deps"' : `setup: ${quoted(detected.setup)}`,
    '',
    '# Further files that agents may not change (test configuration, CI and the check scripts are protected anyway).',
    '# protect: ["LICENSE", "migrations/**"]',
    '',
    '# limits: { agents: 3, roundsPerAttempt: 3, attemptsPerStory: 5 }',
    '# ceilings: { usdPerDelivery: 20 }',
    '',
  ].join('\n')
}

function checkLines(detected: Proposal): string[] {
  const intro = '# What must pass before anything is merged, in this order; `fix` is run before its check is judged.'
  if (detected.checks.length === 0)
    return [
      intro,
      '# None was found. Name the command that is to prove the work; it need not work yet. The first story may bring',
      '# what it needs, if its plan declares these files under mayChange (package.json, Makefile, the script …).',
      '# checks:',
      '#   test: "the command that runs your tests, and prints which"',
      '#   lint: { run: "one that runs none", parser: exit-code }',
    ]
  const lines = detected.checks.flatMap(checkLine)
  return [intro, 'checks:', ...lines]
}

function checkLine({ name, run, fix, related, parser }: ProposedCheck): string[] {
  if (fix === null && related === null && parser === 'auto') return [`  ${name}: ${quoted(run)}`]
  const ranFirst = '    # Tests that have to do with a change run first, and alone: {files} stands for them.'
  const runsNone = '    # It runs no test, so its exit code is all that tells.'
  return [
    `  ${name}:`,
    `    run: ${quoted(run)}`,
    ...(fix === null ? [] : [`    fix: ${quoted(fix)}`]),
    ...(related === null ? [] : [ranFirst, `    related: ${quoted(related)}`]),
    ...(parser === 'auto' ? [] : [runsNone, '    parser: exit-code']),
  ]
}

/** JSON strings are YAML strings; what has quotes within is easier to read between single ones. */
const quoted = (text: string): string =>
  text.includes('"') && !/['\n]/.test(text) ? `'${text}'` : JSON.stringify(text)
