// Who writes tests and who writes code is settled by the story; the diff tells whether they kept to it.
import type { Finding } from '../../delivery/judging/finding.ts'
import { type Change, pathBefore, pathsOf } from '../files/change.ts'
import { isTestFile } from '../related/related-tests.ts'
import { changedTests } from '../witness/named-tests.ts'
import { isSupport } from '../witness/subject.ts'
import { objection } from './objection.ts'

/** While tests are written: they, and what only tests lean on. */
export const beyondTests = (changes: readonly Change[]): Finding[] =>
  changes
    .filter((change) => !sidesOf(change).every(({ path, text }) => isTestFile(path, text) || isSupport(path)))
    .map(({ path }) =>
      objection({
        rule: 'not-a-test',
        file: path,
        message:
          'in this round only tests are written, and what they lean on in folders for tests; this file is neither',
        evidence: 'The code comes when the tests have been shown to fail without it. Take this change back.',
        fixTarget: 'tests',
      }),
    )

/** What happened besides since the tests were written. */
export interface Meanwhile {
  /** What is tested there: the diff that was shown to fail. */
  written: readonly Change[]
  /** Paths that the line has changed since. */
  byLine: ReadonlySet<string>
  /** Paths that the story changes of the line as it is now. */
  ofStory: ReadonlySet<string>
}

/** Where one writes the tests and another the code: what the second has changed of the tests. */
export const changedTestFiles = (sinceRed: readonly Change[], meanwhile: Meanwhile): Finding[] =>
  sinceRed
    .filter((change) => isOfTests(change) && !cameByMerge(change, meanwhile))
    .map(({ path, status }) =>
      objection({
        rule: 'test-changed-by-coder',
        file: path,
        message: `this test file was ${status === 'type-changed' ? 'changed' : status} after its tests were shown to fail; the code is written to them, not they to the code`,
        evidence: 'Put it back as it was, and change the code. Tests are written by somebody else.',
      }),
    )

/** As the line has it; where both have changed it, all tests that were written for the story are in it still. */
function cameByMerge(change: Change, { written, byLine, ofStory }: Meanwhile): boolean {
  const paths = pathsOf(change)
  if (!paths.every((path) => byLine.has(path))) return false
  const own = written.filter((one) => pathsOf(one).some((path) => paths.includes(path)))
  if (own.length === 0) return !paths.some((path) => ofStory.has(path))
  const { same } = changedTests(change)
  return own
    .map((one) => changedTests(one))
    .every(({ added, changed }) => [...added, ...changed].every((name) => same.includes(name)))
}

/** A fixture that is added harms no test that is there. */
const isOfTests = (change: Change): boolean =>
  sidesOf(change).some(({ path, text }) => isTestFile(path, text) || (change.status !== 'added' && isSupport(path)))

/** Tests for the requirement as a whole belong to nobody who is judged by them. */
export const changedAcceptance = (changes: readonly Change[], acceptance: ReadonlySet<string>): Finding[] =>
  changes.flatMap((change) =>
    pathsOf(change)
      .filter((path) => acceptance.has(path))
      .map((path) =>
        objection({
          rule: 'acceptance-test-changed',
          file: path,
          message: 'this file belongs to the acceptance tests of the delivery, and only they may change it',
          evidence: 'Take this change back; tests of your own go into another file.',
        }),
      ),
  )

/** What the acceptance tests changed of files that are there: nobody else could change these any more. */
export const notOfTheirOwn = (changes: readonly Change[]): Finding[] =>
  changes
    .filter(({ status }) => status !== 'added')
    .map((change) =>
      objection({
        rule: 'acceptance-in-shared-file',
        file: change.path,
        message: 'acceptance tests go into files of their own; this one was there before',
        evidence: 'Put it back as it was. Stories may need it, and must not change what they are judged by.',
        fixTarget: 'tests',
      }),
    )

/** The names of a file, each with the text that it has under that name. */
function sidesOf(change: Change): { path: string; text: string | null }[] {
  const before = { path: pathBefore(change), text: change.before }
  const after = { path: change.path, text: change.after }
  if (change.status === 'added') return [after]
  return change.status === 'deleted' ? [before] : [before, after]
}
