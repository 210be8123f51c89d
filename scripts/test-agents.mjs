// Every driver against the real agent, at the version of agents.json, and a model API of our own:
// `npm run test:agents [-- claude codex … --write]`. Prints a table agent × case; --write puts it into the docs.
// `--smoke` tries each product with a few cases only: an honest turn, a resume, a refusal, a kill.
// The totals are the last line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { installAgents, pinned } from './install-agents.mjs'

const suites = [join('test', 'contract', 'agents', 'real'), join('test', 'journeys', 'agents', 'real')]
const given = process.argv.slice(2)
const wanted = given.filter((word) => !word.startsWith('--'))
const isSmoke = given.includes('--smoke')
/** The cases of a smoke, by their titles. */
const smoke = [
  'edits a file, runs a command, finishes',
  'resumes in a new process, usage exact',
  '401',
  'kill -9 in a tool, nothing left alive',
]
const files = (isSmoke ? suites.slice(0, 1) : suites)
  .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
  .filter((file) => wanted.length === 0 || wanted.some((name) => basename(file).startsWith(name)))
  .filter((file) => !isSmoke || Object.hasOwn(pinned.agents, basename(file, '.test.ts')))
const missing = installAgents(
  Object.keys(pinned.agents).filter((name) => files.some((file) => basename(file).includes(name))),
)
for (const name of missing) console.log(`failed: ${name} could not be installed`)

const folder = mkdtempSync(join(tmpdir(), 'ropewalk-agents-'))
const results = runSuites(files)
rmSync(folder, { recursive: true, force: true })
const table = tableOf(results)
console.log(`\n${table}`)
if (given.includes('--write')) writeTable(table)
const passed = results.filter(({ status }) => status === 'passed').length
const failed = results.length - passed + missing.length
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1

/** A suite that could not even be loaded is one failure. */
function runSuites(paths) {
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const vitest = join('node_modules', '.bin', 'vitest')
  const only = isSmoke ? ['--testNamePattern', ` (?:${smoke.join('|')})$`] : []
  const args = ['run', '--project', 'agents', ...reporters, ...only, ...paths]
  spawnSync(vitest, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.flatMap(({ name, assertionResults }) => {
    const agent = name.split('/').at(-1).replace('.test.ts', '')
    if (assertionResults.length === 0) return [{ agent, title: 'is loaded', status: 'failed' }]
    const tried = assertionResults.filter(({ title }) => !isSmoke || smoke.includes(title))
    return tried.map(({ title, status, meta }) => ({ agent, title, status, ended: meta?.ended }))
  })
}

/** A cell says how the turn ended; a case that failed is marked. */
function tableOf(results) {
  const agents = [...new Set(results.map(({ agent }) => agent))].sort()
  const titles = [...new Set(results.map(({ title }) => title))]
  const cell = (title, agent) => {
    const found = results.find((result) => result.title === title && result.agent === agent)
    if (found === undefined) return '–'
    return found.status === 'passed' ? (found.ended ?? 'passed') : '**FAILED**'
  }
  const rows = titles.map((title) => [title, ...agents.map((agent) => cell(title, agent))])
  const lines = [['case', ...agents], ['case', ...agents].map(() => '---'), ...rows]
  return `${lines.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
}

function writeTable(table) {
  const versions = Object.entries(pinned.agents).map(([name, { version }]) => `${name} ${version}`)
  const text = [
    '# The contract of the agents',
    '',
    'Each driver is tried with the real agent and a model API of our own. A cell is how the turn ended: `finished`, or the',
    'kind of the failure that the driver reports. `npm run test:agents -- --write` writes this page.',
    '',
    `Versions: ${versions.join(', ')}; the JavaScript ones run on Node ${pinned.node.version}.`,
    '',
    table,
  ]
  writeFileSync(join('docs', 'agents-contract.md'), text.join('\n'))
}
