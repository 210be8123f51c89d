import { parseJson } from '../../std/json.ts'

export interface OwnFile {
  path: string
  /** What a product adds or renews there, at the top of the JSON; all else in it is somebody's. */
  keys: string[]
}

/**
 * What products rewrite in a repository whenever they start. Of all products for every agent: a command of the user's,
 * or an agent in between, may start any of them.
 */
export const ownFiles: OwnFile[] = [
  { path: '.qwen/settings.json', keys: ['$version'] },
  ...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'].map((path) => ({
    path,
    keys: ['$schema'],
  })),
]

export interface Rewritten {
  /** What it is in the commit; null: it is not there. */
  before: string | null
  after: string
  keys: string[]
}

/** Whether a product's own file differs by what the product does to it unasked, and by nothing that somebody wrote. */
export function isToolsOwn({ before, after, keys }: Rewritten): boolean {
  const was = without(before ?? '{}', keys)
  const is = without(after, keys)
  if (was !== null && is !== null) return was === is
  return before !== null && linesOf(before, keys) === linesOf(after, keys)
}

/** Null: it is no JSON, perhaps for its comments. */
function without(text: string, keys: string[]): string | null {
  const value = parseJson(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  return JSON.stringify(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

function linesOf(text: string, keys: string[]): string {
  const isOwn = (line: string): boolean =>
    keys.some((key) => new RegExp(`^"\\${key}":\\s*("[^"]*"|\\d+),?$`).test(line))
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !isOwn(line)).join('\n')
}
