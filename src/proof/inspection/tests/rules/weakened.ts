import type { Finding } from '../../../../delivery/judging/finding.ts'
import { report } from '../../report.ts'
import { literalsOf, missing } from '../literals.ts'
import type { Assertion, Case, Facts } from '../test-case.ts'
import { lostLines } from './lost-lines.ts'
import { proppedUp } from './propped.ts'

/** How a test that was there came to claim less, or something else. */
export function weakenedTest(kept: Kept, { assertions: elsewhere, fixtures }: Elsewhere): Finding[] {
  const { before, after } = kept
  const same = before.text.replace(/\s+/g, '') === after.text.replace(/\s+/g, '')
  if (same && after.buried <= before.buried) return []
  const [was, is] = [before.facts, after.facts]
  const had = withoutErrorCallbacks(was.assertions, before, after).filter((one) => !isOfGoneCall(one, after))
  const has = is.assertions
  const moved = took(without(had, has), elsewhere)
  const reason =
    swallows(was, is) ??
    claimsLess(had, [...has, ...moved], after) ??
    loosens(had, [...has, ...moved]) ??
    dependsOn(before, after) ??
    returnsEarly(before, after) ??
    holdsItselfUp(before, after) ??
    losesRows(kept, elsewhere) ??
    isEmptied(was, is) ??
    (after.name === ''
      ? null
      : claimsOther(had, has, [
          ...moved.flatMap((one) => one.literals),
          ...literalsOf(after.text, after.masked),
          ...had.flatMap((one) => one.inputs).filter((input) => isIn(fixtures, input)),
        ]))
  return reason === null ? [] : [finding(reason, kept)]
}

/** What else came with the diff. */
export interface Elsewhere {
  /** Of fresh tests. */
  assertions: readonly Assertion[]
  /** Texts of fresh files that are no code: input for tests. */
  fixtures: readonly string[]
}

interface Kept {
  before: Case
  after: Case
  path: string
  /** What stands around the tests of its file; null when it went to another file. */
  around: { before: Case; after: Case } | null
}

interface Reason {
  rule: string
  text: string
  mend: string
}

const asBefore = 'let it claim what it claimed and mend the code instead'

function finding({ rule, text, mend }: Reason, { before, after, path, around }: Kept): Finding {
  const subject = before.name === '' ? 'the code around the tests' : `the test "${before.name}"`
  const lines = lostLines(before.text, after.text)
  return report({
    rule,
    file: path,
    line: after.line + lines.offset,
    what: before.name,
    message: `${subject} ${text}; ${mend}, or have the story declare the test under mayChange when its specification changed`,
    evidence: lines.text || (around === null ? after.text : lostLines(around.before.text, around.after.text).text),
    fixTarget: 'tests',
  })
}

