import { type Breakage, breakagesIn } from '../../../proof/breakage/breakages.ts'
import { carried } from '../../../proof/breakage/carry.ts'
import { testsOf } from '../../../proof/breakage/spots.ts'
import type { CodeReader } from '../../../proof/inspection/syntax/code-reader.ts'
import { usersOf } from '../../../proof/related/import-graph.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { changedTests, formerTests, means } from '../../../proof/witness/cases.ts'
import { runFiles, wholeCheck } from '../single/run-files.ts'
import type { Noticed, Probing } from './noticed.ts'

/** A breakage, how it is made on the commit, and the tests that have to notice it there. */
interface Carried {
  breakage: Breakage
  /** The same breakage; or several others, where the lines that it was about are not there any more. */
  files: { path: string; text: string }[]
  tests: { before: string; now: string }[]
}

export interface Heard {
  breakage: Breakage
  tests: string[]
}

/** Which of these breakages none of the tests notices on the commit that noticed them on the base; and which one does. */
export async function deafTo(probing: Probing, noticed: Noticed[]): Promise<{ deaf: Heard[]; heard: Heard[] }> {
  const all = carriedOver(probing, noticed, await probing.world.code())
  const open = all.filter(({ files }) => files.length === 1)
  const results = open.length === 0 ? new Map<string, CheckResult>() : await runOnCommit(probing, open, '-commit')
  const deaf: Heard[] = []
  const heard: Heard[] = []
  for (const [index, one] of all.filter(({ files }) => files.length > 1).entries()) {
    const told = { breakage: one.breakage, tests: one.tests.map(({ now }) => now) }
    if (await isDeafToAll(probing, one, index)) deaf.push(told)
    else heard.push(told)
  }
  for (const [index, one] of open.entries()) {
    const told = one.tests.filter(({ now }) => results.has(now))
    if (told.length === 0) continue
    const tests = told.map(({ now }) => now)
    const isDeaf = told.every(({ now }) => isSilent(results.get(now)!))
    if (isDeaf && (await isDeafAlone(probing, one, index))) deaf.push({ breakage: one.breakage, tests })
    else heard.push({ breakage: one.breakage, tests })
  }
  return { deaf, heard }
}

const isSilent = ({ status }: CheckResult): boolean => status === 'pass' || status === 'no-tests'

/** Whatever is broken in what was written anew, none of them notices. */
async function isDeafToAll(probing: Probing, one: Carried, index: number): Promise<boolean> {
  for (const [turn, file] of one.files.entries()) {
    const results = await runOnCommit(probing, [{ ...one, files: [file] }], `-anew-${index}-${turn}`)
    if (results.size === 0 || ![...results.values()].every(isSilent)) return false
  }
  return true
}

async function runOnCommit(probing: Probing, some: Carried[], name: string): Promise<Map<string, CheckResult>> {
  const { commit } = probing.performance.step
  const broken = await probing.repository.variant(
    commit,
    some.flatMap(({ files }) => files.slice(0, 1)),
  )
  const tests = [...new Set(some.flatMap((one) => one.tests.map(({ now }) => now)))]
  return await runFiles(probing, { name, ...broken, tests })
}

/** Nobody is charged by a flake: alone, the base still fails for it, and the commit still does not. */
async function isDeafAlone(probing: Probing, one: Carried, index: number): Promise<boolean> {
  const { repository, performance } = probing
  const { file, text } = one.breakage
  const broken = await repository.variant(performance.step.base, [{ path: file, text }])
  const tests = one.tests.map(({ before }) => before)
  const before = await runFiles(probing, { name: `-base-alone-${index}`, ...broken, tests })
  const failing = one.tests.filter(
    (test) => before.get(test.before)?.status === 'test-failure' || before.get(test.before)?.status === 'crash',
  )
  if (failing.length === 0) return false
  const now = await runOnCommit(probing, [{ ...one, tests: failing }], `-commit-alone-${index}`)
  return now.size > 0 && [...now.values()].every(isSilent)
}

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
    const others = text === null && after !== undefined ? breakagesIn(path, after, { lines: null, code, most: 3 }) : []
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
