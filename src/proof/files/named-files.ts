// Files that a Makefile or a script names without being them: parts that it includes, lists that it reads, programs of
// the repository that it starts.
import { isCode } from '../related/tree.ts'
import { isTestName } from './test-file.ts'

export const isMakefile = /^(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|\.justfile)$/

/** A Makefile with its plain variables in their places, and without the signs before its commands. */
export function spelledOut(text: string): string {
  const values = new Map(
    [...text.matchAll(/^(?:export\s+)?(\w+)\s*[:?+]?=\s*([^\n#]*)$/gm)].map(([, name, value]) => [
      name!,
      value!.trim(),
    ]),
  )
  return text
    .replace(/\$[({](\w+)[)}]/g, (whole, name: string) => values.get(name) ?? whole)
    .replace(/^\t[@+-]*[ \t]*/gm, '')
}

/** What it reads, also where that is not there yet: whoever brings it decides what is run. */
export const readIn = (text: string): string[] =>
  [...text.matchAll(reading)].flatMap(([, names]) => names!.trim().split(/\s+/)).filter(isOfTools)

const reading =
  /(?:^[ \t]*[-s]?include[ \t]+|(?:\$\$?\(|`)[ \t]*cat[ \t]+|(?:^|[\s;&(])(?:\.|source)[ \t]+|[\s(]<[ \t]*)((?:[\w./-]+[ \t]*)+)/gm

/** Code counts only among the tools: all else may be what is tested. */
export const isOfTools = (path: string): boolean =>
  path !== '' &&
  !/^\.\.|^\/|^-|[$*?%{}()"'`]/.test(path) &&
  !isTestName(path) &&
  (!isCode(path) || tools.test(path)) &&
  !/(?:^|\/)(?:src|lib|app|bin|dist|server|cli|cmd|pkg)\//.test(path)

const tools = /^(?:\.\/)?(?:scripts?|tools?|tooling|ci|\.ci|checks?|hack|dev|tasks?|build)\//
