// Everything that the checks and the set-up execute, as far as words tell: changing it would change what is proven.

import { objectOf, parseJson } from '../../std/json.ts'
import { isCode } from '../related/tree.ts'
import { baseName, folderOf, join } from './change.ts'
import { isTestName, looksLikeTests } from './test-file.ts'

export interface ScriptClosure {
  /** Files that are executed, or that tell how. */
  files: ReadonlySet<string>
  /** By the path of a package.json: the names of its scripts that may be reached. */
  scripts: ReadonlyMap<string, ReadonlySet<string>>
  /** Script names that are reached in packages we cannot name. */
  scriptsAnywhere: ReadonlySet<string>
}

export interface ClosureInput {
  commands: readonly string[]
  /** A file's text on the base, null when it is not there or is not a file. */
  readFile(path: string): Promise<string | null>
}

export async function scriptClosure(input: ClosureInput): Promise<ScriptClosure> {
  const walk = new Walk(input)
  for (const command of input.commands) await walk.line(command, { folder: '', typed: true })
  return walk
}

const mostFiles = 300

class Walk implements ScriptClosure {
  readonly files = new Set<string>()
  readonly scripts = new Map<string, Set<string>>()
  readonly scriptsAnywhere = new Set<string>()
  private readonly input: ClosureInput
  private readonly seen = new Set<string>()

  constructor(input: ClosureInput) {
    this.input = input
  }

  /** What a check names itself counts before it is there: whoever brings it decides what is proven. */
  async line(text: string, { folder, typed }: { folder: string; typed: boolean }): Promise<void> {
    let here = folder
    for (const words of partsOf(text)) {
      if (words[0] === 'cd' && words[1] !== undefined) here = join(here, words[1])
      for (const name of executedIn(words)) await this.file(join(here, name), typed)
      for (const name of configuredIn(words)) await this.config(join(here, name))
      await this.packages(words, here)
    }
  }

  /** Folders, and what lies outside of the repository, are no files of it: `run-tests .`, `node ../run.js`. */
  private async read(path: string): Promise<string | null> {
    return path === '' || /^\.\.(?:\/|$)/.test(path) ? null : await this.input.readFile(path)
  }

  private async file(path: string, typed: boolean): Promise<void> {
    if (this.seen.has(path) || this.seen.size > mostFiles || isProduct(path) || isTestName(path)) return
    this.seen.add(path)
    const text = await this.read(path)
    if (text === null && typed && path !== '' && !/^\.\.|^\/|[*?$]/.test(path)) this.files.add(path)
    if (text === null || looksLikeTests(path, text)) return
    this.files.add(path)
    if (/\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:ba|z|da)?sh\b/.test(text)) {
      await this.line(text, { folder: '', typed: false })
      for (const name of readIn(text)) this.files.add(join('', name))
    }
    for (const name of importsOf(text)) await this.imported(path, name)
  }

  private async imported(from: string, name: string): Promise<void> {
    const folder = folderOf(from)
    const target = join(folder, name)
    const beside = folderOf(target) === folder || (folder !== '' && target.startsWith(`${folder}/`))
    if (!beside && !toolFolder.test(target)) return
    for (const ending of ['', '.js', '.mjs', '.cjs', '.ts', '.json', '/index.js'])
      await this.file(target + ending, false)
  }

  /** Type settings are free. */
  private async config(path: string): Promise<void> {
    if (/^tsconfig.*\.json$/.test(baseName(path))) return
    const text = await this.read(path)
    if (text !== null) this.files.add(path)
    if (text !== null && isMakefile.test(baseName(path))) await this.recipes(spelledOut(text), folderOf(path))
  }

  /** Of all of them, for which of them a target needs is known to make alone. */
  private async recipes(text: string, folder: string): Promise<void> {
    for (const name of readIn(text)) this.files.add(join(folder, name))
    for (const name of partsOf(text).flatMap(executedIn)) if (isOfTools(name)) await this.file(join(folder, name), true)
  }

  private async packages(words: string[], folder: string): Promise<void> {
    const [elsewhere] = after(words, /^(?:--prefix|-C|--cwd|--dir)$/)
    const names = scriptNames(words.filter((word) => word !== elsewhere))
    const many = words.some((word) => inMany.test(word))
    for (const name of names) {
      if (many) this.scriptsAnywhere.add(name)
      await this.script(many ? '' : join(folder, elsewhere ?? ''), name)
    }
  }

  private async script(folder: string, name: string): Promise<void> {
    const manifest = join(folder, 'package.json')
    const texts = scriptsOf(await this.read(manifest))
    const reached = this.scripts.get(manifest) ?? new Set()
    this.scripts.set(manifest, reached)
    const [start] = name.split('*')
    const names = name.includes('*') ? Object.keys(texts).filter((one) => one.startsWith(start!)) : [name]
    for (const one of names.flatMap((each) => [`pre${each}`, each, `post${each}`])) {
      if (reached.has(one)) continue
      reached.add(one)
      if (texts[one] !== undefined) await this.line(texts[one], { folder, typed: false })
    }
  }
}

