import type { CheckResult, TestFailure } from '../results/check-result.ts'
import { isSourceFile } from '../results/report.ts'
import { missesItsOwn } from '../witness/missing.ts'
import { means } from '../witness/named-tests.ts'

export interface Shown {
  result: 'confirmed' | 'refuted' | 'inconclusive'
  why: string
}

/** What a run of a test says about the finding that it was written for: only a test that was executed says anything. */
export function judgeReproduction(ran: CheckResult, { test, shows }: { test: string; shows: string }): Shown {
  if (ran.status === 'pass') return ofPass(ran, test)
  if (ran.status !== 'test-failure') return inconclusive(reasons[ran.status], ran)
  if (ran.counts === null) return inconclusive('it fails, but nobody can tell which of its tests did', ran)
  const own = ran.failures.filter((failure) => means(failure.test, test))
  if (own.length === 0)
    return isAmongPassed(ran, test)
      ? inconclusive(`"${test}" passes, but another test of its file fails`, ran)
      : inconclusive(`"${test}" was not executed`, ran)
  if (own.every(isUnread)) return inconclusive('it could not be loaded', ran)
  if (own.every(({ error }) => missesItsOwn(error))) return inconclusive('it fails by its own fault', ran)
  if (!own.some((failure) => prints(failure, shows)))
    return inconclusive(`it fails, but not as predicted: nothing in it says ${JSON.stringify(shows)}`, ran)
  return { result: 'confirmed', why: `"${test}" fails as predicted: ${firstLine(own[0]!.error)}` }
}

const reasons: Record<Exclude<CheckResult['status'], 'pass' | 'test-failure'>, string> = {
  timeout: 'it did not end in time',
  'build-error': 'it does not compile',
  crash: 'its run died',
  'no-tests': 'no test was executed',
}

function ofPass(ran: CheckResult, test: string): Shown {
  if (ran.counts === null) return inconclusive('the run ends well, but does not tell which tests it executed', ran)
  if (!isAmongPassed(ran, test)) return inconclusive(`the run passes, but "${test}" was not executed`, ran)
  return { result: 'refuted', why: `"${test}" passes` }
}

/** Where not all names are told, it is among those that ran as long as none was left out. */
const isAmongPassed = ({ passed, counts }: CheckResult, test: string): boolean =>
  passed === null
    ? counts !== null && counts.passed > 0 && counts.skipped === 0
    : passed.some((name) => means(name, test))

const isUnread = ({ test }: TestFailure): boolean => isSourceFile(test)

const prints = ({ error, stack }: TestFailure, shows: string): boolean =>
  plain(`${error}\n${stack}`).includes(plain(shows))

/** Quotes, blanks and capitals are not what was predicted. */
const plain = (text: string): string => text.toLowerCase().replace(/["'`\s]+/g, '')

const firstLine = (text: string): string => (text.trim().split('\n', 1)[0] ?? '').slice(0, 300)

const inconclusive = (why: string, { message }: CheckResult): Shown => ({
  result: 'inconclusive',
  why: `${why} (${message})`.slice(0, 1_000),
})
