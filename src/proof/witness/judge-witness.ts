import type { Finding } from '../../delivery/judging/finding.ts'
import { hashOf } from '../../std/hash.ts'
import { mayReadSources } from '../breakage/rewritten.ts'
import type { Change } from '../files/change.ts'
import type { CheckResult } from '../results/check-result.ts'
import { isSourceFile } from '../results/report.ts'
import { missesWhatIsToCome } from './missing.ts'
import { type ChangedTests, means } from './named-tests.ts'

/** Test files that were run together, and what they showed on the base. */
export interface Witness {
  files: string[]
  tests: ChangedTests
  onBase: CheckResult
}

/**
 * Each new test has to fail without the change, or it tells nothing about it. Where tests that were there are only
 * written otherwise and hold before and after, the story is as one that changes no test: guard and sensitivity say what
 * became of these. `untested`: how much that weighs.
 */
export function witnessFindings(witnesses: readonly Witness[], untested: Finding['severity']): Finding[] {
  const heard = witnesses.map((witness) => ({
    witness,
    word: hear(witness, (text) => missesWhatIsToCome(text, [])),
  }))
  const any = heard.some(({ word }) => word.status === 'fails')
  if (heard.length > 0 && heard.every(({ witness, word }) => word.status === 'passes' && isOnlyEdited(witness.tests)))
    return [unmoved(witnesses, untested)]
  return heard.flatMap(({ witness, word }) => {
    if (word.status === 'unloadable') return [unloadable(witness, word.error)]
    if (word.status === 'fails') return word.passing.map((test) => passing(witness.files[0]!, test, 'suggestion'))
    // Guards may hold before and after, as long as another test tells the difference.
    return silent(witness, any ? 'suggestion' : 'blocking')
  })
}

/**
 * One of its own tests ran without the change, and the result was not the one that it asserts: so the change is noticed
 * as a whole, whatever becomes of single breakages of it.
 */
const assertsTheChange = ({ tests, onBase: { status, failures } }: Witness): boolean =>
  status === 'test-failure' &&
  failures.some(
    ({ test, error, stack }) =>
      [...tests.added, ...tests.changed].some((name) => means(test, name)) &&
      !isSourceFile(test) &&
      missesWhatIsToCome(`${error}\n${stack}`, []) === null,
  )

/** What only reads how the code is written asserts nothing about what it does. */
export const assertTheChange = (witnesses: readonly Witness[], tests: readonly Change[]): boolean =>
  witnesses.some(assertsTheChange) && !tests.some(({ after }) => mayReadSources(after ?? ''))

const isOnlyEdited = ({ added, changed }: ChangedTests): boolean => added.length === 0 && changed.length > 0

/** Tests that are declared to hold with and without the change. */
export function characterisationFindings(witnesses: readonly Witness[]): Finding[] {
  return witnesses.flatMap(({ files, tests, onBase }) => {
    if (onBase.status === 'pass') return []
    const failures = onBase.failures.filter(({ test }) => !tests.same.some((name) => means(test, name)))
    if (onBase.status === 'test-failure' && onBase.failures.length > 0 && failures.length === 0) return []
    const names = failures.map(({ test }) => `"${test}"`).slice(0, 5)
    const what = names.length === 0 ? `the tests in ${files.join(', ')} do` : `the test ${names.join(', ')} does`
    const message = `${what} not hold on the base, though the story says that its tests hold with and without its change`
    return [finding({ rule: 'not-characteristic', file: files[0]!, message, evidence: onBase.tail })]
  })
}

export type Word =
  | { status: 'fails'; passing: string[] }
  | { status: 'passes' }
  | { status: 'unloadable'; error: string }

const longestText = 60_000

