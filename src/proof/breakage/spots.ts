import { needing, type Users, usersOf } from '../related/import-graph.ts'
import { isTestFile } from '../related/related-tests.ts'
import { isCode, isNamedAfter, isOtherCode, type Tree } from '../related/tree.ts'
import { isSupport } from '../witness/subject.ts'

/** A file of the product, and the tests that should notice when it is broken, the likeliest first. */
export interface Spot {
  file: string
  tests: string[]
  /** 0: the change is in it; 1: tests of it reach the change, too; 2: neither. */
  distance: number
}

export interface Ground {
  tree: Tree
  /** Test files that can be run. */
  tests: readonly string[]
  changed: readonly string[]
}

const mostFiles = 120

/** Where the product may be broken so that few tests tell whether it is noticed: near the change first. */
export function spotsIn({ tree, tests, changed }: Ground): Spot[] {
  const users = usersOf(tree)
  const near = new Set(testsOf(users, tests, changed))
  const files = [...tree.texts.keys()].filter((path) => isProductCode(path, tree.texts.get(path)!)).sort()
  const own = files.filter((path) => changed.includes(path))
  const rest = files.filter((path) => !changed.includes(path))
  const spots = [...own, ...reachedFirst(users, rest, near)].slice(0, mostFiles).flatMap((file): Spot[] => {
    const related = testsOf(users, tests, [file])
    if (related.length === 0) return []
    const distance = changed.includes(file) ? 0 : related.some((test) => near.has(test)) ? 1 : 2
    return [{ file, tests: related, distance }]
  })
  return spots.sort((a, b) => a.distance - b.distance || a.tests.length - b.tests.length)
}

/** The test files that need one of these, those named after it and those that import it themselves first. */
export function testsOf(users: Users, tests: readonly string[], files: readonly string[]): string[] {
  const needs = needing(users, files)
  const rank = (test: string): number => {
    if (files.some((file) => file === test || isNamedAfter(test, file))) return 0
    const reason = needs.get(test)
    return reason === undefined ? 3 : reason.next === reason.changed ? 1 : 2
  }
  return tests
    .map((test) => ({ test, rank: rank(test) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ test }) => test)
}

/** Those that a test imports itself are the likeliest to be noticed. */
function reachedFirst(users: Users, files: string[], near: ReadonlySet<string>): string[] {
  const rank = (file: string): number => ((users.get(file) ?? []).some((user) => near.has(user)) ? 0 : 1)
  return files
    .map((file) => ({ file, rank: rank(file) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ file }) => file)
}

/** Code that is neither a test nor what tests lean on, nor what only builds. */
export const isProductCode = (path: string, text: string): boolean =>
  (isCode(path) || isOtherCode(path)) && !isTestFile(path, text) && !isSupport(path) && !notProduct.test(path)

const notProduct =
  /\.d\.[cm]?ts$|\.config\.\w+$|(?:^|\/)(?:scripts?|tools?|bench|benchmarks|examples?|docs?|build|dist|\.[\w-]+)\/|(?:^|\/)(?:setup|conftest|build)\.(?:py|rs)$/
