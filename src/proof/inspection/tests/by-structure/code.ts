import { type CodeReader, type Grammar, grammarOf } from '../../syntax/code-reader.ts'
import { below, type TreeNode, treeOf } from '../../syntax/tree.ts'
import { kindsOf, type Shape, shapes } from './shapes.ts'

/** A text with its tree, and with comments and the insides of strings blanked. */
export interface Code {
  grammar: Grammar
  shape: Shape
  text: string
  masked: string
  root: TreeNode
}

/** Null where no grammar is there, or the text does not fit it. */
export function readCode(reader: CodeReader, path: string, text: string): Code | null {
  const grammar = grammarOf(path)
  if (grammar === null) return null
  const shape = shapes[grammar]
  const spans = reader.nodes(grammar, text, kindsOf(shape))
  if (spans === null || spans.some(({ kind }) => kind === 'ERROR')) return null
  const root = treeOf(spans, text.length)
  return { grammar, shape, text, masked: maskByStructure(text, root, shape), root }
}

/** The name that is called: what stands before the last arguments, in blanked text. */
export function calleeOf(code: Code, call: TreeNode): { callee: string; args: TreeNode | null } {
  const args = call.children.findLast(({ kind }) => code.shape.args.includes(kind)) ?? null
  return { callee: code.masked.slice(call.start, args?.start ?? call.end).trim(), args }
}

function maskByStructure(text: string, root: TreeNode, shape: Shape): string {
  const pieces: string[] = []
  let at = 0
  for (const node of below(root)) {
    const comment = shape.comments.includes(node.kind)
    if ((!comment && !shape.strings.includes(node.kind)) || node.start < at) continue
    pieces.push(text.slice(at, node.start))
    const own = text.slice(node.start, node.end)
    pieces.push(comment ? blank(own) : blankString(own))
    at = node.end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Quotes stay, so that a string can still be found; a regular expression is a string here. */
function blankString(text: string): string {
  const open = text.search(/["'`/]/)
  const close = Math.max(text.lastIndexOf(text[open] ?? ''), open)
  if (open === -1 || close === open) return blank(text)
  const quote = text[open] === '/' ? '`' : text[open]!
  return `${text.slice(0, open)}${quote}${blank(text.slice(open + 1, close))}${quote}${text.slice(close + 1)}`
}
