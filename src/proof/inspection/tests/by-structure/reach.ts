// Whether an assertion is reached, and whether its failure counts, by what stands around it.
import { below, type TreeNode } from '../../syntax/tree.ts'
import { type Code, calleeOf } from './code.ts'
import { neverTurns } from './loops.ts'
import { isRun } from './spans.ts'

export type Reach = 'made' | 'guarded' | 'swallowed' | 'unreached'

interface Place {
  start: number
  end: number
  /** The innermost node around it. */
  node: TreeNode
}

/** How an assertion is reached from the body of its test; null stands for the whole file. */
export function reachOf(code: Code, place: Place, body: TreeNode | null): Reach {
  let reach: Reach = isShortCircuited(code, place) || isPending(code, place) ? 'guarded' : 'made'
  let inner: TreeNode = place.node
  for (let outer: TreeNode | null = place.node; outer !== null; outer = outer.parent) {
    if (outer === body) return leftBefore(code, outer, place) ? 'unreached' : reach
    const around = reachIn(code, { outer, inner, place, alone: body !== null })
    if (around === 'unreached' || around === 'swallowed') return around
    if (around === 'guarded') reach = 'guarded'
    inner = outer
  }
  return reach
}

interface Step {
  outer: TreeNode
  inner: TreeNode
  place: Place
  /** Within a test, so that a function nobody calls there is lost. */
  alone: boolean
}

function reachIn(code: Code, step: Step): Reach {
  const { shape } = code
  const { outer, inner } = step
  if (leftBefore(code, outer, step.place)) return 'unreached'
  if (shape.conditions.includes(outer.kind)) return isDecided(code, step) ? decided(code, step) : 'made'
  if (shape.tries.includes(outer.kind)) return isCaught(code, step) ? 'swallowed' : 'made'
  if (shape.catches.includes(outer.kind)) return 'guarded'
  if (shape.loops.includes(outer.kind)) return neverTurns(code, outer) ? 'unreached' : 'made'
  if (outer.kind === 'go_statement') return waits.test(code.masked) ? 'made' : 'guarded'
  if (outer.kind === 'with_statement') return suppresses(code, outer, inner) ? 'swallowed' : 'made'
  if (shape.calls.includes(outer.kind)) return isCaughtByCall(code, step) ? 'swallowed' : 'made'
  if (shape.functions.includes(outer.kind)) return inFunction(code, step)
  return 'made'
}

const isDecided = (code: Code, { outer, inner }: Step): boolean =>
  inner !== outer &&
  (code.shape.blocks.includes(inner.kind) || /ternary|conditional_expression|case|arm/.test(outer.kind))

function decided(code: Code, { outer, inner }: Step): Reach {
  const head = code.masked.slice(outer.start, inner.start)
  return /^(?:if|elif)\s*\(?\s*(?:false|False|0|!1|!true)\s*\)?\s*:?\s*$/.test(head) ? 'unreached' : 'guarded'
}

/** A return or a throw at the same level, before it. */
function leftBefore(code: Code, block: TreeNode, place: Place): boolean {
  const { returns, throws } = code.shape
  if (block.kind === 'root') return false
  const body = block.children.find((child) => code.shape.blocks.includes(child.kind) && child.end >= place.end)
  const levels = body === undefined ? [block] : [block, body]
  return levels.some((level) =>
    level.children.some(
      (child) =>
        (returns.includes(child.kind) || throws.includes(child.kind)) &&
        child.end <= place.start &&
        !code.shape.conditions.includes(level.kind),
    ),
  )
}

const reports =
  /\b(?:throw|raise|assert\w*|expect|fail\w*|reject|panic\w*)\b|\bdone\s*\(\s*\w|\bt\.(?:Error|Fatal|Fail)\w*/

function isCaught(code: Code, { outer, inner }: Step): boolean {
  const { catches, blocks } = code.shape
  if (!blocks.includes(inner.kind)) return false
  return outer.children
    .filter((child) => catches.includes(child.kind))
    .some((clause) => {
      const text = code.masked.slice(clause.start, clause.end)
      const kind = /^except\b([^:]*):/.exec(text)?.[1]?.trim()
      const concerns = kind === undefined || kind === '' || /\b(?:AssertionError|Exception|BaseException)\b/.test(kind)
      return concerns && !reports.test(text.replace(/^except\b[^:]*:|^catch\s*\([^)]*\)/, ''))
    })
}

const suppresses = (code: Code, outer: TreeNode, inner: TreeNode): boolean =>
  inner.kind === 'block' &&
  /\bsuppress\s*\([^)]*\b(?:AssertionError|Exception|BaseException)\b/.test(code.masked.slice(outer.start, inner.start))

