import type { Finding } from '../../../delivery/judging/finding.ts'
import { report } from '../report.ts'
import { type Assertion, assertionsIn, literalsOf, missing, reachedPart } from './assertions.ts'
import { type Case, closing } from './cases.ts'

/** How a test that was there came to claim less, or something else. */
export function weakenedTest({ before, after, path }: Kept, elsewhere: readonly Assertion[]): Finding[] {
  const same = before.text.replace(/\s+/g, '') === after.text.replace(/\s+/g, '')
  if (same && after.buried <= before.buried) return []
  const had = assertionsIn(reachedPart(before))
  const has = assertionsIn(reachedPart(after))
  const moved = took(without(had, has), elsewhere)
  const reason =
    claimsLess(had, [...has, ...moved], after) ??
    dependsOn(before, after) ??
    swallows(before, after) ??
    returnsEarly(before, after) ??
    (after.name === ''
      ? null
      : claimsOther(had, has, [...moved.flatMap((one) => one.literals), ...literalsOf(after.text, after.masked)]))
  if (reason === null) return []
  const subject = before.name === '' ? 'the code around the tests' : `the test "${before.name}"`
  return [
    report({
      rule: reason.rule,
      file: path,
      line: after.line,
      what: before.name,
      message: `${subject} ${reason.text}; existing tests may only be changed where the story declares it under mayChange`,
      evidence: `before:\n${before.text.slice(0, 1_800)}\n\nafter:\n${after.text.slice(0, 1_800)}`,
      fixTarget: 'tests',
    }),
  ]
}

interface Kept {
  before: Case
  after: Case
  path: string
}

/** Assertions that went to a fresh test: one of the same weight that names the same values. */
function took(gone: Assertion[], elsewhere: readonly Assertion[]): Assertion[] {
  const open = [...elsewhere]
  return gone.flatMap((one) => {
    const at = open.findIndex(
      (other) =>
        other.weight >= one.weight && one.literals.length > 0 && missing(one.literals, other.literals).length === 0,
    )
    return at === -1 ? [] : open.splice(at, 1)
  })
}

/** A test that asserts, but nothing that the code could break. */
export function hollowTests(test: Case, path: string): Finding[] {
  const assertions = assertionsIn(test)
  if (assertions.length === 0 || assertions.some((one) => one.weight > 0)) return []
  return [
    report({
      rule: 'test-hollow',
      file: path,
      line: test.line,
      what: test.name,
      message: `the test "${test.name}" can never fail: it asserts only constants`,
      evidence: test.text,
      fixTarget: 'tests',
    }),
  ]
}

interface Reason {
  rule: string
  text: string
}

function claimsLess(had: Assertion[], has: Assertion[], after: Case): Reason | null {
  const strong = (list: Assertion[], least: number): number => list.filter((one) => one.weight >= least).length
  const least = [1, 2, 3].find((weight) => strong(has, weight) < strong(had, weight))
  if (least === undefined || isGathered(had, has, after)) return null
  const text = strong(has, 1) < strong(had, 1) ? 'asserts less than before' : 'asserts more loosely than before'
  return { rule: 'test-weakened', text }
}

/** Several assertions became one (a table, a deep comparison) that still names every value they named. */
function isGathered(had: Assertion[], has: Assertion[], after: Case): boolean {
  const gone = without(had, has)
  const come = without(has, had)
  const named = gone.every((one) => one.literals.length > 0) && come.some((one) => one.weight === 3)
  const literals = gone.flatMap((one) => one.literals)
  return (
    named && come.every((one) => one.weight > 0) && missing(literals, literalsOf(after.text, after.masked)).length === 0
  )
}

function without(list: Assertion[], others: Assertion[]): Assertion[] {
  const texts = new Set(others.map((one) => one.text))
  return list.filter((one) => !texts.has(one.text))
}

