import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize } from 'node:path'
import type { CheckPolicy } from '../../delivery/policy.ts'
import { load } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { LaidFile, Point, RunBegun, RunTold, Search } from '../../ports/proofs/regression.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import { toPolicy } from '../../settings/policy.ts'
import { checkDefaults } from '../../settings/schema.ts'
import { nearest } from '../../std/nearest.ts'
import { never } from '../../std/never.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { shortId } from '../../views/step-text.ts'
import { freeGoneSearches } from '../gc/searches.ts'
import { factsHere, readEverything, requireHome } from '../prepare/settings-layers.ts'
import type { Visit } from '../world.ts'
import { commitOf } from './verify.ts'

interface RegressAsked extends RegressOptions {
  range: string | undefined
  signal: AbortSignal
  /** `command`: what the check runs. */
  onRun(run: RunTold, command: string): void
}

/** With which story a check became red, and whether reverting it would help. Null: interrupted. */
export async function regress(visit: Visit, asked: RegressAsked): Promise<RegressionView | null> {
  const { world, folder } = visit
  const { range, signal } = asked
  requireHome(world.home)
  await freeGoneSearches(visit)
  const { repository, layered } = await readEverything(visit, {}, world.home)
  const { settings, target, base } = layered
  const checks = checksOf(settings.checks, asked)
  const user = await (await world.repositories(world.home)).look(folder)
  const ends = await rangeEnds(user, { range, since: asked.since, tip: base })
  const regression = await world.regression(folder)
  const course = await regression.course(ends)
  if (course.length === 0) throw noStories(user, range ?? target)
  const files = asked.run === undefined ? [] : await namedFiles(repository.path, asked.run)
  const overlay = await regression.laidOver({ tip: ends.tip, files })
  const policy = toPolicy({ ...settings, target }, factsHere(target, true))
  for (const { path } of overlay)
    visit.hear({ kind: 'note', text: `Every commit is tried with ${path} as it is in your checkout.` })
  const commands = new Map(checks.map(({ name, run }) => [name, run]))
  const onStart = (run: RunBegun) => visit.hear({ kind: 'doing', text: begunText(run) })
  const onRun = (run: RunTold) => {
    visit.hear({ kind: 'doing', text: null })
    asked.onRun(run, commands.get(run.check) ?? '')
  }
  const search = regression.search({ course, checks, policy, overlay, signal, onStart, onRun })
  const [found] = await Promise.allSettled([search])
  visit.hear({ kind: 'doing', text: null })
  if (signal.aborted) return null
  if (found.status === 'rejected') throw found.reason
  return regressionView(found.value, { target, course, culprit: await culpritOf(visit, found.value) })
}

const begunText = ({ check, point, again, number, most }: RunBegun): string =>
  point === null
    ? `trying the revert with ${check} …`
    : `run ${number} of at most ${most}: ${check} at ${shortId(point.commit)}${again ? ' again' : ''} …`

/** What the log of this machine knows of the story. */
async function culpritOf({ world }: Visit, found: Search): Promise<Culprit | null> {
  if (found.status !== 'found') return null
  const { delivery, story } = found.at.story as NonNullable<Point['story']>
  const log = await world.log()
  const known = (await log.deliveries(null)).some((row) => row.delivery === delivery)
  const state = known ? await load(log, delivery) : null
  const of = state?.stories[story]
  return {
    ...{ delivery, story, title: of?.spec.title ?? found.commits.at(-1)!.subject },
    ...{ agent: of?.coder ?? null, requirement: state?.request?.requirement.text ?? null },
  }
}

/** The story that is to blame; what only the log of its machine knows is null elsewhere. */
export interface Culprit {
  delivery: string
  story: string
  title: string
  agent: string | null
  requirement: string | null
}

export type RegressionView = ReturnType<typeof regressionView>

/** What `regress` found, and its JSON. `from`, `commits`: what was searched, this commit and so many after it. */
export const regressionView = (
  result: Search,
  { target, course, culprit }: { target: string; course: Point[]; culprit: Culprit | null },
) => ({
  ...{ target, tip: course.at(-1)!.commit, from: course[0]!.commit, commits: course.length - 1 },
  /** `next`: to be pasted into a shell. */
  ...{ result, culprit, next: nextOf(result, culprit) },
})

function nextOf(result: Search, culprit: Culprit | null): string[] {
  switch (result.status) {
    case 'green':
    case 'flaky':
    case 'before':
      return []
    case 'unclear':
      return [logCommand(result.suspects)]
    case 'foreign':
      return [foreignCommand(result.at)]
    case 'found':
      return nextOfFound(result, culprit!)
    default:
      return never(result)
  }
}

function foreignCommand({ commit, parents }: Point): string {
  const id = shortId(commit)
  return parents.length > 1 ? `git log --oneline ${id}^1..${id}` : `git show ${id}`
}

