// Functions of a test file that assert for others: calling one of them is an assertion.
import { below, type TreeNode } from '../../syntax/tree.ts'
import { assertionCall, type Written } from '../by-lines/assertions.ts'
import { literalsOf } from '../literals.ts'
import type { Assertion } from '../test-case.ts'
import { type Code, calleeOf } from './code.ts'
import type { StructuredSpan } from './spans.ts'

/** By name, the most that one of its assertions claims. */
export type Asserting = ReadonlyMap<string, Assertion['weight']>

export function assertingFunctions(
  code: Code,
  spans: readonly StructuredSpan[],
  written: readonly Written[],
): Asserting {
  const tests = new Set(spans.map(({ body }) => body))
  const asserting = new Map<string, Assertion['weight']>()
  for (const node of below(code.root)) {
    if (!code.shape.functions.includes(node.kind) || tests.has(node)) continue
    const name = nameOf(code, node)
    if (name === null || new RegExp(`^(?:${assertionCall.source})$`).test(`${name}(`)) continue
    const own = written.filter(({ start, end }) => start >= node.start && end <= node.end)
    const most = Math.max(0, ...own.map(({ weight }) => weight)) as Assertion['weight']
    if (most > 0) asserting.set(name, most)
  }
  return asserting
}

function nameOf(code: Code, node: TreeNode): string | null {
  const declared = /^(?:async\s+)?(?:def|function\*?|func|(?:pub\s+)?fn)\s+(?:\([^)]*\)\s*)?(\w+)/.exec(
    code.masked.slice(node.start, node.start + 200),
  )
  if (declared !== null) return declared[1]!
  if (!code.shape.assigns.includes(node.parent?.kind ?? '')) return null
  return /^(?:let\s+)?([\w$]+)/.exec(code.masked.slice(node.parent!.start, node.start))?.[1] ?? null
}

/** The calls of such functions, as assertions. */
export function callsOf(code: Code, calls: readonly TreeNode[], asserting: Asserting): Assertion[] {
  if (asserting.size === 0) return []
  return calls.flatMap((call) => {
    const { callee, args } = calleeOf(code, call)
    const weight = asserting.get(callee.replace(/^(?:self|this|s|suite)\./, ''))
    if (weight === undefined || args === null) return []
    const literals = literalsOf(code.text.slice(args.start, args.end), code.masked.slice(args.start, args.end))
    return [
      {
        text: code.text.slice(call.start, call.end).replace(/\s+/g, ''),
        weight,
        literals,
        inputs: [],
        subjects: [],
        line: 0,
      },
    ]
  })
}
