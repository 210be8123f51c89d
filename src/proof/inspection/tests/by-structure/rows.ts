// Tables that tests run over: each row is a case of its own.
import { above, type TreeNode } from '../../syntax/tree.ts'
import { closing, splitArguments } from '../brackets.ts'
import { type Code, calleeOf } from './code.ts'

/** The rows of all tables in these nodes, without spacing. */
export function rowsIn(code: Code, nodes: Iterable<TreeNode>): string[] {
  const rows: string[] = []
  for (const node of nodes)
    if (code.shape.lists.includes(node.kind) && !isInner(code, node) && isTable(code, node))
      rows.push(...elementsOf(code, node))
  return rows
}

/** Only the outermost list is a table, its rows may be lists too. */
const isInner = (code: Code, node: TreeNode): boolean => above(node).some(({ kind }) => code.shape.lists.includes(kind))

function isTable(code: Code, node: TreeNode): boolean {
  const { args, calls, assigns, loops, functions } = code.shape
  for (const outer of above(node)) {
    if (functions.includes(outer.kind)) return false
    if (loops.includes(outer.kind)) return true
    if (args.includes(outer.kind) && outer.parent !== null && calls.includes(outer.parent.kind))
      return /\b(?:each|for|parametrize|from|entries)$/.test(calleeOf(code, outer.parent).callee)
    if (calls.includes(outer.kind))
      return (
        /\.\s*(?:forEach|map)$/.test(calleeOf(code, outer).callee) && tests.test(code.masked.slice(node.end, outer.end))
      )
    if (assigns.includes(outer.kind)) return isLoopedOver(code, outer)
  }
  return false
}

function isLoopedOver(code: Code, assign: TreeNode): boolean {
  const name = /^(?:let\s+(?:mut\s+)?)?([\w$]+)/.exec(code.masked.slice(assign.start, assign.end))?.[1]
  if (name === undefined) return false
  const own = name.replace(/\$/g, '\\$')
  const loop = new RegExp(
    `\\b(?:of|in|range)\\s+(?:\\w+\\()?&?${own}\\b|\\b(?:each|for)\\s*\\(\\s*${own}\\b|parametrize\\([^()]*(?:\\([^()]*\\))?[^()]*,\\s*${own}\\b|\\b${own}\\s*\\.\\s*(?:forEach|map|iter|into_iter)\\b`,
    'g',
  )
  return [...code.masked.matchAll(loop)].some(
    (found) =>
      /parametrize|\beach\s*\(/.test(found[0]) || tests.test(turnAfter(code.masked, found.index + found[0].length)),
  )
}

/** What is done for each: the arguments or the block that follow, or else the statement. */
function turnAfter(masked: string, from: number): string {
  const open = /^[\w\s).:]*?([({])/.exec(masked.slice(from, from + 200))
  if (open === null) return masked.slice(from, from + 300)
  const at = from + open[0].length - 1
  return masked.slice(from, closing(masked, at))
}

/** What makes the rows of a list cases: something is asserted for each. */
const tests = /\b(?:it|test|describe|expect|assert)\w*!?\s*[.(]|\bassert\b|\bt\.(?:Run|Error|Fatal)|\bdef test/

function elementsOf(code: Code, node: TreeNode): string[] {
  const closed = code.masked
    .slice(0, node.end)
    .lastIndexOf(node.kind === 'composite_literal' ? '}' : code.masked[node.end - 1]!)
  const open = node.kind === 'composite_literal' ? literalStart(code, node) : node.start
  return splitArguments(code.text.slice(open + 1, closed), code.masked.slice(open + 1, closed)).map((row) =>
    row.replace(/\s+/g, ''),
  )
}

/** In Go the type comes first, and a struct type has braces of its own. */
function literalStart(code: Code, node: TreeNode): number {
  let depth = 0
  for (let at = node.end - 1; at > node.start; at--) {
    if (code.masked[at] === '}') depth += 1
    if (code.masked[at] === '{' && --depth === 0) return at
  }
  return node.start
}

/** `#[case(…)]` of rstest and test-case. */
export const attributeRows = (code: Code, start: number, end: number): string[] =>
  code.grammar !== 'rust'
    ? []
    : [...code.masked.slice(start, end).matchAll(/#\[(?:case|test_case)(?:::\w+)?\([^\n]*\)\]/g)].map((found) =>
        code.text.slice(start + found.index, start + found.index + found[0].length).replace(/\s+/g, ''),
      )
