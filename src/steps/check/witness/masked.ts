import type { Finding } from '../../../delivery/judging/finding.ts'
import { testsOf } from '../../../proof/breakage/spots.ts'
import { pathBefore } from '../../../proof/files/change.ts'
import { usersOf } from '../../../proof/related/import-graph.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { isSourceFile } from '../../../proof/results/output-text.ts'
import type { Try } from '../../../proof/witness/judge-tries.ts'
import { finding } from '../../../proof/witness/judge-witness.ts'
import { missesWhatIsToCome } from '../../../proof/witness/missing.ts'
import type { Subject } from '../../../proof/witness/subject.ts'
import { readTree } from '../related.ts'
import { runFiles, wholeCheck } from '../single/run-files.ts'
import { type Hearing, isSpent, tryingOf } from './tries.ts'

const [mostTests, mostParts] = [3, 2]

/**
 * Parts of the change that nobody misses when they are taken back. Made alone on the base, such a part must leave the
 * tests there as they were: where they fail for it, something else in the change keeps them from failing.
 */
export async function maskedFindings(court: Hearing, subject: Subject, tries: readonly Try[]): Promise<Finding[]> {
  const { repository, performance } = court
  const { base } = performance.step
  const parts = tries.filter(({ word, damage }) => word === 'unnoticed' && damage.alone !== undefined)
  if (parts.length === 0) return []
  const [tree, trying] = [await readTree(repository, base), await tryingOf(court, subject)]
  if (tree === null || trying === null) return []
  const users = usersOf(tree)
  const added = subject.sources.flatMap(({ path, before, after }) =>
    before === null && after !== null ? [{ path, text: after }] : [],
  )
  // A part that nobody misses is asked about, however long it took to come to it.
  for (const { allowance } of trying.askings)
    if (allowance.fileMs === 0) allowance.leftMs = Math.max(allowance.leftMs, 3 * (allowance.slowestMs ?? 0))
  for (const [index, { damage }] of parts.slice(0, mostParts).entries()) {
    if (isSpent(trying, `${damage.file}:${damage.line} alone on the base`)) continue
    const path = pathBefore(subject.sources.find((one) => one.path === damage.file)!)
    const alone = { path, text: damage.alone! }
    const whole = { commit: base, tree: await repository.treeOf(base) }
    for (const { asking, allowance } of trying.askings) {
      const old = (asking.tests ?? []).filter((test) => tree.files.has(test))
      const tests = asking.tests === null ? [wholeCheck] : testsOf(users, old, [path]).slice(0, mostTests)
      const asked = { ...court, asking, allowance }
      // What it calls may be new, too: then with all files that are.
      for (const files of added.length === 0 ? [[alone]] : [[alone], [alone, ...added]]) {
        const made = await repository.variant(base, files)
        const results = await runFiles(asked, { name: `-alone-${index}-${files.length}`, ...made, tests })
        const failing = tests.filter((test) => fails(results.get(test)))
        const before = await runFiles(asked, { name: '-unchanged', ...whole, tests: failing })
        const steady = failing.find((test) => before.get(test)?.status === 'pass')
        if (steady !== undefined) return [masked(damage, results.get(steady)!)]
        if ([...results.values()].every(({ status }) => status === 'pass')) break
      }
    }
  }
  return []
}

/** By what a test says of the result: that something is missing only tells that the part needs the others. */
function fails(result: CheckResult | undefined): boolean {
  if (result?.status !== 'test-failure' || result.failures.length === 0) return false
  const told = result.failures.filter(({ test }) => !isSourceFile(test))
  return told.some(({ error, stack }) => missesWhatIsToCome(`${error}\n${stack}`, []) === null)
}

function masked({ file, line }: Try['damage'], result: CheckResult): Finding {
  const tests = result.failures.map(({ test }) => test).slice(0, 3)
  return finding({
    rule: 'change-masked',
    file,
    message: `${tests.join(', ')} fails when the change of ${file}:${line} is made alone on the base, and passes with all of the change, with it or without it`,
    evidence: `Something else in the change keeps this test from failing. Mend ${file}:${line}, and take that out.\n${result.tail}`,
  })
}
