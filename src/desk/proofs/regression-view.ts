import type { Point, Revert, Search } from '../../ports/proofs/regression.ts'
import { never } from '../../std/never.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { shortId } from '../../views/step-text.ts'

/** The story that is to blame; what only the log of its machine knows is null elsewhere. */
export interface Culprit {
  delivery: string
  story: string
  title: string
  agent: string | null
  requirement: string | null
}

/** What `regress` found, and its JSON. */
export interface RegressionView {
  target: string
  tip: string
  /** What was searched: this commit, and so many after it. */
  from: string
  commits: number
  result: Search
  culprit: Culprit | null
  /** To be pasted into a shell. */
  next: string[]
}

export function regressionView(
  result: Search,
  { target, course, culprit }: { target: string; course: Point[]; culprit: Culprit | null },
): RegressionView {
  return {
    ...{ target, tip: course.at(-1)!.commit, from: course[0]!.commit, commits: course.length - 1 },
    ...{ result, culprit, next: nextOf(result, culprit) },
  }
}

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
      return found(result, culprit!)
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

function found({ commits, revert, ...red }: Extract<Search, { status: 'found' }>, culprit: Culprit): string[] {
  switch (revert.status) {
    case 'applies':
      return [revertCommand(commits)]
    case 'empty':
      return [`git show ${shortId(commits.at(-1)!.commit)}`]
    case 'conflict':
      return [`ropewalk run ${quoted(requirementOf({ commits, revert, red, culprit }))}`]
    default:
      return never(revert)
  }
}

/** A merge has to be told which of its parents stays. */
export function revertCommand(commits: Point[]): string {
  const last = commits.at(-1)!
  if (commits.length > 1) return `git revert --no-edit ${shortId(commits[0]!.commit)}^..${shortId(last.commit)}`
  return `git revert --no-edit ${last.parents.length > 1 ? '-m 1 ' : ''}${shortId(last.commit)}`
}

interface Asked {
  commits: Point[]
  revert: Extract<Revert, { status: 'conflict' }>
  red: { check: string; command: string; failures: { test: string }[] }
  culprit: Culprit
}

function requirementOf({ commits, revert, red, culprit }: Asked): string {
  const ids = commits.map(({ commit }) => shortId(commit)).join(', ')
  const tests = red.failures.slice(0, 5).map(({ test }) => `"${oneLine(test, 100)}"`)
  const whole = red.check === '--run' ? `The command ${oneLine(red.command, 200)}` : `The check ${red.check}`
  const files = revert.files.slice(0, 10).map((file) => oneLine(file, 100))
  return [
    `Revert "${oneLine(culprit.title, 100)}" (commit ${ids}) and keep what came after it.`,
    `${tests.length === 0 ? whole : `${whole}, and in it ${tests.join(', ')},`} must pass again.`,
    `Later changes touch the same lines in ${files.join(', ')}.`,
  ].join(' ')
}

/** One word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
