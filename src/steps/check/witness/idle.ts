import type { Finding } from '../../../delivery/judging/finding.ts'
import { policyOf } from '../../../delivery/state.ts'
import { withFailingFunctions } from '../../../proof/breakage/rewritten.ts'
import { holdsInlineTests } from '../../../proof/files/test-file.ts'
import { isTestFile } from '../../../proof/related/related-tests.ts'
import { withOnlyTests } from '../../../proof/related/single-files.ts'
import { areIdle, idleFinding, isOwnWord, type Try } from '../../../proof/witness/judge-tries.ts'
import { changedTests } from '../../../proof/witness/named-tests.ts'
import { isSupport, type Subject } from '../../../proof/witness/subject.ts'
import type { Asking } from '../single/ground.ts'
import { runFiles, wholeCheck } from '../single/run-files.ts'
import { lookUp } from '../verdict.ts'
import { touchedTests } from './groups.ts'
import { type Hearing, isSpent, type Trying, tryingOf } from './tries.ts'

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
    return isIdle ? [idleFinding({ files, names }, policyOf(court.performance.state).mutation)] : []
  }
  return []
}

/** Others beside them would fail first, and a panic of Go ends all that come after it. */
const onlyOwn = ({ check, ...asking }: Asking, names: string[]): Asking => ({
  ...asking,
  check: check.related === null ? check : { ...check, related: withOnlyTests(check.related, names) },
})

async function failingProduct({ repository, performance, world, subject, tree }: Trying) {
  const code = await world.code()
  const changed = new Set(subject.sources.map(({ path }) => path))
  const product = [...tree.texts].filter(([path, text]) => !isTestFile(path, text) && !isSupport(path))
  const first = product.toSorted(([a], [b]) => Number(changed.has(b)) - Number(changed.has(a))).slice(0, mostFiles)
  const files = first.flatMap(([path, text]) => {
    const failing = withFailingFunctions(path, text, code)
    return failing === null ? [] : [{ path, text: failing }]
  })
  return files.length === 0 ? null : await repository.variant(performance.step.commit, files)
}
