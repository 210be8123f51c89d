// That tests stay silent speaks against them only where they were shown able to hear.
import { withFailingFunctions } from '../../../proof/breakage/rewritten.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import type { Try } from '../../../proof/witness/judge-tries.ts'
import { type CheckAsked, runFiles, wholeCheck } from '../single-files.ts'
import { notices, type Trying } from './hearing.ts'

/** At the end of a file: what a build leaves out is read to where its beginning says so. */
const noCode = '\n)]} broken on purpose {[(\n'

/** Whoever is about to be charged has a claim on the time that it takes. */
const inFull = ({ check }: CheckAsked) => ({ leftMs: 4 * check.timeoutMs, wholeMs: 0, fileMs: 0 })

/**
 * Of a file in which nothing was noticed: whether the check fails at all when it is no code any more. If not, the check
 * makes it itself, does not build it, or looks elsewhere, and its silence tells nothing.
 */
export async function withControl(trying: Trying, tries: Try[], testsFor: TestsFor): Promise<Try[]> {
  const heard = new Set(tries.flatMap(({ word, damage }) => (word === 'noticed' ? [damage.file] : [])))
  const silent = new Set(tries.flatMap(({ word, damage }) => (word === 'unnoticed' ? [damage.file] : [])))
  const unread = new Set<string>()
  for (const [index, file] of [...silent].filter((one) => !heard.has(one)).entries())
    if (!(await isRead(trying, file, { name: `-control-${index}`, testsFor }))) unread.add(file)
  return tries.map((one) => (unread.has(one.damage.file) ? { ...one, word: 'unclear', unread: true } : one))
}

type TestsFor = (file: string, tests: string[]) => string[]

async function isRead(
  trying: Trying,
  file: string,
  { name, testsFor }: { name: string; testsFor: TestsFor },
): Promise<boolean> {
  const { repository, step } = trying
  const text = await repository.readFile(step.commit, file)
  if (text === null) return false
  const made = await repository.variant(step.commit, [{ path: file, text: text + noCode }])
  for (const { asking } of trying.askings) {
    const tests = asking.tests === null ? [wholeCheck] : testsFor(file, asking.tests)
    const results = await runFiles({ ...trying, asking, allowance: inFull(asking) }, { name, ...made, tests })
    if ([...results.values()].some(isRed)) return true
  }
  return false
}

/**
 * Whether these tests execute the functions in which nothing was noticed: they must fail when these do. What stands in no
 * function is executed by whoever loads the file.
 */
export async function areExecuted(trying: Trying, tries: readonly Try[], own: string[]): Promise<boolean> {
  const { repository, step, world, tree } = trying
  const code = await world.code()
  const silent = tries.filter(({ word }) => word === 'unnoticed')
  const files = [...new Set(silent.map(({ damage }) => damage.file))].flatMap((path) => {
    const lines = silent.filter(({ damage }) => damage.file === path).map(({ damage }) => damage.line)
    const text = withFailingFunctions(path, tree.texts.get(path) ?? '', { code, lines: new Set(lines) })
    return text === null ? [] : [{ path, text }]
  })
  if (files.length === 0) return true
  const made = await repository.variant(step.commit, files)
  for (const { asking } of trying.askings) {
    const tests = asking.tests === null ? [wholeCheck] : own.filter((path) => asking.tests!.includes(path))
    const results = await runFiles(
      { ...trying, asking, allowance: inFull(asking) },
      { name: '-executed', ...made, tests },
    )
    if ([...results.values()].some((result) => notices(result, asking))) return true
  }
  return false
}

const mostOthers = 4

/**
 * Whether tests that are not the story's fail on this tree: without any, nobody knows whether the check would. Where
 * there are no others, there is nobody else to ask.
 */
export async function othersFail(
  trying: Trying,
  made: Awaited<ReturnType<Trying['repository']['variant']>>,
  own: string[],
): Promise<boolean> {
  let asked = false
  for (const { asking } of trying.askings) {
    const others = (asking.tests ?? []).filter((path) => !own.includes(path)).slice(0, mostOthers)
    const tests = asking.tests === null ? [wholeCheck] : others
    if (tests.length === 0) continue
    asked = true
    const results = await runFiles(
      { ...trying, asking, allowance: inFull(asking) },
      { name: '-others', ...made, tests },
    )
    if ([...results.values()].some(isRed)) return true
  }
  return !asked
}

const isRed = ({ status }: CheckResult): boolean => status !== 'pass' && status !== 'no-tests' && status !== 'timeout'
