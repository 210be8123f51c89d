import type { Finding } from '../../../delivery/judging/finding.ts'
import { type Breakage, breakagesIn } from '../../../proof/breakage/breakages.ts'
import { endsAtOnce } from '../../../proof/breakage/edit.ts'
import { mayReadSources, withFailingFunctions, withMoreRoom } from '../../../proof/breakage/rewritten.ts'
import { isProductCode } from '../../../proof/breakage/spots.ts'
import { addedLines } from '../../../proof/files/change.ts'
import { holdsInlineTests } from '../../../proof/files/test-file.ts'
import { isTestFile } from '../../../proof/related/related-tests.ts'
import { withOnlyTests } from '../../../proof/related/single-files.ts'
import { functionsIn, linesOf } from '../../../proof/witness/functions.ts'
import { areIdle, calledInVain, idleFinding, isOwnWord, type Try } from '../../../proof/witness/judge-tries.ts'
import { changedTests } from '../../../proof/witness/named-tests.ts'
import { isSupport, type Subject, touchedTests } from '../../../proof/witness/subject.ts'
import type { CheckAsked } from '../single-files.ts'
import { runFiles, wholeCheck } from '../single-files.ts'
import { lookUp } from '../verdict.ts'
import { othersFail } from './control.ts'
import { type Hearing, isSpent, type Trying, tryingOf } from './hearing.ts'
import { triesOf } from './tries.ts'

const [mostFiles, mostTests] = [400, 12]

/**
 * Asked where no test of the story is known to have noticed anything: whether all of them pass although every function
 * of the product fails as soon as it is called. Then they are about a copy of their own, or about nothing.
 */
export async function idleFindings(court: Hearing, subject: Subject, tries: readonly Try[]): Promise<Finding[]> {
  const inline = subject.sources.filter(({ path, after }) => after !== null && holdsInlineTests(path, after))
  const own = [...touchedTests(subject), ...inline]
  const told = own.map((change) => changedTests(change, subject.former))
  const names = told.flatMap(({ added, changed }) => [...added, ...changed])
  if (names.length === 0 || tries.some(isOwnWord)) return []
  const trying = await tryingOf(court, subject)
  if (trying === null || isSpent(trying, 'whether its tests fail when every function of the product does')) return []
  const made = await failingProduct(trying)
  if (made === null) return []
  for (const one of trying.askings) {
    const asking = inline.length === 0 ? onlyOwn(one.asking, names) : { ...one.asking, tests: null }
    const files = own.map(({ path }) => path).filter((path) => asking.tests?.includes(path) ?? true)
    const tests = asking.tests === null ? [wholeCheck] : files.slice(0, mostTests)
    const results = await runFiles({ ...trying, ...one, asking }, { name: '-failing', ...made, tests })
    if (results.size === 0) continue
    const { known } = await lookUp({ ...court, check: asking.check })
    const total = known?.status === 'passed' ? (known.proof?.counts?.total ?? null) : null
    const isIdle = [...results.values()].every((result) => areIdle(result, { files, names }, total))
    if (
      !isIdle ||
      !(await othersFail(
        trying,
        made,
        own.map(({ path }) => path),
      ))
    )
      return []
    return [idleFinding({ files, names }, court.input.policy.mutation)]
  }
  return []
}

/** Others beside them would fail first, and a panic of Go ends all that come after it. */
const onlyOwn = ({ check, ...asking }: CheckAsked, names: string[]): CheckAsked => ({
  ...asking,
  check: check.related === null ? check : { ...check, related: withOnlyTests(check.related, names) },
})

async function failingProduct({ repository, step, world, subject, tree }: Trying) {
  const code = await world.code()
  const changed = new Set(subject.sources.map(({ path }) => path))
  const product = [...tree.texts].filter(([path, text]) => !isTestFile(path, text) && !isSupport(path))
  const first = product.toSorted(([a], [b]) => Number(changed.has(b)) - Number(changed.has(a))).slice(0, mostFiles)
  const files = first.flatMap(([path, text]) => {
    const failing = withFailingFunctions(path, text, { code })
    return failing === null ? [] : [{ path, text: failing }]
  })
  return files.length === 0 ? null : await repository.variant(step.commit, files)
}