/** The commands of a line, in words; what is given to a flag stands behind it. */
const partsOf = (line: string): string[][] =>
  line.split(/&&|\|\||[;|&\n()]/).map((part) => {
    const words = part.replace(/["'`]/g, ' ').replace(/^(?:\s*(?:\w+=\S*|exec|env|time|nice|cross-env|!)(?=\s))+/, ' ')
    return words.split(/[\s=]+/).filter((word) => word !== '')
  })

const interpreters =
  /^(?:(?:.*\/)?(?:node|nodejs|deno|bun|tsx|ts-node|sh|bash|zsh|dash|python|python3|ruby|perl|php|pwsh)|\.|source)$/

/** The command itself where it is a path, and the first file after an interpreter. */
const executedIn = (words: string[]): string[] =>
  words.flatMap((word, at) => {
    if (at === 0 && word.includes('/')) return [word]
    if (!interpreters.test(word)) return []
    return words.slice(at + 1).find((one) => !one.startsWith('-') && /[./]/.test(one)) ?? []
  })

const configFlag =
  /^(?:-c|-r|-p|--config|--configuration|--rcfile|--settings|--import|--require|--loader|--experimental-loader|--project|--setup-file|--setupFiles|--test-reporter|--reporter|--ignore-path|--env-file|--file|--makefile|--justfile)$/

const tools: [RegExp, string[]][] = [
  [/^g?make$/, ['Makefile', 'makefile', 'GNUmakefile']],
  [/^just$/, ['justfile', 'Justfile', '.justfile']],
  [/^task$/, ['Taskfile.yml', 'Taskfile.yaml']],
  [/^rake$/, ['Rakefile']],
  [/^(?:turbo|nx|lerna)$/, ['turbo.json', 'nx.json', 'lerna.json']],
  [/^(?:tox|nox)$/, ['tox.ini', 'noxfile.py']],
]

/** What a tool reads by itself, and what it is told to. */
function configuredIn(words: string[]): string[] {
  const own = tools.flatMap(([tool, names]) => (words.some((word) => tool.test(word)) ? names : []))
  if (own.length === 0) return after(words, configFlag)
  const folders = ['', ...after(words, /^(?:-C|--directory)$/)]
  const named = [...own, ...after(words, /^-f$/), ...after(words, configFlag)]
  return folders.flatMap((folder) => named.map((name) => join(folder, name)))
}

const after = (words: string[], flag: RegExp): string[] =>
  words.flatMap((word, at) => (flag.test(word) ? (words[at + 1] ?? []) : []))

const inMany = /^(?:turbo|nx|lerna|foreach|-ws?|-r|-F|--workspaces?|--filter|--recursive)$/

const managers = /^(?:npm|pnpm|yarn|bun|npm-run-all2?|run-[sp]|turbo|nx|lerna)$/

/** Whatever stands behind a package manager may be a script; a word that is none names nothing. */
function scriptNames(words: string[]): string[] {
  const at = words.findIndex((word) => managers.test(word))
  const end = words.indexOf('--')
  const behind = at === -1 ? [] : words.slice(at + 1, end > at ? end : undefined)
  const plain = behind.filter((word) => /^\w[\w:.*-]*$/.test(word) && !/^run(?:-script)?$/.test(word))
  const named = words.flatMap((word) => /^(?:npm|yarn|pnpm|bun):(.+)/.exec(word)?.[1] ?? [])
  const names = [...named, ...plain.map((word) => (testing.test(word) ? 'test' : word))]
  const setsUp = plain.some((word) => installs.test(word)) || (words[at] === 'yarn' && plain.length === 0)
  return setsUp ? [...names, 'preinstall', 'install', 'postinstall', 'prepublish', 'prepare'] : names
}

const installs = /^(?:ci|i|install|clean-install|install-test|it|cit)$/
const testing = /^(?:t|tst|install-test|it|cit)$/

const toolFolder = /^(?:scripts?|tools?|tooling|build|ci|\.ci|lint|rules|checks?|hack|dev|tasks?|bin)\//

/** A check may run the product itself; that is what the stories are there to change. */
const isProduct = (path: string): boolean =>
  !/test|check|lint|verify|spec|build|run|ci\b/i.test(baseName(path)) &&
  /(?:^|\/)(?:src|lib|app|bin|dist|server|cli|cmd|pkg)\/|^(?:index|main|app|server|cli|manage)\.\w+$/.test(path)

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"](\.{1,2}\/[^'"\n]+)['"]/g)].map(
    (found) => found[1]!,
  )

export function scriptsOf(manifest: string | null): Record<string, string> {
  const scripts = Object.entries(objectOf(objectOf(parseJson(manifest ?? '')).scripts))
  return Object.fromEntries(scripts.filter((one): one is [string, string] => typeof one[1] === 'string'))
}

// Files that a Makefile or a script names without being them: parts that it includes, lists that it reads, programs of
// the repository that it starts.
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

/** Code counts only among the toolFiles: all else may be what is tested. */
export const isOfTools = (path: string): boolean =>
  path !== '' &&
  !/^\.\.|^\/|^-|[$*?%{}()"'`]/.test(path) &&
  !isTestName(path) &&
  (!isCode(path) || toolFiles.test(path)) &&
  !/(?:^|\/)(?:src|lib|app|bin|dist|server|cli|cmd|pkg)\//.test(path)

const toolFiles = /^(?:\.\/)?(?:scripts?|toolFiles?|tooling|ci|\.ci|checks?|hack|dev|tasks?|build)\//
