import { type Users, usersOf } from '../../../proof/related/import-graph.ts'
import type { Tree } from '../../../proof/related/tree.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import type { Subject } from '../../../proof/witness/subject.ts'
import { readTree } from '../related.ts'
import type { Court } from '../run-check.ts'
import { type Allowance, allowanceFor, askingOf, type CheckAsked, roomIn, takesTooLong } from '../single-files.ts'

export const mostTests = 4

/** What all looks of the witness have in common, their time first of all. */
export interface Hearing extends Court {
  /** Null: there are too many files. */
  tree: Tree | null
  askings: { asking: CheckAsked; allowance: Allowance }[]
  /** What there was no time for. */
  untried: string[]
}

export interface Trying extends Hearing {
  subject: Subject
  tree: Tree
  users: Users
}

export async function hearingOf(court: Court): Promise<Hearing> {
  const { repository, step, input } = court
  const { base, commit } = step
  const tree = await readTree(repository, commit)
  const askings: Hearing['askings'] = []
  for (const check of tree === null ? [] : input.policy.checks) {
    const asking = await askingOf(repository, check, { base, commit, tree: tree! })
    askings.push({ asking, allowance: await allowanceFor(court, asking, 'witness') })
  }
  // Those that can be asked about single tests tell most.
  askings.sort((a, b) => Number(a.asking.tests === null) - Number(b.asking.tests === null))
  return { ...court, tree, askings, untried: [] }
}

export async function tryingOf(hearing: Hearing, subject: Subject): Promise<Trying | null> {
  const { limits, mutation } = hearing.input.policy
  const { tree } = hearing
  if (mutation === 'off' || limits.breakages === 0 || tree === null) return null
  return { ...hearing, subject, tree, users: usersOf(tree) }
}

/** Whether there is no time for another run, so that what follows is only told. */
export function isSpent({ askings, untried }: Hearing, what: string): boolean {
  const spent =
    askings.length > 0 &&
    askings.every(({ asking, allowance }) => roomIn(allowance) === 0 || takesTooLong(asking, allowance))
  if (spent) untried.push(what)
  return spent
}

/** A whole check that is cut short was perhaps only slow. */
export const notices = ({ status }: CheckResult, { tests }: CheckAsked): boolean =>
  status === 'test-failure' || status === 'crash' || (status === 'timeout' && tests !== null)

/** Of a whole check that names no test, nobody knows whether it tests anything. */
export const isPassing = ({ status, counts }: CheckResult, { tests }: CheckAsked): boolean =>
  (status === 'pass' && (tests !== null || counts !== null)) ||
  // What is only skipped notices nothing.
  (status === 'no-tests' && tests !== null && counts !== null && counts.skipped > 0)
