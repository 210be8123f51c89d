import { type Container, type Reading, readContainer } from './relaxed.ts'

/** Everything in a text that reads like JSON, in order; never what stands inside another one. */
export function* readingsIn(text: string): Generator<Reading> {
  // What was read in vain is looked through again, but only so often: the time stays linear.
  const budget = { left: text.length * 2 }
  let start = firstFrom(opening, text, 0)
  while (start !== null) {
    const reading = readContainer(text, start)
    yield reading
    start = reading.status === 'whole' ? firstFrom(opening, text, reading.end) : afterFailure(text, reading, budget)
  }
}

/** A bracket, and behind it something that can be a key or a value. */
const opening = /\{(?=\s*["'\u2018-\u201f\w$}/#])|\[(?=\s*["'\u2018-\u201f\w{[\]+./#-])/g
const lineOpening = /(?<=\n)[{[]/g

function firstFrom(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? null
}

function afterFailure(text: string, reading: Reading, budget: { left: number }): number | null {
  const { status, start, end, value } = reading
  const mayLookAgain = budget.left > 0
  budget.left -= end - start
  if (!hasBegun(value)) return firstFrom(opening, text, mayLookAgain ? start + 1 : end)
  if (status === 'cut') return firstFrom(opening, text, end)
  // Where something unreadable ends nobody can tell, and what belongs to it is no answer: the next one begins a line.
  const even = mayLookAgain ? evenEnd(text, start) : null
  budget.left -= (even ?? text.length) - start
  return firstFrom(lineOpening, text, Math.max(end, even ?? 0))
}

/** Whether it is more than a bracket in prose. */
const hasBegun = (value: Container): boolean => Object.keys(value).length > 0

/** Where its brackets are even, whatever is in quotes. */
function evenEnd(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return null
}