/** Where a callback's error was asserted to be none, an awaited promise now throws it. */
const withoutErrorCallbacks = (had: Assertion[], before: Case, after: Case): Assertion[] =>
  /\bawait\b/.test(after.masked) && !/\bawait\b/.test(before.masked)
    ? had.filter(({ text }) => !/ifError\(/.test(text))
    : had

/** That a set-up went well need not be asserted when the set-up is gone. */
function isOfGoneCall({ subjects }: Assertion, after: Case): boolean {
  const call = /^([\w.]+)\(.*#error$/.exec(subjects[0] ?? '')?.[1]
  return call !== undefined && !after.masked.includes(`${call}(`)
}

/** Assertions that went to a fresh test: one of the same weight that names the same values. */
function took(gone: Assertion[], elsewhere: readonly Assertion[]): Assertion[] {
  const open = [...elsewhere]
  return gone.flatMap((one) => {
    const at = open.findIndex(
      (other) =>
        other.weight >= one.weight &&
        (one.text === other.text || (one.literals.length > 0 && missing(one.literals, other.literals).length === 0)),
    )
    return at === -1 ? [] : open.splice(at, 1)
  })
}

function claimsLess(had: Assertion[], has: Assertion[], after: Case): Reason | null {
  const strong = (list: Assertion[], least: number): number => list.filter((one) => one.weight >= least).length
  const least = [1, 2, 3].find((weight) => strong(has, weight) < strong(had, weight))
  if (least === undefined || isGathered(had, has, after)) return null
  const fewer = strong(has, 1) < strong(had, 1)
  const text = fewer ? 'asserts less than before' : 'asserts more loosely than before'
  return { rule: 'test-weakened', text, mend: fewer ? 'put the assertions back' : asBefore }
}

/** The same thing is asserted, but less of it; that another assertion came does not make up for it. */
function loosens(had: Assertion[], has: Assertion[]): Reason | null {
  const come = without(has, had)
  const looser = without(had, has).some((gone) => {
    const rivals = come.filter((one) => one.subjects.some((subject) => gone.subjects.includes(subject)))
    if (rivals.length === 0 || rivals.some((one) => one.weight >= gone.weight)) return false
    const others = come.filter((one) => !rivals.includes(one) && one.weight > 1).flatMap((one) => one.literals)
    return gone.literals.length === 0 || missing(gone.literals, others).length > 0
  })
  return looser ? { rule: 'test-weakened', text: 'asserts more loosely than before', mend: asBefore } : null
}

/** Several assertions became one (a table, a deep comparison) that still names every value they named. */
function isGathered(had: Assertion[], has: Assertion[], after: Case): boolean {
  const gone = without(had, has)
  const come = without(has, had)
  const named = gone.every((one) => one.literals.length > 0 || one.weight === 1) && isEnough(come, gone)
  const literals = gone.flatMap((one) => one.literals)
  return (
    named && come.every((one) => one.weight > 0) && missing(literals, literalsOf(after.text, after.masked)).length === 0
  )
}

/** One that claims all, or more of them that claim parts. */
const isEnough = (come: Assertion[], gone: Assertion[]): boolean =>
  come.some((one) => one.weight === 3) || come.filter((one) => one.weight === 2).length > gone.length

function without(list: readonly Assertion[], others: readonly Assertion[]): Assertion[] {
  const texts = new Set(others.map((one) => one.text))
  return list.filter((one) => !texts.has(one.text))
}

/** Values that a test named are gone from it, and others have come; or a tolerance has. */
function claimsOther(had: Assertion[], has: Assertion[], present: string[]): Reason | null {
  const wanted = had.flatMap((one) => one.literals)
  const found = has.flatMap((one) => one.literals)
  const around = new Set(present)
  const given = had.flatMap((one) => one.inputs).filter((one) => !around.has(one))
  const gone = [...missing(wanted, [...present, ...snapshotLiterals(has)]), ...given].filter(
    (one) => !nothing.test(one),
  )
  const come = [...missing(found, wanted), ...missing(inputsOf(has), inputsOf(had))].filter((one) => !nothing.test(one))
  const firmer = sum(has) > sum(had)
  if (gone.length > 0 && (come.length > 0 || (had.length === has.length && !firmer))) {
    const change = `${gone.slice(0, 3).join(', ')} became ${come.slice(0, 3).join(', ') || 'nothing'}`
    return { rule: 'test-changed', text: `expects something else than before (${change})`, mend: asBefore }
  }
  const tolerant = (list: Assertion[]): number => list.filter(({ text }) => tolerance.test(text)).length
  return tolerant(has) > tolerant(had)
    ? { rule: 'test-weakened', text: 'tolerates more than before', mend: asBefore }
    : null
}

/** A text that went into a file of its own. */
const isIn = (fixtures: readonly string[], input: string): boolean => {
  const text = input.startsWith('"') ? input.slice(1, -1).replaceAll('\\n', '\n').trim() : ''
  return text.length > 2 && fixtures.some((one) => one.includes(text))
}

const inputsOf = (list: readonly Assertion[]): string[] => [...new Set(list.flatMap((one) => one.inputs))]

/** That there is nothing can be said by a matcher's name too. */
const nothing = /^(?:nil|None|null|undefined)$/

const sum = (list: readonly Assertion[]): number => list.reduce((total, one) => total + one.weight, 0)

const snapshotLiterals = (list: readonly Assertion[]): string[] =>
  list
    .filter(({ text }) => text.includes('toMatchInlineSnapshot('))
    .flatMap(({ text }) => literalsOf(text, text.replaceAll('`', ' ')))

const tolerance = /\b(?:rel|abs|delta|rel_tol|abs_tol|atol|rtol|epsilon)=/

function swallows(was: Facts, is: Facts): Reason | null {
  return is.swallowed > was.swallowed
    ? { rule: 'test-weakened', text: 'swallows its own failures', mend: 'let an assertion that fails fail the test' }
    : null
}

/** A bare return of the test's own that an assertion comes after. */
function returnsEarly(before: Case, after: Case): Reason | null {
  if (after.name === '' || after.facts.earlyReturns <= before.facts.earlyReturns) return null
  return {
    rule: 'test-weakened',
    text: 'returns before it asserts',
    mend: 'let it reach its assertions whatever the surroundings',
  }
}

function holdsItselfUp(before: Case, after: Case): Reason | null {
  const text = after.name === '' ? null : proppedUp(before, after)
  return text === null ? null : { rule: 'test-weakened', text, mend: 'let it fail where the code does' }
}

/** Assertions that were always made are now made only sometimes, or too late. */
function dependsOn(before: Case, after: Case): Reason | null {
  const mend = 'let it run, and assert, on every way through'
  if (after.buried > before.buried) return { rule: 'test-disabled', text: 'runs only on a condition, or never', mend }
  const gained = after.facts.guarded - before.facts.guarded
  if (gained <= 0 || after.facts.assertions.length - before.facts.assertions.length >= gained) return null
  return { rule: 'test-weakened', text: 'asserts only on a condition, or when it is too late', mend }
}

/** Rows of a table are tests too. */
function losesRows({ before, after, around }: Kept, elsewhere: readonly Assertion[]): Reason | null {
  const outside = around === null ? [] : missing(around.after.facts.rows, around.before.facts.rows)
  const gone = missing(before.facts.rows, [...after.facts.rows, ...outside])
  const come = missing(after.facts.rows, before.facts.rows)
  if (gone.length === 0) return null
  const literals = gone.flatMap((row) => literalsOf(row, row))
  const present = [...literalsOf(after.text, after.masked), ...elsewhere.flatMap((one) => one.literals)]
  const lost = missing(literals, present)
  if (gone.length > come.length && lost.length > 0)
    return {
      rule: 'test-weakened',
      text: `runs over ${gone.length - come.length} cases less than before (${gone.slice(0, 2).join(', ').slice(0, 80)})`,
      mend: 'put the cases back',
    }
  if (lost.length === 0) return null
  const change = `${lost.slice(0, 3).join(', ')} is gone`
  return { rule: 'test-changed', text: `runs over other cases than before (${change})`, mend: asBefore }
}

/** A test that only called something, and now calls nothing. */
function isEmptied(was: Facts, is: Facts): Reason | null {
  if (was.calls === 0 || is.calls > 0) return null
  return { rule: 'test-weakened', text: 'does nothing any more', mend: 'put its body back' }
}
