import { type Container, type Reading, readContainer } from './relaxed.ts'

/** Everything in a text that reads like JSON, in order; never what stands inside another one. */
export function* readingsIn(text: string): Generator<Reading> {
  // What was read in vain is looked through again, but only so often: the time stays linear.
  let spare = text.length * 2
  let at = 0
  for (;;) {
    opening.lastIndex = at
    const start = opening.exec(text)?.index
    if (start === undefined) return
    const reading = readContainer(text, start)
    yield reading
    at = reading.end
    if (reading.status === 'whole' || spare < 0) continue
    spare -= at - start
    if (!hasBegun(reading.value)) at = start + 1
    else if (reading.status === 'broken') {
      const end = balancedEnd(text, start)
      spare -= (end ?? text.length) - start
      at = Math.max(at, end ?? 0)
    }
  }
}

/** A bracket, and behind it something that can be a key or a value. */
const opening = /\{(?=\s*["'\u2018-\u201f\w$}/#])|\[(?=\s*["'\u2018-\u201f\w{[\]+./#-])/g

/** Whether it is more than a bracket in prose. */
const hasBegun = (value: Container): boolean => Object.keys(value).length > 0

/** Where its brackets are even, whatever is in quotes: what stands inside something unreadable is no answer. */
function balancedEnd(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return null
}