/** The first commit of all has none before it. */
function logCommand(suspects: Point[]): string {
  const [first, last] = [suspects[0]!, suspects.at(-1)!]
  return `git log --oneline ${first.parents.length === 0 ? '' : `${shortId(first.commit)}^..`}${shortId(last.commit)}`
}

type FoundSearch = Extract<Search, { status: 'found' }>

function nextOfFound(found: FoundSearch, culprit: Culprit): string[] {
  const { commits, revert } = found
  switch (revert.status) {
    case 'applies':
      return [revertCommand(commits)]
    case 'empty':
      return [`git show ${shortId(commits.at(-1)!.commit)}`]
    case 'conflict':
      return [`ropewalk run ${quoted(requirementOf(found, revert.files, culprit))}`]
    default:
      return never(revert)
  }
}

/** A merge has to be told which of its parents stays. */
function revertCommand(commits: Point[]): string {
  const last = commits.at(-1)!
  if (commits.length > 1) return `git revert --no-edit ${shortId(commits[0]!.commit)}^..${shortId(last.commit)}`
  return `git revert --no-edit ${last.parents.length > 1 ? '-m 1 ' : ''}${shortId(last.commit)}`
}

function requirementOf(found: FoundSearch, conflicting: string[], culprit: Culprit): string {
  const ids = found.commits.map(({ commit }) => shortId(commit)).join(', ')
  const tests = found.failures.slice(0, 5).map(({ test }) => `"${oneLine(test, 100)}"`)
  const whole = found.check === '--run' ? `The command ${oneLine(found.command, 200)}` : `The check ${found.check}`
  const files = conflicting.slice(0, 10).map((file) => oneLine(file, 100))
  return [
    `Revert "${oneLine(culprit.title, 100)}" (commit ${ids}) and keep what came after it.`,
    `${tests.length === 0 ? whole : `${whole}, and in it ${tests.join(', ')},`} must pass again.`,
    `Later changes touch the same lines in ${files.join(', ')}.`,
  ].join(' ')
}

/** One word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

interface RegressOptions {
  since?: string | undefined
  /** One check of the settings. */
  check?: string | undefined
  /** A command of one's own. */
  run?: string | undefined
}

/** What is run: one check of the settings, a command of one's own, or all checks in their order. */
export function checksOf(checks: CheckPolicy[], { check: name, run }: RegressOptions): CheckPolicy[] {
  if (run !== undefined && run.trim() === '') throw new TerminalError('--run is empty', 'give a command, in quotes')
  if (run !== undefined) return [{ ...checkDefaults, name: '--run', run }]
  const names = checks.map((check) => check.name)
  if (name === undefined && checks.length > 0) return checks
  if (name === undefined)
    throw new TerminalError('the settings have no checks', 'run `ropewalk init`, or give a command with --run')
  const found = checks.filter((check) => check.name === name)
  if (found.length > 0) return found
  const meant = nearest(name, names)
  throw new TerminalError(
    `there is no check "${name}"`,
    meant === null ? `name one of: ${names.join(', ') || 'none'}` : `did you mean ${meant}?`,
  )
}

/** Where the search ends, and what it begins after. */
export async function rangeEnds(
  user: UserRepository,
  { range, since, tip }: { range: string | undefined; since: string | undefined; tip: string },
): Promise<{ tip: string; since: string | null }> {
  if (range === undefined) return { tip, since: since === undefined ? null : await commitOf(user, since, anyCommit) }
  const [, from, to] = /^(.*[^.])\.\.([^.].*)?$/.exec(range) ?? []
  if (from === undefined)
    throw new TerminalError(`"${range}" is not a range`, 'a range has two ends, the older first: main~20..main')
  return { tip: await commitOf(user, to ?? 'HEAD', anyCommit), since: await commitOf(user, from, anyCommit) }
}

const anyCommit = 'name a commit: a branch, a tag, or an id'

const noStories = ({ hasNotes }: UserRepository, where: string): TerminalError =>
  new TerminalError(
    `no story of ours has landed in ${where}`,
    hasNotes
      ? 'look further back: without a range and --since, all of the branch is searched'
      : 'in a clone, fetch the notes first: git fetch origin refs/notes/ropewalk:refs/notes/ropewalk',
  )

const longestBytes = 1_000_000

/** The files of the checkout that a command names, such as a test that shows the regression. */
export async function namedFiles(root: string, command: string): Promise<LaidFile[]> {
  const words = [...new Set(command.split(/[\s'"=;&|()<>]+/).filter((word) => word !== '' && !word.startsWith('-')))]
  const files: LaidFile[] = []
  for (const word of words) {
    const path = normalize(word)
    if (isAbsolute(path) || path.startsWith('..')) continue
    const found = await stat(join(root, path)).catch(() => null)
    if (found?.isFile() === true && found.size <= longestBytes)
      files.push({ path, text: await readFile(join(root, path)) })
  }
  return files
}
