import type { Breakage } from '../../../proof/breakage/breakages.ts'
import { carried } from '../../../proof/breakage/carry.ts'
import { testsOf } from '../../../proof/breakage/spots.ts'
import { usersOf } from '../../../proof/related/import-graph.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { changedTests, formerTests, means } from '../../../proof/witness/cases.ts'
import { runFiles, wholeCheck } from '../single/run-files.ts'
import type { Noticed, Probing } from './noticed.ts'

/** A breakage, where it is on the commit, and the tests that have to notice it there. */
interface Carried {
  breakage: Breakage
  file: { path: string; text: string }
  tests: { before: string; now: string }[]
}

export interface Heard {
  breakage: Breakage
  tests: string[]
}

/** Which of these breakages none of the tests notices on the commit that noticed them on the base; and which one does. */
export async function deafTo(probing: Probing, noticed: Noticed[]): Promise<{ deaf: Heard[]; heard: Heard[] }> {
  const open = carriedOver(probing, noticed)
  if (open.length === 0) return { deaf: [], heard: [] }
  const results = await runOnCommit(probing, open, '-commit')
  const deaf: Heard[] = []
  const heard: Heard[] = []
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

async function runOnCommit(probing: Probing, some: Carried[], name: string): Promise<Map<string, CheckResult>> {
  const { commit } = probing.performance.step
  const broken = await probing.repository.variant(
    commit,
    some.map(({ file }) => file),
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
function carriedOver({ then, now, changes, asking }: Probing, noticed: Noticed[]): Carried[] {
  const moved = new Map(changes.flatMap(({ oldPath, path }) => (oldPath === null ? [] : [[oldPath, path] as const])))
  const users = usersOf(now)
  const former = formerTests(changes)
  return noticed.flatMap(({ breakage, by }): Carried[] => {
    const path = moved.get(breakage.file) ?? breakage.file
    const after = now.texts.get(path)
    const before = then.texts.get(breakage.file)
    const text = after === undefined || before === undefined ? null : carried({ before, broken: breakage.text, after })
    if (text === null) return []
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
    return tests.length === 0 ? [] : [{ breakage, file: { path, text }, tests }]
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
