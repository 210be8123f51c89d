// In Go a test fails by an if: what must hold is the opposite of its condition.
import type { TreeNode } from '../../syntax/tree.ts'
import { withoutBrackets } from '../brackets.ts'
import { comparedIn, type Written } from '../by-lines/assertions.ts'
import { literalsOf } from '../literals.ts'
import type { Assertion } from '../test-case.ts'
import type { Code } from './code.ts'

/** The claim behind `if got != want { t.Errorf(…) }`, and the place of the whole. */
export function goClaim(code: Code, written: Written, node: TreeNode): { written: Written; node: TreeNode } {
  if (!/^[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(written.name)) return { written, node }
  const around = enclosingIf(node)
  if (around === null) return { written: { ...written, weight: 1, sides: [] }, node }
  const block = around.children.find(({ kind, end }) => kind === 'block' && end >= written.end)!
  const [from, to] = [around.start + 2, block.start]
  const masked = code.masked.slice(from, to)
  const semicolon = masked.lastIndexOf(';') + 1
  const condition = code.text.slice(from + semicolon, to).trim()
  return {
    written: {
      ...written,
      start: around.start,
      end: around.end,
      text: condition.replace(/\s+/g, ''),
      weight: weighDenied(condition),
      literals: literalsOf(code.text.slice(from, to), masked),
      sides: semicolon === 0 ? ofCallBefore(code, around.start, condition) : comparedIn(condition.replace(/^!/, '')),
    },
    node: around.parent ?? around,
  }
}

/** `err != nil` is about the call on the line before. */
function ofCallBefore(code: Code, start: number, condition: string): string[] {
  const sides = comparedIn(condition.replace(/^!/, ''))
  if (!/^err\w*\s*!=\s*nil$/.test(condition)) return sides
  const before = code.text.slice(Math.max(0, start - 400), start)
  const call = new RegExp(`\\b${sides[0]}\\s*:?=\\s*([^\\n]+)\\n\\s*$`).exec(before)?.[1]
  return call === undefined ? sides : [`${call}#error`, 'nil']
}

/** The if that fails the test directly; what is in a function or a loop within it is another matter. */
function enclosingIf(node: TreeNode): TreeNode | null {
  for (let at: TreeNode | null = node; at !== null; at = at.parent) {
    if (at.kind === 'if_statement') return at
    if (/^(?:func_literal|function_declaration|method_declaration|for_statement|expression_case)$/.test(at.kind))
      return null
  }
  return null
}

function weighDenied(condition: string): Assertion['weight'] {
  const bare = withoutBrackets(condition)
  if (/^false\b|\bfalse$/.test(condition)) return 0
  if (bare.includes('||'))
    return Math.max(...condition.split('||').map((part) => weighDenied(part.trim()))) as Assertion['weight']
  if (bare.includes('&&'))
    return Math.min(2, ...condition.split('&&').map((part) => weighDenied(part.trim()))) as Assertion['weight']
  const [left, right] = comparedIn(condition)
  if (/[<>]/.test(bare)) return 2
  if (bare.includes('!=')) return left === right ? 0 : 3
  if (bare.includes('==')) return 1
  if (/^!\s*(?:\w+\.)*(?:DeepEqual|Equal)\(/.test(condition)) return 3
  return /^!\s*[\w.]+\(/.test(condition) ? 2 : 1
}
