import type { TreeNode } from '../../syntax/tree.ts'
import type { Code } from './code.ts'

const nothing = String.raw`(?:\[\s*\]|\(\s*\)|range\(\s*0\s*\)|Array\.from\(\s*\{\s*length:\s*0\s*\}\s*\)|(?:new\s+)?Array\(\s*0?\s*\))`
const empty = new RegExp(
  `\\b(?:of|in)\\s+${nothing}|\\[\\s*0?\\s*:\\s*0\\s*\\]|\\.slice\\(\\s*0\\s*,\\s*0\\s*\\)|\\bwhile\\s*\\(?\\s*(?:false|False|0)\\b`,
)

/** A loop over nothing, as far as it is written in it or in the name that it runs over. */
export function neverTurns(code: Code, loop: TreeNode): boolean {
  const block = loop.children.find(({ kind }) => code.shape.blocks.includes(kind))
  const head = code.masked.slice(loop.start, block?.start ?? loop.end)
  if (empty.test(head)) return true
  const name = /\b(?:of|in|range)\s+&?([\w$]+)\s*[):{]?\s*$/.exec(head)?.[1]
  if (name === undefined) return false
  return (
    new RegExp(`(?<![\\w$.])${name.replace(/\$/g, '\\$')}\\s*:?=\\s*${nothing}\\s*(?:;|\\n|$)`).test(code.masked) &&
    !isFilled(code, name)
  )
}

/** What starts empty may be filled before the loop. */
const isFilled = (code: Code, name: string): boolean =>
  new RegExp(
    `(?<![\\w$.])${name.replace(/\$/g, '\\$')}\\s*(?:\\.\\s*(?:push|append|extend|add|insert|unshift|concat|splice)|\\[[^\\]\\n]*\\]\\s*=|\\+=)`,
  ).test(code.masked)