const [mostFunctions, most] = [3, 8]

/**
 * New functions that the story's own tests name and that can be broken in every way without any test noticing: that
 * these tests notice something else does not speak for them.
 */
export async function inVainFindings(court: Hearing, subject: Subject, tries: readonly Try[]): Promise<Finding[]> {
  const trying = await tryingOf(court, subject)
  if (trying === null) return []
  const code = await court.world.code()
  const { mutation } = court.input.policy
  const findings: Finding[] = []
  for (const { name, file, text, lines } of unheardFunctions(subject, tries).slice(0, mostFunctions)) {
    if (isSpent(trying, `whether anybody notices what ${name} does`)) break
    const all = breakagesIn(file, text, { lines, code, most: most + 1 }).filter(changesWhatItDoes)
    const isTelling = all.length > 1 || all.some(isOfValue)
    if (!isTelling || all.length > most) continue
    const damages = all.map((one) => ({ ...one, kind: 'broken' as const, until: one.line }))
    const heard = await triesOf(trying, damages, { until: 'noticed', name: `-vain-${findings.length}` })
    if (heard.length === damages.length && heard.every(({ word }) => word === 'unnoticed'))
      findings.push(calledInVain(name, heard, mutation))
  }
  return findings
}

/** An operator became another; that a text is another one, many good tests do not look at. */
const isOfValue = ({ what }: Breakage): boolean => /^`/.test(what)

/** Of which something was broken already and nothing was noticed. */
function unheardFunctions(subject: Subject, tries: readonly Try[]) {
  const tests = touchedTests(subject)
    .map(({ after }) => after)
    .join('\n')
  return subject.sources.flatMap((change) => {
    const { path: file, after: text } = change
    if (text === null || !isProductCode(file, text)) return []
    const added = new Set(addedLines(change).map(({ line }) => line))
    const own = tries.filter(
      ({ damage }) => damage.file === file && damage.kind === 'broken' && changesWhatItDoes(damage),
    )
    return functionsIn(text).flatMap((one) => {
      const { name, line, until } = one
      const inside = own.filter(({ damage }) => damage.line >= line && damage.line <= until)
      const isUnheard = inside.length > 0 && inside.every(({ word }) => word === 'unnoticed')
      if (!isUnheard || !added.has(line) || !new RegExp(`\\b${name}\\b`).test(tests)) return []
      return [{ name, file, text, lines: linesOf(one) }]
    })
  })
}

/** Whoever calls it notices that it ends at once, and asserts nothing by that. */
const changesWhatItDoes = ({ what, side }: Pick<Breakage, 'what' | 'side'>): boolean =>
  what !== endsAtOnce && side === undefined

/** The names of tests that fail when the change is written otherwise and does the same. Asked where tests may read it. */
export async function sourceReaders(court: Hearing, subject: Subject, tries: readonly Try[]): Promise<Set<string>> {
  const own = touchedTests(subject).filter(({ after }) => after !== null && mayReadSources(after))
  if (own.length === 0 || !tries.some(({ word }) => word === 'noticed')) return new Set()
  const files = subject.sources.flatMap(({ path, after }) => {
    const text = after === null || !isProductCode(path, after) ? after : withMoreRoom(path, after)
    return text === null || text === after ? [] : [{ path, text }]
  })
  const trying = await tryingOf(court, subject)
  if (trying === null || files.length === 0) return new Set()
  if (isSpent(trying, 'whether tests only read the code')) return new Set()
  const made = await court.repository.variant(court.step.commit, files)
  const names = new Set<string>()
  for (const { asking, allowance } of trying.askings) {
    const tests = own.map(({ path }) => path).filter((path) => asking.tests?.includes(path))
    const results = await runFiles({ ...court, asking, allowance }, { name: '-reworded', ...made, tests })
    for (const { status, failures } of results.values())
      if (status === 'test-failure') for (const { test } of failures) names.add(test)
  }
  return names
}
