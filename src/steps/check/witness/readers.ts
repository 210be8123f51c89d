import { mayReadSources, withMoreRoom } from '../../../proof/breakage/rewritten.ts'
import { isProductCode } from '../../../proof/breakage/spots.ts'
import type { Try } from '../../../proof/witness/judge-tries.ts'
import type { Subject } from '../../../proof/witness/subject.ts'
import { runFiles } from '../single/run-files.ts'
import { touchedTests } from './groups.ts'
import { type Hearing, isSpent, tryingOf } from './tries.ts'

/** The names of tests that fail when the change is written otherwise and does the same. Asked where tests may read it. */
export async function readersOf(court: Hearing, subject: Subject, tries: readonly Try[]): Promise<Set<string>> {
  const own = touchedTests(subject).filter(({ after }) => after !== null && mayReadSources(after))
  if (own.length === 0 || !tries.some(({ word }) => word === 'noticed')) return new Set()
  const files = subject.sources.flatMap(({ path, after }) => {
    const text = after === null || !isProductCode(path, after) ? after : withMoreRoom(path, after)
    return text === null || text === after ? [] : [{ path, text }]
  })
  const trying = await tryingOf(court, subject)
  if (trying === null || files.length === 0) return new Set()
  if (isSpent(trying, 'whether tests only read the code')) return new Set()
  const made = await court.repository.variant(court.performance.step.commit, files)
  const names = new Set<string>()
  for (const { asking, allowance } of trying.askings) {
    const tests = own.map(({ path }) => path).filter((path) => asking.tests?.includes(path))
    const results = await runFiles({ ...court, asking, allowance }, { name: '-reworded', ...made, tests })
    for (const { status, failures } of results.values())
      if (status === 'test-failure') for (const { test } of failures) names.add(test)
  }
  return names
}
