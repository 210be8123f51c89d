import { type Breakage, breakagesIn, keptLines } from '../../../proof/breakage/breakages.ts'
import { isProductCode, type Spot, spotsIn } from '../../../proof/breakage/spots.ts'
import type { Change } from '../../../proof/files/change.ts'
import type { Tree } from '../../../proof/related/tree.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { hashOf } from '../../../std/hash.ts'
import { parseJson } from '../../../std/json.ts'
import { keepText, readText } from '../../place/text.ts'
import type { Court } from '../run-check.ts'
import type { CheckAsked } from '../single-files.ts'
import { type Allowance, roomIn, runFiles, wholeCheck } from '../single-files.ts'

export interface Probing extends Court {
  asking: CheckAsked
  allowance: Allowance
  /** The base's files, and the commit's. */
  then: Tree
  now: Tree
  changes: Change[]
  changed: string[]
}

/** A breakage of the base, and who fails there because of it. */
export interface Noticed {
  breakage: Breakage
  by: { test: string; names: string[] }[]
}

interface Candidate {
  breakage: Breakage
  tests: string[]
  distance: number
}

const [mostSpots, perSpot, perRun, testsPerSpot, mostRuns] = [6, 3, 3, 2, 3]

/** A test file is run on the base, broken and whole, and on the commit. */
export const runsOfEach = 3

/** Up to three breakages that tests of the base notice: such as others on this base have found already, or new ones. */
export async function noticedOnBase(probing: Probing): Promise<Noticed[]> {
  const { then, changes } = probing
  const spots = spotsFor(probing)
  const known = (await knownOf(probing)).filter(({ breakage }) => isKept(breakage, { then, changes }))
  const near = (file: string): number => spots.find((spot) => spot.file === file)?.distance ?? 2
  const best = spots[0]?.distance ?? 2
  const fitting = known.filter(({ breakage }) => near(breakage.file) <= Math.max(best, 1))
  if (fitting.length > 0) return fitting.slice(0, perRun)
  let open = await candidatesFrom(probing, spots)
  for (let run = 0; run < mostRuns && open.length > 0; run++) {
    const chosen = differentFiles(open).slice(0, roomIn(probing.allowance, runsOfEach))
    if (chosen.length === 0) break
    open = open.filter((one) => !chosen.includes(one))
    const found = await tryOnBase(probing, chosen, `-base-${run}`)
    if (found.length === 0) continue
    await remember(probing, [...(await knownOf(probing)), ...found])
    return found
  }
  return []
}

function spotsFor({ asking, then, changed }: Probing): Spot[] {
  if (asking.tests !== null) return spotsIn({ tree: then, tests: asking.tests, changed })
  const files = [...then.texts].filter(([path, text]) => isProductCode(path, text)).map(([path]) => path)
  const all = files.map((file) => ({ file, tests: [wholeCheck], distance: changed.includes(file) ? 0 : 1 }))
  return all.sort((a, b) => a.distance - b.distance)
}

/** The best of each file before the second best of any. */
async function candidatesFrom({ world, then, changes }: Probing, spots: Spot[]): Promise<Candidate[]> {
  const code = await world.code()
  const turns: { candidate: Candidate; turn: number }[] = []
  for (const { file, tests, distance } of spots) {
    if (new Set(turns.map(({ candidate }) => candidate.breakage.file)).size >= mostSpots) break
    const text = then.texts.get(file)!
    const change = changes.find((one) => (one.oldPath ?? one.path) === file)
    // What was deleted, or cannot be read, cannot be broken on the commit.
    if (change !== undefined && change.after === null) continue
    const lines = change === undefined ? null : keptLines(text, change.after!)
    const kept = breakagesIn(file, text, { lines, code, most: perSpot })
    // A file that was written anew is broken anew on the commit, too.
    const found = kept.length > 0 ? kept : breakagesIn(file, text, { lines: null, code, most: perSpot })
    for (const [turn, breakage] of found.entries())
      turns.push({ candidate: { breakage, tests: tests.slice(0, testsPerSpot), distance }, turn })
  }
  return turns
    .sort((a, b) => a.turn - b.turn || a.candidate.distance - b.candidate.distance)
    .map(({ candidate }) => candidate)
}

function differentFiles(open: Candidate[]): Candidate[] {
  const chosen: Candidate[] = []
  for (const one of open)
    if (chosen.length < perRun && chosen.every(({ breakage }) => breakage.file !== one.breakage.file)) chosen.push(one)
  return chosen
}

/** All of them at once; who fails then and does not fail without them has noticed those that it reaches. */
async function tryOnBase(probing: Probing, chosen: Candidate[], name: string): Promise<Noticed[]> {
  const { repository, step } = probing
  const { base } = step
  const files = chosen.map(({ breakage: { file, text } }) => ({ path: file, text }))
  const broken = await repository.variant(base, files)
  // One of each before the second of any, where there is no time for all.
  const turns = Array.from({ length: testsPerSpot }, (_, turn) => chosen.flatMap((one) => one.tests[turn] ?? []))
  const tests = [...new Set(turns.flat())].slice(0, roomIn(probing.allowance, runsOfEach))
  const results = await runFiles(probing, { name: `${name}-broken`, ...broken, tests })
  const failing = tests.filter((test) => notices(results.get(test)))
  const tree = await repository.treeOf(base)
  const before = await runFiles(probing, { name: `${name}-whole`, commit: base, tree, tests: failing })
  const steady = failing.filter((test) => before.get(test)?.status === 'pass')
  return chosen.flatMap(({ breakage, tests: own }): Noticed[] => {
    const by = own.filter((test) => steady.includes(test)).map((test) => ({ test, names: namesIn(results.get(test)) }))
    return by.length === 0 ? [] : [{ breakage, by }]
  })
}

/** What does not build tells nothing, and what hangs only costs time. */
const notices = (result: CheckResult | undefined): boolean =>
  result !== undefined && (result.status === 'test-failure' || result.status === 'crash')

const namesIn = (result: CheckResult | undefined): string[] =>
  result?.failures.map(({ test }) => test).slice(0, 50) ?? []

const isKept = ({ file }: Breakage, { then, changes }: Pick<Probing, 'then' | 'changes'>): boolean =>
  then.texts.has(file) && changes.every((one) => (one.oldPath ?? one.path) !== file)

async function knownOf(probing: Probing): Promise<Noticed[]> {
  return (parseJson((await readText(await fileOf(probing))) ?? '') as Noticed[] | null) ?? []
}

async function remember(probing: Probing, noticed: Noticed[]): Promise<void> {
  await keepText(await fileOf(probing), JSON.stringify(noticed.slice(-12)))
}

/** By the base's tree, so that every story on it has it. */
async function fileOf({ world, step, input, repository, asking }: Probing): Promise<string> {
  const { name, run, related } = asking.check
  const key = hashOf([await repository.treeOf(step.base), name, run, related])
  return world.places.result(input.delivery, `noticed-${key}`)
}
