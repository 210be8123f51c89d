import { policyOf } from '../../../delivery/state.ts'
import { breakagesIn } from '../../../proof/breakage/breakages.ts'
import { type Damage, damagesOf } from '../../../proof/breakage/damages.ts'
import { isProductCode, testsOf } from '../../../proof/breakage/spots.ts'
import { type Users, usersOf } from '../../../proof/related/import-graph.ts'
import type { Tree } from '../../../proof/related/tree.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { changedTests, means } from '../../../proof/witness/cases.ts'
import type { Try } from '../../../proof/witness/judge-tries.ts'
import type { Subject } from '../../../proof/witness/subject.ts'
import { readTree } from '../related.ts'
import type { Court } from '../run-check.ts'
import { allowanceFor, askingOf } from '../single/ground.ts'
import { type Allowance, type Asking, runFiles, wholeCheck } from '../single/run-files.ts'
import { touchedTests } from './groups.ts'

interface Trying extends Court {
  subject: Subject
  tree: Tree
  users: Users
  askings: { asking: Asking; allowance: Allowance }[]
}

const mostTests = 4

/** What becomes of the change when it is damaged, one damage after the other, within what the settings allow. */
export async function triesOfChange(court: Court, subject: Subject): Promise<Try[]> {
  const trying = await tryingOf(court, subject)
  if (trying === null) return []
  const { breakages } = policyOf(court.performance.state).limits
  const damages = damagesOf(subject.sources, { code: await court.world.code(), most: breakages })
  const own = touchedTests(subject).map(({ path }) => path)
  return await tryEach(trying, damages, {
    untilNoticed: false,
    testsFor: ({ file }, tests) => {
      const related = testsOf(trying.users, tests, [file])
      const first = own.filter((test) => tests.includes(test))
      // Its own tests may reach it in ways that nobody can read; if they do not notice, that says nothing.
      return { run: [...new Set([...first, ...related])].slice(0, mostTests), sure: related.length > 0 }
    },
  })
}

/** What becomes of the story's own tests when the product that they import is broken; null: nobody can say what that is. */
export async function triesOfTests(court: Court, subject: Subject): Promise<Try[] | null> {
  const trying = await tryingOf(court, subject)
  if (trying === null) return null
  const own = touchedTests(subject).map(({ path }) => path)
  const damages = await damagesOfImported(trying, own)
  if (damages.length === 0) return null
  return await tryEach(trying, damages, {
    untilNoticed: true,
    testsFor: ({ file }, tests) => {
      const run = testsOf(
        trying.users,
        own.filter((test) => tests.includes(test)),
        [file],
      ).slice(0, mostTests)
      return { run, sure: true }
    },
  })
}

async function tryingOf(court: Court, subject: Subject): Promise<Trying | null> {
  const { repository, performance } = court
  const { limits, mutation, checks } = policyOf(performance.state)
  if (mutation === 'off' || limits.breakages === 0) return null
  const { base, commit } = performance.step
  const tree = await readTree(repository, commit)
  if (tree === null) return null
  const askings: Trying['askings'] = []
  for (const check of checks) {
    const asking = await askingOf(repository, check, { base, commit, tree })
    const { leftMs, wholeMs } = await allowanceFor({ ...court, check })
    askings.push({ asking, allowance: { leftMs: Math.min(leftMs, limits.breakagesMs), wholeMs } })
  }
  // Those that can be asked about single tests tell most.
  askings.sort((a, b) => Number(a.asking.tests === null) - Number(b.asking.tests === null))
  return { ...court, subject, tree, users: usersOf(tree), askings }
}

interface How {
  untilNoticed: boolean
  testsFor: (damage: Damage, tests: string[]) => { run: string[]; sure: boolean }
}

async function tryEach(trying: Trying, damages: Damage[], how: How): Promise<Try[]> {
  const tries: Try[] = []
  for (const [index, damage] of damages.entries()) {
    const one = await tryOne(trying, damage, { ...how, name: `-try-${index}` })
    if (one === null) continue
    tries.push(one)
    if (tries.length >= mostUnclear && tries.every(({ word }) => word === 'unclear')) break
    if (one.word !== 'noticed') continue
    if (how.untilNoticed) break
    // That the tests are not empty is known now: the rest is for telling.
    for (const { allowance } of trying.askings) allowance.leftMs = Math.min(allowance.leftMs, restMs(allowance))
  }
  return tries
}

