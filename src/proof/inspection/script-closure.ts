// Everything that the checks and the setup execute, as far as it is named: changing it would change what is proven.
import { baseName, folderOf, join } from './change.ts'
import { type Executed, readCommand } from './command-line.ts'
import { isTestName, looksLikeTests } from './tests/test-file.ts'

export interface ScriptClosure {
  /** Files that are executed, or that tell how. */
  files: ReadonlySet<string>
  /** By the path of a package.json: the names of its scripts that are reached. */
  scripts: ReadonlyMap<string, ReadonlySet<string>>
  /** Script names that are reached in packages we cannot name. */
  scriptsAnywhere: ReadonlySet<string>
}

export interface ClosureInput {
  commands: readonly string[]
  /** A file's text on the base, null when it is not there or is not a file. */
  readFile(path: string): Promise<string | null>
}

const mostFiles = 300

export async function scriptClosure(input: ClosureInput): Promise<ScriptClosure> {
  const reached = { files: new Set<string>(), scripts: new Map<string, Set<string>>(), anywhere: new Set<string>() }
  const walk = new Walk(input, reached)
  for (const command of input.commands) await walk.configured(command)
  return { files: reached.files, scripts: reached.scripts, scriptsAnywhere: reached.anywhere }
}

interface Reached {
  files: Set<string>
  scripts: Map<string, Set<string>>
  anywhere: Set<string>
}

class Walk {
  private readonly input: ClosureInput
  private readonly reached: Reached
  private readonly seen = new Set<string>()

  constructor(input: ClosureInput, reached: Reached) {
    this.input = input
    this.reached = reached
  }

  /** What a check names itself and is not there yet: whoever brings it decides what is proven. */
  async configured(line: string): Promise<void> {
    for (const executed of readCommand(line, '')) {
      await this.follow(executed)
      const { path } = executed.kind === 'file' ? executed : { path: '' }
      const outside = path === '' || path.startsWith('..') || path.startsWith('/') || /[*?$]/.test(path)
      if (outside || isProduct(path) || isTestName(path) || (await this.read(path)) !== null) continue
      this.reached.files.add(path)
    }
  }

  async command(line: string, folder: string): Promise<void> {
    for (const executed of readCommand(line, folder)) await this.follow(executed)
  }

  /** Folders, and what lies outside of the repository, are no files of it: `run-tests .`, `node ../run.js`. */
  private async read(path: string): Promise<string | null> {
    return path === '' || /^\.\.(?:\/|$)/.test(path) ? null : await this.input.readFile(path)
  }

  private async follow(executed: Executed): Promise<void> {
    switch (executed.kind) {
      case 'script':
        return this.script(executed.folder, executed.name)
      case 'script-anywhere':
        this.reached.anywhere.add(executed.name)
        return this.script('', executed.name)
      case 'config':
        return this.config(executed.path)
      case 'file':
        return this.file(executed.path)
    }
  }

  private async script(folder: string, name: string): Promise<void> {
    const manifest = join(folder, 'package.json')
    const text = await this.read(manifest)
    const scripts = scriptsOf(text)
    const names = name.includes('*') ? Object.keys(scripts).filter((one) => matchesStar(name, one)) : [name]
    for (const one of names.flatMap((each) => [`pre${each}`, each, `post${each}`])) {
      if (this.reached.scripts.get(manifest)?.has(one)) continue
      this.reached.scripts.set(manifest, (this.reached.scripts.get(manifest) ?? new Set()).add(one))
      if (scripts[one] !== undefined) await this.command(scripts[one], folder)
    }
  }

  /** A configuration that a command names. Type settings are compared by what they say, not as files. */
  private async config(path: string): Promise<void> {
    if (/^tsconfig.*\.json$/.test(baseName(path))) return
    if ((await this.read(path)) !== null) this.reached.files.add(path)
  }

  private async file(path: string): Promise<void> {
    if (this.seen.has(path) || this.seen.size > mostFiles) return
    this.seen.add(path)
    const text = await this.read(path)
    if (text === null || isProduct(path) || isTestName(path) || looksLikeTests(path, text)) return
    this.reached.files.add(path)
    if (/\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:ba|z|da)?sh\b/.test(text)) await this.command(text, '')
    for (const name of importsOf(text)) await this.imported(path, name)
  }

  private async imported(from: string, name: string): Promise<void> {
    const folder = folderOf(from)
    const target = join(folder, name)
    const beside = folderOf(target) === folder || (folder !== '' && target.startsWith(`${folder}/`))
    if (!beside && !toolFolder.test(target)) return
    for (const ending of ['', '.js', '.mjs', '.cjs', '.ts', '.json', '/index.js']) await this.file(target + ending)
  }
}

const toolFolder = /^(?:scripts?|tools?|tooling|build|ci|\.ci|lint|rules|checks?|hack|dev|tasks?|bin)\//

/** A check may run the product itself; that is what the stories are there to change. */
function isProduct(path: string): boolean {
  if (/test|check|lint|verify|spec|build|run|ci\b/i.test(baseName(path))) return false
  return (
    /(?:^|\/)(?:src|lib|app|bin|dist|server|cli|cmd|pkg)\//.test(path) ||
    /^(?:index|main|app|server|cli|manage)\.\w+$/.test(path)
  )
}

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"](\.{1,2}\/[^'"\n]+)['"]/g)].map(
    (found) => found[1]!,
  )

export function scriptsOf(manifest: string | null): Record<string, string> {
  const scripts = (parseJson(manifest ?? '') as { scripts?: unknown } | null)?.scripts
  if (scripts === null || typeof scripts !== 'object') return {}
  return Object.fromEntries(Object.entries(scripts as object).filter(([, script]) => typeof script === 'string'))
}

/** Null when it is no JSON: for a manifest that an agent may have broken. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const matchesStar = (pattern: string, name: string): boolean => name.startsWith(pattern.slice(0, pattern.indexOf('*')))
