import type { Finding } from '../../../delivery/judging/finding.ts'
import { report } from '../report.ts'
import { type Assertion, assertionsIn, literalsOf, missing, reachedPart } from './assertions.ts'
import type { Case } from './cases.ts'

/** How a test that was there came to claim less, or something else. */
export function weakenedTest(before: Case, after: Case, path: string): Finding[] {
  if (before.text.replace(/\s+/g, '') === after.text.replace(/\s+/g, '')) return []
  const had = assertionsIn(reachedPart(before))
  const has = assertionsIn(reachedPart(after))
  const reason =
    claimsLess(had, has, after) ??
    swallows(before, after) ??
    returnsEarly(before, after) ??
    claimsOther(had, has, after)
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

function claimsOther(had: Assertion[], has: Assertion[], after: Case): Reason | null {
  if (after.name === '') return null
  const gone = missing(
    had.flatMap((one) => one.literals),
    literalsOf(after.text, after.masked),
  )
  const come = missing(
    has.flatMap((one) => one.literals),
    had.flatMap((one) => one.literals),
  )
  if (gone.length === 0 || come.length === 0) return null
  return {
    rule: 'test-changed',
    text: `expects something else than before (${gone.slice(0, 3).join(', ')} became ${come.slice(0, 3).join(', ')})`,
  }
}

const emptyCatch =
  /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)|\bexcept\b[^\n]*:\s*(?:\n\s*)?pass\b|\brescue\b[^\n]*\n\s*end\b/g

function swallows(before: Case, after: Case): Reason | null {
  const count = (test: Case): number => [...test.masked.matchAll(emptyCatch)].length
  return count(after) > count(before) ? { rule: 'test-weakened', text: 'swallows its own failures' } : null
}

/** A bare return that an assertion comes after. */
function returnsEarly(before: Case, after: Case): Reason | null {
  const count = (test: Case): number => {
    const lastClaim = Math.max(...[...test.masked.matchAll(/\b(?:assert|expect)\w*/g)].map((found) => found.index), -1)
    return [...test.masked.slice(0, Math.max(0, lastClaim)).matchAll(/(?<![\w$.])return\s*(?:;|\n|\})/g)].length
  }
  return after.name !== '' && count(after) > count(before)
    ? { rule: 'test-weakened', text: 'returns before it asserts' }
    : null
}
