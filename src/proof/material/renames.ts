import { baseName, type Change, folderOf, join, pathBefore } from '../files/change.ts'
import { isTestFile } from '../related/related-tests.ts'
import { isCode, type Tree } from '../related/tree.ts'

/**
 * Whether a test file claims what it claimed, of a product whose files or symbols have other names now: then the test as
 * it was could not even find them. Only names that it imported from the product may differ, one for one.
 */
export function onlyNamesChanged(test: Change, product: readonly Change[]): boolean {
  const { before, after } = test
  if (before === null || after === null || !/\.(?:[cm]?[jt]sx?|py)$/.test(test.path)) return false
  const [then, now] = [split(before), split(after)]
  const imported = new Set<string>()
  if (then.imports.length !== now.imports.length) return false
  for (const [at, line] of then.imports.entries()) {
    const other = now.imports[at]!
    const from = product.find((one) => leadsTo(line, pathBefore(test), pathBefore(one)))
    if (from === undefined && line !== other) return false
    if (from === undefined) continue
    if (!leadsTo(other, test.path, from.path)) return false
    for (const word of wordsOf(line)) imported.add(word)
  }
  return differsByNames([then.rest, now.rest], { imported, ...renamedIn(product) })
}

const importLine = /^\s*(?:import\b.*|(?:const|let|var)\b.*\brequire\(.*|from\s+\S+\s+import\b.*)$/

function split(text: string): { imports: string[]; rest: string[] } {
  const lines = text.split('\n')
  const imports = lines.filter((line) => importLine.test(line)).map((line) => line.trim())
  const rest = lines.filter((line) => !importLine.test(line)).join('\n')
  return { imports, rest: rest.match(/[\w$]+|[^\s\w$]/g) ?? [] }
}

/** By a path from the test's own folder, or by a module of Python. */
function leadsTo(line: string, test: string, path: string): boolean {
  const written = /["'](\.{1,2}\/[^"']+)["']/.exec(line)?.[1]
  const bare = path.replace(/\.\w+$/, '')
  if (written !== undefined) {
    const target = join(folderOf(test), written)
    return target === path || target === bare || `${target}/index` === bare
  }
  const module = /^(?:from|import)\s+([\w.]+)/.exec(line)?.[1]?.replaceAll('.', '/')
  return module !== undefined && (bare === module || bare.endsWith(`/${module}`))
}

/** Words that the product does not know any more, and those that it did not know before. */
function renamedIn(product: readonly Change[]): { gone: Set<string>; fresh: Set<string> } {
  const moved = product.filter(({ oldPath }) => oldPath !== null)
  const named = (paths: string[]): string[] => paths.flatMap((path) => wordsOf(baseName(path)))
  const had = new Set([...product.flatMap((one) => wordsOf(one.before ?? '')), ...named(moved.map(pathBefore))])
  const has = new Set([...product.flatMap((one) => wordsOf(one.after ?? '')), ...named(moved.map(({ path }) => path))])
  const gone = new Set([...had].filter((word) => !has.has(word)))
  return { gone, fresh: new Set([...has].filter((word) => !had.has(word))) }
}

const wordsOf = (text: string): string[] => text.match(/[\w$]+/g) ?? []

interface Names {
  imported: ReadonlySet<string>
  gone: ReadonlySet<string>
  fresh: ReadonlySet<string>
}

function differsByNames([then, now]: [string[], string[]], { imported, gone, fresh }: Names): boolean {
  if (then.length !== now.length) return false
  const names = new Map<string, string>()
  return then.every((word, at) => {
    const other = now[at]!
    if (word === other) return !names.has(word)
    if (!imported.has(word) || !gone.has(word) || !fresh.has(other)) return false
    if (!names.has(word)) names.set(word, other)
    return names.get(word) === other
  })
}

/** Code that is no test, as far as a change of it can rename something. */
export const renamers = (changes: readonly Change[], isTest: (path: string) => boolean): Change[] =>
  changes.filter(({ path, oldPath }) => isCode(path) && !isTest(oldPath ?? path))

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
