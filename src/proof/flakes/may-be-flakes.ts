import { type Change, pathBefore } from '../files/change.ts'
import { isAmong } from '../results/baseline.ts'
import type { TestFailure } from '../results/check-result.ts'
import { changedTests, formerTests, means } from '../witness/cases.ts'

/** Whether failures may be flakes: each is in a known file, and the change has left the test as it was. */
export function mayBeFlakes(failures: readonly TestFailure[], changes: readonly Change[]): boolean {
  const former = formerTests(changes)
  const isLeft = ({ file, test }: TestFailure): boolean => {
    if (file === null) return false
    const own = changes.filter((change) => isAmong(file, [change.path, pathBefore(change)]))
    return own.every((change) => changedTests(change, former).same.some((name) => means(test, name)))
  }
  return failures.length > 0 && failures.every(isLeft)
}
