import { breakagesIn } from '../../../proof/breakage/breakages.ts'
import { type Damage, damagesOf } from '../../../proof/breakage/damages.ts'
import { isProductCode, testsOf } from '../../../proof/breakage/spots.ts'
import { holdsOwnTests } from '../../../proof/files/test-file.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { declaredOn } from '../../../proof/witness/functions.ts'
import { isOwnWord, placeOf, type Try } from '../../../proof/witness/judge-tries.ts'
import { changedTests, means } from '../../../proof/witness/named-tests.ts'
import { type Subject, touchedTests } from '../../../proof/witness/subject.ts'
import { runFiles, wholeCheck } from '../single-files.ts'
import { withControl } from './control.ts'
import { type Hearing, isPassing, isSpent, mostTests, notices, type Trying, tryingOf } from './hearing.ts'

/**
 * What becomes of the change when it is damaged, one damage after the other, within what the settings allow. `decides`:
 * whether the work goes back depends on every one of them, and not on how many a slow machine comes to.
 */
export async function triesOfChange(court: Hearing, subject: Subject, decides: boolean): Promise<Try[]> {
  const trying = await tryingOf(court, subject)
  if (trying === null) return []
  const { breakages } = court.input.policy.limits
  const damages = damagesOf(subject.sources, { code: await court.world.code(), most: breakages })
  return await triesOf(trying, damages, { until: decides ? 'all' : 'told', name: '-try' })
}

/** By the story's own tests, and those that have to do with the file. */
export function triesOf(trying: Trying, damages: Damage[], how: Omit<How, 'testsFor'>): Promise<Try[]> {
  const own = touchedTests(trying.subject).map(({ path }) => path)
  return controlled(trying, damages, {
    ...how,
    testsFor: (file, tests) => {
      const related = testsOf(trying.users, tests, [file])
      const first = own.filter((test) => tests.includes(test))
      // Its own tests may reach it in ways that nobody can read: that they do not notice counts if all of them were run.
      const sure = related.length > 0 || (first.length > 0 && first.length === own.length && own.length <= mostTests)
      return { run: [...new Set([...first, ...related])].slice(0, mostTests), sure }
    },
  })
}

/** What becomes of the story's own tests when the product that they import is broken; null: nobody can say what that is. */
export async function triesOfTests(
  court: Hearing,
  subject: Subject,
  until: How['until'] = 'noticed',
): Promise<Try[] | null> {
  const trying = await tryingOf(court, subject)
  if (trying === null) return null
  const own = touchedTests(subject).map(({ path }) => path)
  const damages = await damagesOfImported(trying, own)
  if (damages.length === 0) return null
  return await controlled(trying, damages, {
    until,
    name: '-try',
    testsFor: (file, tests) => {
      const run = testsOf(
        trying.users,
        own.filter((test) => tests.includes(test)),
        [file],
      ).slice(0, mostTests)
      return { run, sure: true }
    },
  })
}

interface How {
  /** When it is enough: at the first that is noticed, or by what a test of the story asserts, with less time once it is known that the tests are not empty, or never. */
  until: 'noticed' | 'asserted' | 'told' | 'all'
  /** Tells its runs from those of other looks. */
  name: string
  testsFor: (file: string, tests: string[]) => { run: string[]; sure: boolean }
}

async function controlled(trying: Trying, damages: Damage[], how: How): Promise<Try[]> {
  const tries = await tryEach(trying, damages, how)
  return await withControl(trying, tries, (file, tests) => how.testsFor(file, tests).run)
}

async function tryEach(trying: Trying, damages: Damage[], how: How): Promise<Try[]> {
  const tries: Try[] = []
  let now = trying
  for (const [index, damage] of damages.entries()) {
    const ground = damage.side === undefined ? now : trying
    if (isSpent(ground, placeOf(damage))) continue
    const one = await tryOne(ground, damage, { ...how, name: `${how.name}-${index}` })
    if (one === null) continue
    tries.push(one)
    if (tries.length >= mostUnclear && tries.every(({ word }) => word === 'unclear')) break
    if (one.word !== 'noticed') continue
    if (how.until === 'noticed' || (how.until === 'asserted' && isOwnWord(one))) break
    // That its own tests are not empty is known now: the rest is for telling. A part that is missed says less: others need it.
    const isTold = damage.kind === 'broken' && (isOwnWord(one) || touchedTests(trying.subject).length === 0)
    if (how.until === 'told' && now === trying && isTold) now = withLess(trying)
  }
  if (now !== trying) giveBack(trying, now)
  return tries
}

/** Whoever cannot tell three times will not tell. */
const mostUnclear = 3