/** Whoever cannot tell three times will not tell. */
const mostUnclear = 3

const restMs = ({ leftMs }: Allowance): number => Math.max(2_000, leftMs - 20_000)

/** By the first check whose tests have to do with it; null: there is none, or no time. */
async function tryOne(trying: Trying, damage: Damage, how: How & { name: string }): Promise<Try | null> {
  const { repository, performance, askings } = trying
  for (const { asking, allowance } of askings) {
    const { run, sure } = asking.tests === null ? { run: [wholeCheck], sure: true } : how.testsFor(damage, asking.tests)
    if (run.length === 0) continue
    const broken = await repository.variant(performance.step.commit, [{ path: damage.file, text: damage.text }])
    const results = await runFiles({ ...trying, asking, allowance }, { name: how.name, ...broken, tests: run })
    if (results.size === 0) continue
    const told = [...results.values()]
    const { file, line, until, what, kind } = damage
    const by = [...results]
      .filter(([test, result]) => notices(result, asking) && isByOwn(trying.subject, test, result))
      .map(([test]) => test)
    const silent = sure && told.every((result) => passes(result, asking))
    const word = told.some((result) => notices(result, asking)) ? 'noticed' : silent ? 'unnoticed' : 'unclear'
    return { damage: { file, line, until, what, kind }, word, by }
  }
  return null
}

/** A whole check that is cut short was perhaps only slow. */
const notices = ({ status }: CheckResult, { tests }: Asking): boolean =>
  status === 'test-failure' || status === 'crash' || (status === 'timeout' && tests !== null)

/** Of a whole check that names no test, nobody knows whether it tests anything. */
const passes = ({ status, counts }: CheckResult, { tests }: Asking): boolean =>
  status === 'pass' && (tests !== null || counts !== null)

/** Whether it was a test that the story adds or changes, as far as its runner names them. */
function isByOwn({ tests, former }: Subject, test: string, result: CheckResult): boolean {
  const change = tests.find(({ path }) => path === test)
  if (change === undefined) return false
  const { same } = changedTests(change, former)
  return result.failures.length === 0 || result.failures.some((one) => !same.some((name) => means(one.test, name)))
}

const mostOfTests = 8
const mostFiles = 2_000

/** In what the tests import themselves, and there in what they name. */
async function damagesOfImported({ world, tree, users }: Trying, own: string[]): Promise<Damage[]> {
  const code = await world.code()
  const texts = own.map((path) => tree.texts.get(path) ?? '').join('\n')
  const product = [...tree.texts].filter(([path, text]) => isProductCode(path, text)).slice(0, mostFiles)
  const direct = product.filter(([path]) => (users.get(path) ?? []).some((user) => own.includes(user)))
  const imported = direct.length > 0 ? direct : product.filter(([path]) => testsOf(users, own, [path]).length > 0)
  const damages = imported.flatMap(([path, text]) =>
    breakagesIn(path, text, { lines: null, code, most: 40 })
      .filter(({ line }) => isNamed(text, line, texts))
      .slice(0, mostOfTests)
      .map((one, turn) => ({ damage: { ...one, kind: 'broken' as const, until: one.line }, turn })),
  )
  return damages
    .sort((a, b) => a.turn - b.turn)
    .slice(0, mostOfTests)
    .map(({ damage }) => damage)
}

/** Whether the nearest thing that is declared above a line is named in the tests. */
function isNamed(text: string, line: number, tests: string): boolean {
  const above = text.split('\n').slice(0, line).toReversed()
  for (const one of above) {
    const name =
      /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:pub\s+)?(?:function\*?|def|func(?:\s*\([^)]*\))?|fn|const|let|class|var)\s+(\w+)/.exec(
        one,
      )?.[1]
    if (name !== undefined) return new RegExp(`\\b${name}\\b`).test(tests)
  }
  return true
}
