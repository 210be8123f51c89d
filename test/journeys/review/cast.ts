// A shop whose coder, reviewers and triager do what a script says.
import { Yard } from '../yard.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const importing = `${head}import { total } from '../src/total.mjs'\n`
export const totalTest = `${importing}test('sums', () => {\n  assert.strictEqual(total([4, 6], 0), 10)\n})\n`
export const wrong = 'export const total = (prices, discount) => {\n  return prices.reduce((a, b) => a + b, 0)\n}\n'
export const right =
  'export const total = (prices, discount) => {\n  return prices.reduce((a, b) => a + b, 0) - discount\n}\n'

export const commit = '$ROPEWALK_COMMIT'
export const claim = {
  severity: 'blocking',
  file: 'src/total.mjs',
  line: 2,
  message: 'The discount is ignored: total([4, 6], 3) gives 10.',
  evidence: 'return prices.reduce((a, b) => a + b, 0)',
}
export const approves = { result: { commit, verdict: 'approve', findings: [], checked: ['src/total.mjs'] } }
export const refuses = (...findings: object[]) => ({ result: { commit, verdict: 'needs-work', findings, checked: [] } })
export const sorts = (...fates: [fate: string, severity: string][]) => ({
  result: {
    commit,
    sorted: fates.map(([fate, severity], index) => ({
      finding: `F${index + 1}`,
      ...{ fate, severity, because: `Line 2 shows it, for claim ${index + 1}.` },
    })),
  },
})

export const coder = (code: string, more: object = {}) => ({
  role: 'coder',
  ...more,
  do: [{ write: { 'src/total.mjs': code, 'test/total.test.mjs': totalTest } }],
})
export const reviewer = (does: object[], more: object = {}) => ({ role: 'reviewer', ...more, do: does })
export const triager = (does: object[], more: object = {}) => ({ role: 'triager', ...more, do: does })
export const testWriter = (text: string, said: object = {}) => ({
  role: 'test-writer',
  do: [
    { write: { 'test/repro.test.mjs': text } },
    {
      result: {
        commit,
        tests: [{ finding: 'F1', file: 'test/repro.test.mjs', test: 'takes it off', shows: '10 !== 7', ...said }],
        none: [],
      },
    },
  ],
})
export const repro = (expected: string) =>
  `${importing}test('takes it off', () => {\n  assert.strictEqual(total([4, 6], 3), ${expected})\n})\n`

/** `edge-cases` and `correctness` are told apart by what they are told. */
export const edge = { prompt: 'what nobody thought of' }

export const open = (script: object[], config: { review?: object; [key: string]: unknown } = {}): Yard => {
  const { review, ...more } = config
  const agents = ['looker']
  return new Yard({
    config: {
      agents: {
        player: { driver: 'scripted', script: 'script.yaml' },
        looker: { driver: 'scripted', script: 'script.yaml', models: { fast: 'other' } },
      },
      roles: { coder: 'player', triager: 'player' },
      checks: { test: { run: 'node --test', related: 'node --test {files}' } },
      review: {
        reviewers: [
          { vantage: 'correctness', agents },
          { vantage: 'edge-cases', agents },
        ],
        ...review,
      },
      ...more,
    },
    files: { 'script.yaml': JSON.stringify(script), 'src/one.mjs': 'export const one = 1\n' },
  })
}

export const rolesOf = async (yard: Yard): Promise<string[]> =>
  (await yard.eventsOf('AgentStarted')).map(({ role }) => role)
