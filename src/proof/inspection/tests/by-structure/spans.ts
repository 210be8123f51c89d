// Which stretches of a file are tests, by the grammar of its language.
import { above, below, type TreeNode } from '../../syntax/tree.ts'
import { withoutBrackets } from '../brackets.ts'
import { type Code, calleeOf } from './code.ts'
import { neverTurns } from './loops.ts'

export interface StructuredSpan {
  kind: 'test' | 'suite'
  name: string
  start: number
  end: number
  buried: number
  /** The whole of it. */
  node: TreeNode
  /** Where its own code is. */
  body: TreeNode
}

export function spansByStructure(code: Code): StructuredSpan[] {
  const find = finders[code.grammar]
  const spans: StructuredSpan[] = []
  for (const node of below(code.root)) {
    const found = find(code, node)
    if (found !== null) spans.push({ ...found, buried: burial(code, node) })
  }
  return spans
}

type Found = Omit<StructuredSpan, 'buried'>
type Finder = (code: Code, node: TreeNode) => Found | null

const runner = /^(?:(?:Deno|QUnit|tap|t|ctx|test|it)\.)?([xf]?(?:test|it|specify|describe|context|suite))((?:\.\w+)*)$/
const notATest =
  /\.(?:before|after|beforeEach|afterEach|beforeAll|afterAll|use|extend|configure|setTimeout|step|mock|slow|info|plan|each|for|skipIf|runIf)$/

/** `test('name', …)` and its relatives. */
const callFinder: Finder = (code, node) => {
  if (node.kind !== 'call_expression') return null
  const { callee, args } = calleeOf(code, node)
  if (
    args === null ||
    callee.length > 20_000 ||
    !/^(?:\w+\.)?[xf]?(?:test|it|specify|describe|context|suite)\b/.test(callee)
  )
    return null
  if (notATest.test(callee)) return null
  const words = runner.exec(
    withoutBrackets(callee.replace(/`[^`]*`/g, '_').replace(/<[^()]*>/g, ''))
      .replace(/_+(?=\.|$)/g, '')
      .replace(/\s+/g, ''),
  )
  const own = args.children.findLast(({ kind }) => code.shape.functions.includes(kind))
  const name = firstString(code, args)
  if (words === null || (name === null && own === undefined)) return null
  const suite = /^[xf]?(?:describe|context|suite)$/.test(words[1]!) || /\.(?:describe|suite)\b/.test(words[2]!)
  return {
    kind: suite ? 'suite' : 'test',
    name: name ?? '(unnamed)',
    start: node.start,
    end: node.end,
    node,
    body: own ?? args,
  }
}

function firstString(code: Code, args: TreeNode): string | null {
  const [first] = args.children
  if (first === undefined || !['string', 'template_string'].includes(first.kind)) return null
  return code.text.slice(args.start + 1, first.start).trim() === ''
    ? code.text.slice(first.start + 1, first.end - 1)
    : null
}

/** What pytest and unittest collect: not the methods of a class with a constructor, or with another name. */
const pythonFinder: Finder = (code, node) => {
  if (node.kind !== 'function_definition') return null
  const name = /^(?:async\s+)?def\s+(test\w*)/.exec(code.masked.slice(node.start, node.start + 200))?.[1]
  if (name === undefined || !isCollected(code, node)) return null
  const outer = node.parent?.kind === 'decorated_definition' ? node.parent : node
  return { kind: 'test', name, start: outer.start, end: node.end, node: outer, body: node }
}

function isCollected(code: Code, node: TreeNode): boolean {
  const owner = above(node).find(({ kind }) => kind === 'class_definition')
  if (owner === undefined) return true
  const head = /^class\s+(\w+)\s*(\([^)]*\))?/.exec(code.masked.slice(owner.start, owner.start + 400))
  const bases = (head?.[2] ?? '').replace(/[()\s]|object/g, '')
  return (
    bases !== '' ||
    (/^Test/.test(head?.[1] ?? '') && !/\bdef\s+__init__\b/.test(code.masked.slice(owner.start, owner.end)))
  )
}

const goFinder: Finder = (code, node) => {
  if (node.kind !== 'function_declaration' && node.kind !== 'method_declaration') return null
  const name = /^func\s+(?:\([^)]*\)\s*)?((?:Test|Fuzz|Example)\w*)/.exec(
    code.masked.slice(node.start, node.start + 300),
  )?.[1]
  if (name === undefined || name === 'TestMain') return null
  return { kind: 'test', name, start: node.start, end: node.end, node, body: node }
}

const rustFinder: Finder = (code, node) => {
  if (node.kind !== 'function_item') return null
  const attributes = attributesOf(node)
  const start = attributes[0]?.start ?? node.start
  const written = code.masked.slice(start, node.start)
  if (!/#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|wasm_bindgen_test)\b/.test(written)) return null
  const name = /\bfn\s+(\w+)/.exec(code.masked.slice(node.start, node.start + 300))?.[1] ?? '(unnamed)'
  return { kind: 'test', name, start, end: node.end, node, body: node }
}

/** Attributes stand before what they belong to. */
function attributesOf(node: TreeNode): TreeNode[] {
  const siblings = node.parent?.children ?? []
  const attributes: TreeNode[] = []
  for (let at = siblings.indexOf(node) - 1; at >= 0 && siblings[at]!.kind === 'attribute_item'; at--)
    attributes.unshift(siblings[at]!)
  return attributes
}

const finders: Record<Code['grammar'], Finder> = {
  javascript: callFinder,
  typescript: callFinder,
  tsx: callFinder,
  python: pythonFinder,
  go: goFinder,
  rust: rustFinder,
}

/** In how many places it stands that need not be reached: conditions, and functions that nobody calls. */
function burial(code: Code, node: TreeNode): number {
  const { conditions, functions, loops } = code.shape
  const lineStart = code.masked.lastIndexOf('\n', node.start) + 1
  const before = code.masked.slice(lineStart, node.start)
  const held = above(node).filter(
    (outer) =>
      conditions.includes(outer.kind) ||
      (loops.includes(outer.kind) && neverTurns(code, outer)) ||
      (functions.includes(outer.kind) && !isRun(code, outer)),
  )
  return held.length + (/&&|\?\s*$/.test(before) ? 1 : 0)
}

/** Handed to a call, or called by its name somewhere else in the file. */
export function isRun(code: Code, func: TreeNode): boolean {
  const { args, assigns } = code.shape
  if (func.parent !== null && args.includes(func.parent.kind)) return true
  if (/\bexport\b/.test(code.masked.slice(code.masked.lastIndexOf('\n', func.start) + 1, func.start))) return true
  const named = /^(?:async\s+)?(?:def|function\*?|func|fn)\s+(\w+)/.exec(
    code.masked.slice(func.start, func.start + 200),
  )?.[1]
  const assigned = assigns.includes(func.parent?.kind ?? '')
    ? /^(?:let\s+)?(?:mut\s+)?([\w$]+)/.exec(code.masked.slice(func.parent!.start, func.start))?.[1]
    : undefined
  const name = named ?? assigned
  if (name === undefined) return true
  const elsewhere = `${code.masked.slice(0, func.start).replace(/\b(?:const|let|var)\s+[\w$]+/g, '')} ${code.masked.slice(func.end)}`
  return new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`).test(elsewhere)
}
