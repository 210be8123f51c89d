import type { TreeNode } from '../../syntax/tree.ts'
import { literalsOf } from '../literals.ts'
import type { Code } from './code.ts'

interface Local {
  text: string
  masked: string
}

/** What the names of a test stand for; names that are given twice stand for nothing. */
export type Locals = ReadonlyMap<string, Local>

const given = /^(?:let\s+(?:mut\s+)?|var\s+)?([\w$]+)((?:\s*,\s*[\w$]+)*)(?:\s*:[^=]*?)?\s*:?=\s*/

const isFunction = /^(?:async\s*)?(?:(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>|function\b|func\b|lambda\b|\|)/
/** Longer texts are scripts and documents, of which a test may need another. */
const longest = 40

export function localsIn(code: Code, nodes: readonly TreeNode[]): Locals {
  const locals = new Map<string, Local>()
  const twice = new Set<string>()
  for (const node of nodes) {
    if (!code.shape.assigns.includes(node.kind)) continue
    const masked = code.masked.slice(node.start, node.end)
    const found = given.exec(masked)
    if (found === null || masked.length - found[0].length > 500 || isFunction.test(masked.slice(found[0].length)))
      continue
    const names = [found[1]!, ...found[2]!.split(',').map((name) => name.trim())].filter((name) => name !== '')
    names.forEach((name, at) => {
      if (locals.has(name)) twice.add(name)
      const mark = at === 0 ? '' : `#${at}`
      locals.set(name, {
        text: code.text.slice(node.start + found[0].length, node.end).replace(/;$/, '') + mark,
        masked: masked.slice(found[0].length).replace(/;$/, ''),
      })
    })
  }
  for (const name of [...twice, ...changedIn(code, nodes)]) locals.delete(name)
  return locals
}

/** Names that get another value later stand for nothing. */
function changedIn(code: Code, nodes: readonly TreeNode[]): string[] {
  const [first] = nodes
  const masked = first === undefined ? '' : code.masked.slice(first.start, first.end)
  return [
    ...masked.matchAll(
      /(?<![\w$.])([A-Za-z_$][\w$]*)\s*(?:\+\+|--|[-+*/%|&]=)|(?:^|[;{}])\s*([A-Za-z_$][\w$]*)\s*=(?![=>])/gm,
    ),
  ].flatMap((found) =>
    found[1] !== undefined || code.grammar === 'javascript' || code.grammar === 'typescript' || code.grammar === 'tsx'
      ? [(found[1] ?? found[2])!]
      : [],
  )
}

/** An expression with its names replaced, and the literals that came in by that. */
export function resolved(side: string, locals: Locals): { text: string; literals: string[] } {
  const literals: string[] = []
  let text = side
  for (let depth = 0; depth < 3 && text.length < 2_000; depth++) {
    const fuller = text.replace(/(?<![\w$."'`])[A-Za-z_$][\w$]*/g, (name) => {
      const local = locals.get(name)
      if (local === undefined) return name
      literals.push(...literalsOf(local.text, local.masked).filter((one) => one.length <= longest))
      return local.text
    })
    if (fuller === text) break
    text = fuller
  }
  return { text: text.replace(/\s+/g, '').replace(/^await|^\(await(.*)\)$/, '$1'), literals }
}