/** Values that a test named are gone from it, and others have come. */
function claimsOther(had: Assertion[], has: Assertion[], present: string[]): Reason | null {
  const wanted = had.flatMap((one) => one.literals)
  const gone = missing(wanted, present)
  const come = missing(
    has.flatMap((one) => one.literals),
    wanted,
  )
  if (gone.length === 0 || come.length === 0) return null
  const change = `${gone.slice(0, 3).join(', ')} became ${come.slice(0, 3).join(', ')}`
  return { rule: 'test-changed', text: `expects something else than before (${change})` }
}

const emptyCatch =
  /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)|\bexcept\b[^\n]*:\s*(?:\n\s*)?pass\b|\brescue\b[^\n]*\n\s*end\b/g

function swallows(before: Case, after: Case): Reason | null {
  const count = (test: Case): number => [...test.masked.matchAll(emptyCatch)].length
  return count(after) > count(before) ? { rule: 'test-weakened', text: 'swallows its own failures' } : null
}

/** A bare return of the test's own that an assertion comes after. */
function returnsEarly(before: Case, after: Case): Reason | null {
  if (after.name === '' || ownReturns(after) <= ownReturns(before)) return null
  return { rule: 'test-weakened', text: 'returns before it asserts' }
}

const givesUp = /^return\s*(?:(?:Promise\.resolve\(\)|undefined|null|void 0|true|done\(\))\s*)?(?:;|\n|\})/

function ownReturns(test: Case): number {
  const lastClaim = Math.max(...[...test.masked.matchAll(/\b(?:assert|expect)\w*/g)].map((found) => found.index), 0)
  const open: boolean[] = []
  let returns = 0
  for (let at = 0; at < lastClaim; at++) {
    if (test.masked[at] === '{')
      open.push(/(?:=>|\bfunction\b[^{}]*)\s*$/.test(test.masked.slice(Math.max(0, at - 80), at)))
    if (test.masked[at] === '}') open.pop()
    const here = test.masked.startsWith('return', at) && givesUp.test(test.masked.slice(at, at + 80))
    if (here && !/[\w$.]/.test(test.masked[at - 1] ?? '') && open.filter((own) => own).length <= 1) returns += 1
  }
  return returns
}

/** Assertions that were always made are now made only sometimes, or too late. */
function dependsOn(before: Case, after: Case): Reason | null {
  if (after.buried > before.buried) return { rule: 'test-disabled', text: 'runs only on a condition, or never' }
  const gained = guarded(after) - guarded(before)
  if (gained <= 0 || assertionsIn(after).length - assertionsIn(before).length >= gained) return null
  return { rule: 'test-weakened', text: 'asserts only on a condition, or when it is too late' }
}

function guarded(test: Case): number {
  let count = [...test.masked.matchAll(/&&\s*(?:await\s+)?(?:assert|expect)\b/g)].length
  for (const found of test.masked.matchAll(
    /\bif\s*\(|\b(?:setTimeout|setImmediate|setInterval|nextTick|queueMicrotask)\s*\(/g,
  )) {
    const open = found.index + found[0].length - 1
    let [from, to] = [open, closing(test.masked, open)]
    if (found[0].startsWith('if')) {
      from = to + (/^\s*/.exec(test.masked.slice(to, to + 200))?.[0].length ?? 0)
      to = test.masked[from] === '{' ? closing(test.masked, from) : lineEnd(test.masked, from)
    }
    count += assertionsBetween(test, from, to)
  }
  return count + forgotten(test)
}

const assertionsBetween = (test: Case, from: number, to: number): number =>
  assertionsIn({ ...test, text: test.text.slice(from, to), masked: test.masked.slice(from, to) }).length

/** Assertions in a promise that nobody waits for. */
function forgotten(test: Case): number {
  let count = 0
  for (const found of test.masked.matchAll(/\.then\s*\(/g)) {
    const statement = /[^;{}]*$/.exec(test.masked.slice(Math.max(0, found.index - 400), found.index))![0]
    const open = found.index + found[0].length - 1
    if (!/\b(?:await|return|yield)\b|=/.test(statement))
      count += assertionsBetween(test, open, closing(test.masked, open))
  }
  return count
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
