import { lstat } from 'node:fs/promises'
import { isAbsolute, join, normalize } from 'node:path'
import type { Finding, Verdict } from '../../delivery/judging/finding.ts'
import type { Criterion } from '../../delivery/plan/plan.ts'
import type { Need } from '../../delivery/policy.ts'
import type { Exit } from '../../ports/shell.ts'
import { lineCoverage } from '../../proof/results/runners/coverage.ts'
import { invariant, never } from '../../std/never.ts'
import { asFinding } from '../as-finding.ts'
import { inCleanPlace } from '../place/clean.ts'
import { endOf, isGood, runPinned } from '../place/run-line.ts'
import { setUp } from '../place/setup.ts'
import { readText } from '../place/text.ts'
import { allLines, type Court } from './run-check.ts'
import { verdictFrom } from './verdict.ts'

/** Whether what the story declares to hold does hold, in a clean copy of its commit. */
export async function criteriaVerdict(court: Court): Promise<Verdict> {
  const { step, input } = court
  invariant(input.story !== null, 'only a story has criteria')
  const { proofs } = input.story.spec
  if (proofs.length === 0) return verdictFrom([])
  const at = { name: '-criteria', commit: step.commit, dressed: true }
  return verdictFrom(await inCleanPlace(court, at, (place) => judge(court, place, proofs)))
}

async function judge(court: Court, place: string, proofs: Criterion[]): Promise<Finding[]> {
  const ready = await setUp(court, place)
  if (!ready.ok)
    return [criterionFinding({ rule: 'set-up-failed', message: ready.problem, evidence: ready.output, key: null })]
  const findings: Finding[] = []
  for (const [index, criterion] of proofs.entries()) {
    const unmet = await meets(court, { place, criterion, name: `${court.step.id}-criterion-${index}` })
    if (unmet !== null) findings.push(criterionFinding({ rule: 'criterion-not-met', ...unmet, key: criterion }))
  }
  return findings
}

const criterionFinding = ({ rule, message, evidence, key }: Unmet & { rule: string; key: unknown }): Finding =>
  asFinding({ source: 'criteria', rule, message, evidence: evidence.slice(-4_000), key: ['criteria', rule, key] })

export interface Unmet {
  message: string
  evidence: string
}

interface Asked<C extends Criterion = Criterion> {
  place: string
  criterion: C
  /** For the files with its output. */
  name: string
}

/** Why a criterion does not hold in the place; null when it does. */
export async function meets(court: Court, asked: Asked): Promise<Unmet | null> {
  const { criterion } = asked
  switch (criterion.type) {
    case 'file-exists':
      return (await exists(court, criterion.path)) ? null : unmet(`there is no ${criterion.path}`)
    case 'file-contains':
      return await contains(court, criterion)
    case 'command-succeeds':
    case 'output-contains':
      return await runs(court, { ...asked, criterion })
    case 'coverage-at-least':
      return await covers(court, { ...asked, criterion })
    default:
      return never(criterion)
  }
}

const unmet = (message: string, evidence = ''): Unmet => ({ message, evidence })

/** Files are those of the commit; what a command has made beside them is not the story's. */
async function exists({ repository, step }: Court, path: string): Promise<boolean> {
  const wanted = plainPath(path)
  const files = await repository.listFiles(step.commit)
  return files.some((file) => file === wanted || file.startsWith(`${wanted}/`))
}

const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')

async function contains(
  { repository, step, world }: Court,
  { path, text: wanted }: { path: string; text: string },
): Promise<Unmet | null> {
  const text = await repository.readFile(step.commit, plainPath(path))
  if (text === null) return unmet(`there is no ${path}`)
  return text.includes(wanted)
    ? null
    : unmet(`${path} does not contain "${wanted}"`, world.redact(text.slice(0, 2_000)))
}

type Running = Extract<Criterion, { run: string }>

const timeoutMs = 600_000

async function runs(court: Court, { place, criterion, name }: Asked<Running>): Promise<Unmet | null> {
  const output: string[] = []
  const exit = await run(court, { line: criterion.run, place, cwd: place, name, onLine: (line) => keep(output, line) })
  const evidence = outputOf(court, exit)
  if (!isGood(exit)) return unmet(`\`${criterion.run}\` did not succeed: ${endOf(exit)}`, evidence)
  if (criterion.type === 'command-succeeds') return null
  const all = `${output.join('\n')}\n${exit.stderrTail}`
  return all.includes(criterion.text)
    ? null
    : unmet(`the output of \`${criterion.run}\` lacks "${criterion.text}"`, evidence)
}

const mostLines = 100_000

function keep(lines: string[], line: string): void {
  if (lines.length < mostLines) lines.push(line.slice(0, 10_000))
}

const outputOf = ({ world }: Court, exit: Exit): string => world.redact(`${exit.stdoutTail}\n${exit.stderrTail}`).trim()

function run(court: Court, { line, place, cwd, name, onLine, needs = [] }: Commanded) {
  const spool = `${name}-${court.try}.out`
  return runPinned(court, { run: line, cwd, site: { place, needs }, timeoutMs, spool, onLine })
}

interface Commanded {
  line: string
  place: string
  cwd: string
  name: string
  onLine: ((line: string) => void) | null
  needs?: Need[]
}

type Covering = Extract<Criterion, { type: 'coverage-at-least' }>

/** By a report that is made here: the checks run until one of them writes it. One that is committed tells nothing. */
async function covers(court: Court, { place, criterion, name }: Asked<Covering>): Promise<Unmet | null> {
  const { report, percent } = criterion
  if (isAbsolute(report) || normalize(report).startsWith('..')) return unmet(`${report} is not in the repository`)
  const file = join(place, report)
  const told = await stateOf(file)
  const lines = await allChecks(court)
  for (const [index, { folder, run: line, needs }] of lines.entries()) {
    await run(court, { line, needs, place, cwd: join(place, folder), name: `${name}-${index}`, onLine: null })
    if ((await stateOf(file)) !== told) break
  }
  const text = (await stateOf(file)) === told ? null : await readText(file, 40_000_000)
  if (text === null) return unmet(`none of the checks writes ${report}, so that nobody knows the coverage`)
  const covered = lineCoverage(text)
  if (covered === null) return unmet(`${report} tells no coverage of lines`, text)
  return covered >= percent ? null : unmet(`${covered.toFixed(2)} % of the lines are covered, not ${percent} %`)
}

async function allChecks({ repository, step, input }: Court) {
  const { checks } = input.policy
  const lines = checks.map(async (check) => {
    const own = await allLines(repository, check, step.commit)
    return own.map((line) => ({ ...line, needs: check.needs }))
  })
  return (await Promise.all(lines)).flat()
}

/** What tells one state of a file from another; null when it is not there. */
async function stateOf(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null)
  return stat === null ? null : [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ')
}
