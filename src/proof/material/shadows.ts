import { isTestFile } from '../related/related-tests.ts'
import type { Tree } from '../related/tree.ts'

/** The name under which Python finds a file before it looks among what is installed, or null. */
const topName = (path: string): string | null =>
  /^(?:(?:src|lib|tests?)\/)?(\w+)(?:\.py|\/__init__\.py)$/.exec(path)?.[1] ?? null

export const mayShadow = (path: string): boolean => topName(path) !== null

/** New files with the name of a library that the tests of the base import: they would load the file instead. */
export function shadowsIn(added: readonly string[], base: Tree): string[] {
  const tests = [...base.texts].filter(([path, text]) => path.endsWith('.py') && isTestFile(path, text))
  return added.filter((path) => {
    const name = topName(path)
    if (name === null || [...base.files].some((file) => file.split(/[/.]/).includes(name))) return false
    return tests.some(([, text]) => new RegExp(`^\\s*(?:import|from)\\s+(?:\\w+\\s*,\\s*)*${name}\\b`, 'm').test(text))
  })
}