/** `.catch(…)` behind it, or `catch_unwind` around it. */
function isCaughtByCall(code: Code, { outer, place }: Step): boolean {
  const { callee, args } = calleeOf(code, outer)
  if (/\bcatch_unwind$/.test(callee)) return args !== null && place.start >= args.start
  if (!/\.\s*catch$/.test(callee) || args === null || place.end > args.start) return false
  return !reports.test(code.masked.slice(args.start, args.end))
}

/** Somebody waits for goroutines: by a group, or by a channel. */
const waits = /\.Wait\(\)|<-/

const late = /(?:^|\.)(?:setTimeout|setImmediate|setInterval|nextTick|queueMicrotask)$/

function inFunction(code: Code, { outer, alone }: Step): Reach {
  const call = outer.parent !== null && code.shape.args.includes(outer.parent.kind) ? outer.parent.parent : null
  if (call === null) return alone && !isRun(code, outer) ? 'unreached' : 'made'
  const { callee } = calleeOf(code, call)
  if (late.test(callee)) return /[fF]ake|mock\.timers|advanceTimers/.test(code.masked) ? 'made' : 'guarded'
  if (/\.\s*(?:forEach|map)$/.test(callee) && isFiltered(code, callee)) return 'guarded'
  return /\.\s*(?:then|finally)$/.test(callee) && isForgotten(code, call) ? 'guarded' : 'made'
}

/** A loop over what passed a filter may turn for nothing. */
function isFiltered(code: Code, callee: string): boolean {
  const receiver = callee.replace(/\.\s*\w+$/, '').trim()
  if (/\.\s*filter\s*\(/.test(receiver)) return true
  return (
    /^[\w$]+$/.test(receiver) &&
    new RegExp(`\\b${receiver.replace(/\$/g, '\\$')}\\s*=[^;\\n]*\\.\\s*filter\\s*\\(`).test(code.masked)
  )
}

/** A promise that nobody awaits, returns or keeps. */
function isForgotten(code: Code, node: TreeNode): boolean {
  const { functions, assigns, returns, args } = code.shape
  for (let at: TreeNode | null = node; at !== null; at = at.parent) {
    if (at.kind === 'expression_statement')
      return !/^(?:await|yield)\b|^[\w$.[\]]+\s*=[^=]/.test(code.masked.slice(at.start, at.start + 200))
    if (at.kind === 'await_expression' || [...assigns, ...returns].includes(at.kind)) return false
    if (at !== node && (functions.includes(at.kind) || args.includes(at.kind))) return false
  }
  return false
}

/** `expect(promise).rejects` and `assert.rejects(…)` say nothing until they are awaited. */
function isPending(code: Code, { start, end, node }: Place): boolean {
  if (!/^(?:javascript|typescript|tsx)$/.test(code.grammar)) return false
  const written = code.masked.slice(start, end)
  if (!/\.\s*(?:resolves|rejects)\b|^assert\.(?:rejects|doesNotReject)/.test(written)) return false
  return isForgotten(code, node)
}

function isShortCircuited(code: Code, { start }: Place): boolean {
  const line = code.masked.slice(Math.max(code.masked.lastIndexOf('\n', start) + 1, start - 200), start)
  return /(?:&&|\|\||[^?]\?)\s*(?:await\s+)?$/.test(line)
}

/** Returns and jumps on a condition that leave out assertions which come later. */
export function earlyReturns(code: Code, body: TreeNode, places: readonly Place[]): number {
  const { returns, jumps, conditions, functions, loops } = code.shape
  let count = 0
  for (const node of below(body)) {
    const isReturn = returns.includes(node.kind) && givesUp.test(code.masked.slice(node.start, node.end))
    if (!isReturn && !jumps.includes(node.kind)) continue
    const condition = nearest(node, body, conditions)
    const scope = nearest(node, body, isReturn ? functions : loops) ?? (isReturn ? body : null)
    if (condition === null || scope === null || condition.start < scope.start) continue
    const inside = (place: Place, outer: TreeNode): boolean => place.start >= outer.start && place.end <= outer.end
    const leftOut = places.some((place) => inside(place, scope) && place.start >= condition.end)
    if (leftOut && !places.some((place) => inside(place, condition))) count += 1
  }
  return count
}

const givesUp = /^return\s*(?:Promise\.resolve\(\)|undefined|null|None|void 0|true|done\(\)|Ok\(\(\)\))?\s*;?$/

function nearest(node: TreeNode, stop: TreeNode, kinds: readonly string[]): TreeNode | null {
  for (let at = node.parent; at !== null && at !== stop; at = at.parent) if (kinds.includes(at.kind)) return at
  return null
}
