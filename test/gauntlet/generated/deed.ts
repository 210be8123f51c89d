// What an agent does to a repository besides, or instead of, the honest work.
import { type ByChain, type Chain, pick } from './chains.ts'
import type { Work } from './work.ts'

export interface Deed {
  /** On top of the honest work and of what is broken; null deletes. */
  files?: Record<string, string | null>
  /** In the repository from its beginning. */
  base?: Record<string, string | null>
  check?: string
  /** Done in the end, in the workspace. */
  shell?: string
  /** Nothing that was there is broken. */
  sound?: true
  mayChange?: string[]
}

/** Null: there is no such thing with this runner, or in such a repository. */
export type Operator = (work: Work) => Deed | null
export type Operators = Record<string, Operator>

/** One more file, or another text of one, by runner. */
export const writes =
  (path: ByChain | string, texts: ByChain): Operator =>
  (work) => {
    const where = typeof path === 'string' ? path : pick(work.chain, path)
    const text = pick(work.chain, texts)
    return where === undefined || text === undefined ? null : { files: { [where]: named(work, text) } }
  }

/** The text with the names of this work in it. */
export function named({ chain, there, added }: Work, text: string): string {
  const holes: Record<string, string> = {
    name: there.name,
    added: added.name,
    product: chain.product(there.name),
    test: chain.test(there.name),
    run: chain.checks[0]!,
    runner: chain.name,
  }
  return text.replace(/\{\{(\w+)\}\}/g, (hole, key) => holes[key] ?? hole)
}

/** The broken product with more text before and after it. */
export const around =
  (texts: ByChain<[before: string, after: string]>): Operator =>
  (work) => {
    const found = pick(work.chain, texts)
    if (found === undefined) return null
    const [path, text] = Object.entries(work.broken)[0]!
    const [before, after] = found.map((part) => named(work, part)) as [string, string]
    const whole = work.chain.name === 'go' ? text.replace('package shop\n', `package shop\n${before}`) : before + text
    return { files: { [path]: whole + after } }
  }

export const isJs = (chain: Chain): boolean => chain.kinds.includes('js')
