// How a test reaches its assertions, as far as words and brackets tell.
import { closing } from '../brackets.ts'
import type { Facts, Passage } from '../test-case.ts'
import { assertionsByLines } from './assertions.ts'

export function factsByLines(test: Passage): Facts {
  return {
    assertions: assertionsByLines(reachedPart(test)),
    guarded: guarded(test),
    swallowed: [...test.masked.matchAll(emptyCatch)].length,
    earlyReturns: ownReturns(test),
    rows: [],
    calls: [...test.masked.matchAll(/[\w$]\s*\(/g)].length,
  }
}

/** The part of a test that is reached: what follows a bare `return` at its own level is not. */
function reachedPart(test: Passage): Passage {
  const body = test.masked.search(/=>\s*\{|\bfunction\b[^{]*\{|\)\s*\{/)
  if (test.language !== 'js' || body === -1 || test.name === '') return test
  const open = test.masked.indexOf('{', body)
  let depth = 0
  for (let at = open; at < test.masked.length; at++) {
    if ('([{'.includes(test.masked[at]!)) depth += 1
    if (')]}'.includes(test.masked[at]!)) depth -= 1
    if (depth === 1 && /^[\s;{}]return\s*(?:;|\n|\})/.test(test.masked.slice(at, at + 12)))
      return { ...test, text: test.text.slice(0, at), masked: test.masked.slice(0, at) }
  }
  return test
}

const emptyCatch =
  /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)|\bexcept\b[^\n]*:\s*(?:\n\s*)?pass\b|\brescue\b[^\n]*\n\s*end\b/g

const givesUp = /^return\s*(?:(?:Promise\.resolve\(\)|undefined|null|void 0|true|done\(\))\s*)?(?:;|\n|\})/

function ownReturns(test: Passage): number {
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

function guarded(test: Passage): number {
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

const assertionsBetween = (test: Passage, from: number, to: number): number =>
  assertionsByLines({ ...test, text: test.text.slice(from, to), masked: test.masked.slice(from, to) }).length

/** Assertions in a promise that nobody waits for. */
function forgotten(test: Passage): number {
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
