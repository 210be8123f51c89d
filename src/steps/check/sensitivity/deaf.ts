import { type Breakage, breakagesIn, carried } from '../../../proof/breakage/breakages.ts'
import { testsOf } from '../../../proof/breakage/spots.ts'
import type { CodeReader } from '../../../proof/files/test-file.ts'
import { usersOf } from '../../../proof/related/import-graph.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { linesOfSame } from '../../../proof/witness/functions.ts'
import { changedTests, formerTests, means } from '../../../proof/witness/named-tests.ts'
import { runFiles, wholeCheck } from '../single-files.ts'
import type { Noticed, Probing } from './noticed.ts'

/** A breakage, how it is made on the commit, and the tests that have to notice it there. */
interface Carried {
  breakage: Breakage
  /** The same breakage; or several others, where the lines that it was about are not there any more. */
  files: { path: string; text: string }[]
  tests: { before: string; now: string }[]
}

export interface HeardBreakage {
  breakage: Breakage
  tests: string[]
}

/** Which of these breakages none of the tests notices on the commit that noticed them on the base; and which one does. */
export async function deafTo(
  probing: Probing,
  noticed: Noticed[],
): Promise<{ deaf: HeardBreakage[]; heard: HeardBreakage[] }> {
  const { allowance } = probing
  // What was noticed on the base is worth nothing unless the commit is asked, too, with as much time and more.
  if (allowance.fileMs === 0) allowance.leftMs = Math.max(allowance.leftMs, 3 * (allowance.slowestMs ?? 0))
  const all = carriedOver(probing, noticed, await probing.world.code())
  const open = all.filter(({ files }) => files.length === 1)
  const deaf: HeardBreakage[] = []
  const heard: HeardBreakage[] = []
  for (const [index, one] of all.filter(({ files }) => files.length > 1).entries()) {
    const told = { breakage: one.breakage, tests: one.tests.map(({ now }) => now) }
    if ((await isDeafToAll(probing, one, index)) && (await isSteadilyDeaf(probing, one, `anew-${index}`)))
      deaf.push(told)
    else heard.push(told)
  }
  // Each for itself: where several are tested together, one that is noticed would speak for the others.
  for (const [index, one] of open.entries()) {
    const results = await runOnCommit(probing, one, { name: `-commit-${index}`, fresh: false })
    const told = one.tests.filter(({ now }) => results.has(now))
    if (told.length === 0) continue
    const tests = told.map(({ now }) => now)
    const isDeaf = told.every(({ now }) => isSilent(results.get(now)!))
    if (isDeaf && (await isSteadilyDeaf(probing, one, `${index}`))) deaf.push({ breakage: one.breakage, tests })
    else heard.push({ breakage: one.breakage, tests })
  }
  return { deaf, heard }
}

const isSilent = ({ status }: CheckResult): boolean => status === 'pass' || status === 'no-tests'

/** Whatever is broken in what was written anew, none of them notices. */
async function isDeafToAll(probing: Probing, one: Carried, index: number): Promise<boolean> {
  for (const [turn, file] of one.files.entries()) {
    const name = `-anew-${index}-${turn}`
    const results = await runOnCommit(probing, { ...one, files: [file] }, { name, fresh: false })
    if (results.size === 0 || ![...results.values()].every(isSilent)) return false
  }
  return true
}

async function runOnCommit(
  probing: Probing,
  { files, tests }: Carried,
  { name, fresh }: { name: string; fresh: boolean },
): Promise<Map<string, CheckResult>> {
  const { commit } = probing.step
  const broken = await probing.repository.variant(commit, files.slice(0, 1))
  return await runFiles(probing, { name, fresh, ...broken, tests: tests.map(({ now }) => now) })
}

const rounds = 2

/** Nobody is charged by a flake: alone, and run anew each time, the base still fails for it, and the commit does not. */
async function isSteadilyDeaf(given: Probing, one: Carried, name: string): Promise<boolean> {
  const { repository, step, asking } = given
  // Who is about to be charged has a claim on the time that it takes.
  const probing = { ...given, allowance: { leftMs: rounds * 2 * asking.check.timeoutMs, wholeMs: 0, fileMs: 0 } }
  const { file, text } = one.breakage
  const broken = await repository.variant(step.base, [{ path: file, text }])
  let { tests } = one
  for (let round = 0; round < rounds; round++) {
    const wanted = { ...broken, tests: tests.map(({ before }) => before), fresh: true }
    const before = await runFiles(probing, { ...wanted, name: `-base-alone-${name}-${round}` })
    tests = tests.filter((test) => isFailing(before.get(test.before)))
    if (tests.length === 0) return false
    const now = await runOnCommit(probing, { ...one, tests }, { name: `-commit-alone-${name}-${round}`, fresh: true })
    if (now.size === 0 || ![...now.values()].every(isSilent)) return false
  }
  return true
}

const isFailing = (result: CheckResult | undefined): boolean =>
  result?.status === 'test-failure' || result?.status === 'crash'

const mostAnew = 4

/** Those whose lines are there as they were, with the tests that are, and that still reach them. */
function carriedOver({ then, now, changes, asking }: Probing, noticed: Noticed[], code: CodeReader): Carried[] {
  const moved = new Map(changes.flatMap(({ oldPath, path }) => (oldPath === null ? [] : [[oldPath, path] as const])))
  const users = usersOf(now)
  const former = formerTests(changes)
  return noticed.flatMap(({ breakage, by }): Carried[] => {
    const path = moved.get(breakage.file) ?? breakage.file
    const after = now.texts.get(path)
    const before = then.texts.get(breakage.file)
    const text = after === undefined || before === undefined ? null : carried({ before, broken: breakage.text, after })
    const lines = before === undefined || after === undefined ? null : linesOfSame(before, breakage.line, after)
    const others = text === null && after !== undefined ? breakagesIn(path, after, { lines, code, most: mostAnew }) : []
    const files = text === null ? others.map((other) => ({ path, text: other.text })) : [{ path, text }]
    if (files.length === 0 || (text === null && files.length < 2)) return []
    const there = by.map((one) => ({ ...one, now: moved.get(one.test) ?? one.test })).filter((one) => isThere(one))
    const reaching =
      asking.tests === null
        ? [wholeCheck]
        : testsOf(
            users,
            there.map((one) => one.now),
            [path],
          )
    const tests = there.filter((one) => reaching.includes(one.now)).map((one) => ({ before: one.test, now: one.now }))
    return tests.length === 0 ? [] : [{ breakage, files, tests }]
  })

  function isThere({ test, names, now: path }: { test: string; names: string[]; now: string }): boolean {
    if (test === wholeCheck) return true
    const change = changes.find((one) => one.path === path)
    if (change === undefined) return now.files.has(path)
    if (change.after === null || change.before === change.after) return change.after !== null
    const { same } = changedTests(change, former)
    return names.some((name) => same.some((kept) => means(name, kept)))
  }
}
