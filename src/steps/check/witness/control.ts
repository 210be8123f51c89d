// That tests stay silent speaks against them only where they were shown able to hear.
import { withFailingFunctions } from '../../../proof/breakage/rewritten.ts'
import type { Try } from '../../../proof/witness/judge-tries.ts'
import { runFiles, wholeCheck } from '../single-files.ts'
import { mostTests, type Trying } from './hearing.ts'

/** At the end of a file: what a build leaves out is read to where its beginning says so. */
const noCode = '\n)]} broken on purpose {[(\n'

/**
 * Of a file in which nothing was noticed: whether the check fails at all when it is no code any more. If not, the check
 * makes it itself, does not build it, or looks elsewhere, and its silence tells nothing.
 */
export async function withControl(
  trying: Trying,
  tries: Try[],
  testsFor: (file: string, tests: string[]) => string[],
): Promise<Try[]> {
  const { repository, step } = trying
  const heard = new Set(tries.flatMap(({ word, damage }) => (word === 'noticed' ? [damage.file] : [])))
  const silent = new Set(tries.flatMap(({ word, damage }) => (word === 'unnoticed' ? [damage.file] : [])))
  const unread = new Set<string>()
  for (const [index, path] of [...silent].filter((one) => !heard.has(one)).entries()) {
    const text = `${await repository.readFile(step.commit, path)}${noCode}`
    const made = await repository.variant(step.commit, [{ path, text }])
    const of = (tests: string[]) => testsFor(path, tests)
    if (!(await anyRed(trying, { name: `-control-${index}`, made, of }))) unread.add(path)
  }
  return tries.map((one) => (unread.has(one.damage.file) ? { ...one, word: 'unclear', unread: true } : one))
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
  return await anyRed(trying, { name: '-executed', made, of: (tests) => own.filter((one) => tests.includes(one)) })
}

/**
 * Whether tests that are not the story's fail on this tree: without any, nobody knows whether the check would. Where
 * there are no others, there is nobody else to ask.
 */
export async function othersFail(trying: Trying, made: Made, own: string[]): Promise<boolean> {
  const of = (tests: string[]) => tests.filter((one) => !own.includes(one)).slice(0, mostTests)
  const isAlone = trying.askings.every(({ asking: { tests } }) => tests !== null && of(tests).length === 0)
  return isAlone || (await anyRed(trying, { name: '-others', made, of }))
}

type Made = Awaited<ReturnType<Trying['repository']['variant']>>

/** `of`: which test files of a check are asked. Whoever is about to be charged has a claim on the time that it takes. */
async function anyRed(
  trying: Trying,
  { name, made, of }: { name: string; made: Made; of: (tests: string[]) => string[] },
): Promise<boolean> {
  for (const { asking } of trying.askings) {
    const tests = asking.tests === null ? [wholeCheck] : of(asking.tests)
    const allowance = { leftMs: 4 * asking.check.timeoutMs, wholeMs: 0, fileMs: 0 }
    const results = await runFiles({ ...trying, asking, allowance }, { name, ...made, tests })
    if ([...results.values()].some(({ status }) => !['pass', 'no-tests', 'timeout'].includes(status))) return true
  }
  return false
}
