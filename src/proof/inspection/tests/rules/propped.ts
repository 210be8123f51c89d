// A test that keeps its assertions, and sees to it that they hold or need not be made.
import { closing } from '../brackets.ts'
import { literalsOf, missing } from '../literals.ts'
import type { Assertion, Case } from '../test-case.ts'

/** How a test came to hold up by itself; null: it did not. */
export function proppedUp(before: Case, after: Case): string | null {
  if (plansFewer(before, after)) return 'plans for fewer assertions than before, so that they need not be made'
  const [was, is] = [answersIn(before), answersIn(after)]
  return missing(is, was).length > 0 ? 'answers itself with what it expects when the code fails' : null
}

/** `expect.assertions(2)` tells that callbacks were called; what is awaited needs no such count. */
function plansFewer(before: Case, after: Case): boolean {
  const [had, has] = [planned(before), planned(after)]
  if (had === null || (has ?? 0) >= had) return false
  if (after.facts.assertions.length < before.facts.assertions.length) return false
  return has !== null || !/\bawait\b|\breturn\b|\bdone\b/.test(after.masked)
}

const plan = /\bexpect\s*\.\s*(?:assertions\s*\(\s*(\d+)|hasAssertions\s*\()|\b(?:t|assert)\s*\.\s*plan\s*\(\s*(\d+)/g

function planned({ masked, language }: Case): number | null {
  if (language !== 'js') return null
  const plans = [...masked.matchAll(plan)].map((found) => Number(found[1] ?? found[2] ?? 1))
  return plans.length === 0 ? null : plans.reduce((sum, one) => sum + one, 0)
}

/** `.catch(() => 119)` where 119 is asserted. */
function answersIn({ text, masked, language, facts }: Case): string[] {
  if (language !== 'js') return []
  return [...masked.matchAll(/\.\s*catch\s*\(\s*(?:async\s*)?\(?\s*_?\w*\s*\)?\s*=>/g)].flatMap((found) => {
    const open = found.index + found[0].indexOf('(')
    const [from, to] = [found.index + found[0].length, closing(masked, open) - 1]
    const given = literalsOf(text.slice(from, to), masked.slice(from, to))
    const expected = expectedBy(facts.assertions)
    return given.length > 0 && missing(given, expected).length === 0 ? [given.join()] : []
  })
}

const expectedBy = (assertions: readonly Assertion[]): string[] => assertions.flatMap((one) => one.literals)