/** What the tests say; `missing` tells what a text misses that makes a test fail as it should, or null. */
export function hear(witness: Witness, missing: (text: string) => string | null): Word {
  const { tests, onBase } = witness
  if (onBase.status === 'pass' || onBase.silent === true) return { status: 'passes' }
  if (endsTheRun(onBase)) return { status: 'fails', passing: [] }
  const text = [...onBase.failures.map(({ error, stack }) => `${error}\n${stack}`), onBase.tail]
    .join('\n')
    .slice(-longestText)
  const isOne = (test: string, names: string[]): boolean => names.some((name) => means(test, name))
  const own = onBase.failures.some(({ test }) => isOne(test, [...tests.added, ...tests.changed]))
  // Compilers and loaders name a file, a package or an error: no test of these has failed.
  const unread = onBase.failures.length > 0 && onBase.failures.every(({ test }) => isSourceFile(test))
  if (unread || (onBase.status !== 'test-failure' && !own))
    return missing(text) === null
      ? { status: 'unloadable', error: onBase.failures[0]?.error || onBase.message }
      : { status: 'fails', passing: [] }
  if (!own && onBase.failures.every(({ test }) => isOne(test, tests.same)) && onBase.failures.length > 0)
    return { status: 'passes' }
  const passed = onBase.passed ?? []
  return { status: 'fails', passing: tests.added.filter((name) => passed.some((test) => means(test, name))) }
}

/** Hanging, or dying, is what the code does, too. */
const endsTheRun = (result: CheckResult): boolean => result.status === 'timeout' || died(result)

const died = ({ status, message }: CheckResult): boolean =>
  status === 'crash' && /^it (?:was killed by|died) /.test(message)

function silent({ files, tests, onBase }: Witness, severity: Finding['severity']): Finding[] {
  const named = [...tests.added, ...tests.changed]
  const known = onBase.counts === null ? [] : named
  const weight = (test: string) => (tests.added.includes(test) ? severity : 'suggestion')
  if (known.length > 0) return known.slice(0, 10).map((test) => passing(files[0]!, test, weight(test)))
  const message = `the tests in ${files.join(', ')} pass without the change, so they tell nothing about it`
  return [finding({ rule: 'test-without-witness', file: files[0]!, message, evidence: onBase.tail, severity })]
}

const passing = (file: string, test: string, severity: Finding['severity']): Finding =>
  finding({
    rule: 'test-without-witness',
    file,
    test,
    message: `the test "${test}" passes without the change, so it tells nothing about it`,
    evidence: 'It was run with the code as it was before the story. Test what the story makes different.',
    severity,
  })

function unmoved(witnesses: readonly Witness[], severity: Finding['severity']): Finding {
  const files = witnesses.flatMap((one) => one.files)
  const message = `the story changes code, and what it changes in ${files.slice(0, 3).join(', ')} holds without that as well, so no test shows what it makes different`
  const evidence = 'If it is to make a difference, add a test that fails without it.'
  return finding({ rule: 'no-test-changed', file: files[0]!, message, evidence, severity })
}

/** That says nothing for the tests and nothing against them: what they notice when the change is broken decides. */
const unloadable = ({ files, onBase }: Witness, error: string): Finding =>
  finding({
    rule: 'witness-unloadable',
    file: files[0]!,
    message: `the tests in ${files.join(', ')} cannot even be loaded with the code as it was before, and nothing tells what is missing there: ${error.split('\n', 1)[0]!.slice(0, 300)}`,
    evidence: onBase.tail,
    severity: 'suggestion',
  })

interface Told {
  source?: string
  rule: string
  file: string | null
  test?: string
  message: string
  evidence: string
  severity?: Finding['severity']
}

export const finding = ({
  source = 'witness',
  rule,
  file,
  test,
  message,
  evidence,
  severity = 'blocking',
}: Told): Finding => ({
  source,
  rule,
  severity,
  file,
  line: null,
  message,
  evidence: evidence.slice(-4_000),
  fingerprint: hashOf([source, rule, file, test ?? null]),
  fixTarget: 'tests',
})