/** A part of the time, so that there is some left for other looks. */
function withLess(trying: Trying): Trying {
  const askings = trying.askings.map(({ asking, allowance }) => {
    const leftMs = Math.min(allowance.leftMs, Math.max(2_000, allowance.wholeMs / 20))
    allowance.leftMs -= leftMs
    return { asking, allowance: { ...allowance, leftMs } }
  })
  return { ...trying, askings }
}

function giveBack(trying: Trying, { askings }: Trying): void {
  for (const [index, { allowance }] of askings.entries()) trying.askings[index]!.allowance.leftMs += allowance.leftMs
}

/** By the first check whose tests have to do with it; null: there is none, or no time. */
async function tryOne(trying: Trying, damage: Damage, how: How): Promise<Try | null> {
  const { repository, step, askings } = trying
  const isInside = holdsOwnTests(damage.file, damage.text)
  for (const { asking: given, allowance } of askings) {
    // What stands among the code runs with all others, or not at all.
    const asking = isInside ? { ...given, tests: null } : given
    const { run, sure } =
      asking.tests === null ? { run: [wholeCheck], sure: true } : how.testsFor(damage.file, asking.tests)
    if (run.length === 0) continue
    const broken = await repository.variant(step.commit, [{ path: damage.file, text: damage.text }])
    const results = await runFiles({ ...trying, asking, allowance }, { name: how.name, ...broken, tests: run })
    if (results.size === 0) continue
    const told = [...results.values()]
    const by = [...results]
      .filter(([test, result]) => notices(result, asking) && isByOwn(trying.subject, test, result))
      .map(([test]) => test)
    // Whom there was no time for might have noticed.
    const silent = sure && told.length === run.length && told.every((result) => isPassing(result, asking))
    const isNoticed = told.some((result) => notices(result, asking))
    const word = isNoticed ? 'noticed' : silent ? 'unnoticed' : 'unclear'
    const names = told.flatMap(({ failures }) => failures.map(({ test }) => test))
    return { damage, word, by, names }
  }
  return null
}

/** Whether it was a test that the story adds or changes, as far as its runner names them. */
function isByOwn({ tests, former }: Subject, test: string, result: CheckResult): boolean {
  const isWhole = test === wholeCheck
  const told = tests.filter(({ path }) => isWhole || path === test).map((change) => changedTests(change, former))
  if (told.length === 0) return false
  const isOf = (kinds: ('added' | 'changed' | 'same')[]) => (one: { test: string }) =>
    told.some((its) => kinds.some((kind) => its[kind].some((name) => means(one.test, name))))
  if (isWhole) return result.failures.some(isOf(['added', 'changed']))
  return result.failures.length === 0 || !result.failures.every(isOf(['same']))
}

const mostOfTests = 8
const mostFiles = 2_000

/** In what the tests import themselves or what that imports, since it may only pass it on; and there in what they name. */
async function damagesOfImported({ world, tree, users }: Trying, own: string[]): Promise<Damage[]> {
  const code = await world.code()
  const texts = own.map((path) => tree.texts.get(path) ?? '').join('\n')
  const product = [...tree.texts].filter(([path, text]) => isProductCode(path, text)).slice(0, mostFiles)
  const direct = product.filter(([path]) => (users.get(path) ?? []).some((user) => own.includes(user)))
  const imported = direct.length > 0 ? direct : product.filter(([path]) => testsOf(users, own, [path]).length > 0)
  const behind = product.filter(([path]) => direct.some(([door]) => users.get(path)?.includes(door)))
  const damages = [...new Map([...imported, ...behind])].flatMap(([path, text]) => {
    const isBehind = !imported.some(([its]) => its === path)
    const all = breakagesIn(path, text, { lines: null, code, most: 40 }).flatMap((one) => {
      const named = isNamed(text, one.line, texts)
      return named === false ? [] : [{ one, later: named === null ? mostOfTests : isBehind ? mostOfTests / 2 : 0 }]
    })
    return all.map(({ one, later }, turn) => {
      const damage = { ...one, kind: 'broken' as const, until: one.line }
      return { damage, turn: turn + later }
    })
  })
  return damages
    .sort((a, b) => a.turn - b.turn)
    .slice(0, mostOfTests)
    .map(({ damage }) => damage)
}

/** Whether the nearest thing that is declared above a line is named in the tests; null: nothing is. */
function isNamed(text: string, line: number, tests: string): boolean | null {
  for (const one of text.split('\n').slice(0, line).toReversed()) {
    const name = declaredOn(one)
    if (name !== null) return new RegExp(`\\b${name}\\b`).test(tests)
  }
  return null
}
