import { foldersAround } from '../../delivery/plan/validate.ts'
import { objectOf, parseJson } from '../../std/json.ts'
import { folderOf, join } from '../files/change.ts'
import type { Reads, Tree } from './tree.ts'

/** How a file comes to need a changed one: the file it needs itself, and the changed one at the end. */
export interface Reason {
  next: string
  changed: string
}

export type Users = Map<string, string[]>

/** All files that need one of these, directly or through others. */
export const whoNeeds = (tree: Tree, changed: readonly string[]): Map<string, Reason> => needing(usersOf(tree), changed)

/** The same, where it is asked many times about one tree. */
export function needing(users: Users, changed: readonly string[]): Map<string, Reason> {
  const reasons = new Map<string, Reason>()
  let edge = [...new Set(changed)].map((path) => ({ path, changed: path }))
  const seen = new Set(edge.map(({ path }) => path))
  while (edge.length > 0) {
    const further: typeof edge = []
    for (const { path, changed: first } of edge) {
      for (const user of users.get(path) ?? []) {
        if (seen.has(user)) continue
        seen.add(user)
        reasons.set(user, { next: path, changed: first })
        further.push({ path: user, changed: first })
      }
    }
    edge = further
  }
  return reasons
}

/** Who needs a file or a folder. A folder that somebody needs as a whole needs what is in it. */
export function usersOf(tree: Tree): Users {
  const users: Users = new Map()
  const reads = readsOf(tree)
  const add = (needed: string, user: string) => {
    const known = users.get(needed)
    if (known === undefined) users.set(needed, [user])
    else if (known.at(-1) !== user) known.push(user)
  }
  const folders = new Set<string>()
  for (const path of tree.texts.keys()) {
    for (const needed of reads(path)) {
      if (needed !== path) add(needed, path)
      if (needed.endsWith('/')) folders.add(needed)
    }
  }
  for (const path of tree.files) for (const folder of unitsOf(path)) if (folders.has(folder)) add(path, folder)
  return users
}

/** Of a Go package only the folder itself counts; of others everything below. */
function unitsOf(path: string): string[] {
  if (path.endsWith('_test.go')) return []
  return path.endsWith('.go') ? [`${folderOf(path)}/`] : [...foldersAround(path).map((folder) => `${folder}/`), '/']
}

function readsOf(tree: Tree): Reads {
  const [javascript, python, go, rust] = [javascriptReads, pythonReads, goReads, rustReads].map((make) => make(tree))
  return (path) => {
    if (path.endsWith('.py')) return python!(path)
    if (path.endsWith('.go')) return go!(path)
    if (path.endsWith('.rs')) return rust!(path)
    return path.endsWith('.json') || path.endsWith('.toml') ? [] : javascript!(path)
  }
}

// Also what only looks like an import: one test too many is run, none is missed.
const specifiers =
  /(?:\bfrom|\bimport|\b(?:require(?:\.resolve)?|import|URL)\s*\(|\.(?:mock|doMock|requireActual|importActual|importMock)\s*(?:<[^>\n]*>)?\()\s*['"`]([^'"`\n]+)['"`]/g

const endings = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.vue', '.svelte', '.json']

/** JavaScript and TypeScript: by relative path, by the name of a package in the same repository, by `@/` and `~/`. */
export function javascriptReads({ files, texts }: Tree): Reads {
  const packages = packageFolders({ files, texts })
  return (path) =>
    [...(texts.get(path) ?? '').matchAll(specifiers)].flatMap((found) =>
      resolve(path, found[1]!.replace(/[?#].*$/, '')),
    )

  function resolve(from: string, specifier: string): string[] {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return fileAt(join(folderOf(from), specifier))
    if (/^[@~#]\//.test(specifier)) return aliased(from, specifier.slice(2))
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    const folder = packages.get(name)
    return folder === undefined ? [] : inPackage(folder, specifier.slice(name.length + 1))
  }

  function aliased(from: string, rest: string): string[] {
    const inside = [...packages.values()].filter((folder) => folder !== '' && from.startsWith(`${folder}/`))
    return ['', ...inside].flatMap((folder) => [...fileAt(join(folder, `src/${rest}`)), ...fileAt(join(folder, rest))])
  }

  function inPackage(folder: string, rest: string): string[] {
    const found = ['', 'src', 'lib'].flatMap((part) => fileAt(join(join(folder, part), rest === '' ? 'index' : rest)))
    return found.length > 0 ? found : [`${folder}/`]
  }

  function fileAt(path: string): string[] {
    const bare = path.replace(/\.([cm]?)jsx?$/, '')
    const kind = /\.([cm]?)jsx?$/.exec(path)?.[1]
    const asTypeScript = kind === undefined ? [] : [`${bare}.${kind}ts`, `${bare}.tsx`]
    const names = [
      path,
      ...asTypeScript,
      ...endings.flatMap((ending) => [`${path}${ending}`, `${path}/index${ending}`]),
    ]
    const found = names.find((name) => files.has(name))
    return found === undefined ? [] : [found]
  }
}

/** Folders of the packages in this repository, by name. */
export function packageFolders({ texts }: Tree): Map<string, string> {
  const folders = new Map<string, string>()
  for (const [path, text] of texts) {
    if (path !== 'package.json' && !path.endsWith('/package.json')) continue
    const name = objectOf(parseJson(text)).name
    if (typeof name === 'string') folders.set(name, folderOf(path))
  }
  return folders
}

const statements =
  /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n#;]+)|import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*))/gm

/** Python: modules are looked for beside the file, in its folders upwards, and in `src` and `lib`. */
export function pythonReads({ files, texts }: Tree): Reads {
  return (path) => {
    const text = texts.get(path)
    if (text === undefined) return []
    return [...[...text.matchAll(statements)].flatMap((found) => resolve(path, found)), ...conftests(path)]
  }

  function resolve(from: string, [, module, names, plain]: RegExpMatchArray): string[] {
    if (plain !== undefined) return plain.split(',').flatMap((one) => absolute(from, one.trim().split(/\s/)[0]!))
    const imported = names!.replace(/[()]/g, '').split(',')
    const wanted = imported.map((one) => one.trim().split(/\s/)[0]!).filter((one) => /^\w+$/.test(one))
    const dots = /^\.*/.exec(module!)![0].length
    const rest = module!.slice(dots)
    const modules = [rest, ...wanted.map((one) => (rest === '' ? one : `${rest}.${one}`))].filter((one) => one !== '')
    if (dots === 0) return modules.flatMap((one) => absolute(from, one))
    const folder = join(folderOf(from), '../'.repeat(dots - 1))
    return [...modules.flatMap((one) => moduleIn(folder, one)), ...moduleIn(folder, '__init__')]
  }

  function absolute(from: string, module: string): string[] {
    for (const root of [...foldersUp(from), 'src', 'lib']) {
      const found = moduleIn(root, module)
      if (found.length > 0) return found
    }
    return []
  }

  /** Whoever imports `a.b` executes the package `a` too. */
  function moduleIn(folder: string, module: string): string[] {
    const parts = module.split('.')
    const path = join(folder, parts.join('/'))
    const found = [`${path}.py`, `${path}/__init__.py`].filter((name) => files.has(name))
    if (found.length === 0) return []
    const packages = parts
      .slice(0, -1)
      .map((_, index) => join(folder, `${parts.slice(0, index + 1).join('/')}/__init__.py`))
    return [...found, ...packages.filter((name) => files.has(name))]
  }

  function conftests(path: string): string[] {
    const found = foldersUp(path).map((folder) => join(folder, 'conftest.py'))
    return found.filter((name) => name !== path && files.has(name))
  }
}

/** The folder of a file, the one around it, and so on to the root. */
const foldersUp = (path: string): string[] => [...foldersAround(path).reverse(), '']

const blocks = /^import\s*(?:\(([^)]{0,10000})\)|(?:[\w.]+\s+)?"([^"\n]+)")/gm

/** Go: a package is a folder, and its files need each other. */
export function goReads({ texts }: Tree): Reads {
  const modules = goModules({ texts })
  return (path) => {
    const imported = [...(texts.get(path) ?? '').matchAll(blocks)].flatMap(([, many, one]) =>
      one !== undefined ? [one] : [...many!.matchAll(/"([^"\n]+)"/g)].map((found) => found[1]!),
    )
    return [`${folderOf(path)}/`, ...imported.flatMap((name) => folderOfPackage(name, modules))]
  }
}

/** Folders of the modules in this repository, by their path. */
export function goModules({ texts }: Pick<Tree, 'texts'>): Map<string, string> {
  const manifests = [...texts].filter(([path]) => path === 'go.mod' || path.endsWith('/go.mod'))
  return new Map(
    manifests.flatMap(([path, text]) => {
      const name = /^module\s+(\S+)/m.exec(text)?.[1]
      return name === undefined ? [] : [[name, folderOf(path)] as const]
    }),
  )
}

function folderOfPackage(name: string, modules: Map<string, string>): string[] {
  for (const [module, folder] of modules)
    if (name === module || name.startsWith(`${module}/`)) return [`${join(folder, name.slice(module.length))}/`]
  return []
}

/** Rust: a crate is one unit; its tests need all of it, and the crates it names by path. */
export function rustReads(tree: Tree): Reads {
  const crates = crateFolders(tree)
  const needs = new Map(crates.map((folder) => [folder, pathDependencies(tree, folder)]))
  return (path) => {
    const crate = crates.find((folder) => folder === '' || path.startsWith(`${folder}/`))
    if (crate === undefined) return []
    return [`${join(crate, 'src')}/`, ...needs.get(crate)!.map((folder) => `${join(folder, 'src')}/`)]
  }
}

/** The innermost first. */
const crateFolders = ({ texts }: Tree): string[] =>
  [...texts]
    .filter(([path, text]) => /(?:^|\/)Cargo\.toml$/.test(path) && /^\[package\]/m.test(text))
    .map(([path]) => folderOf(path))
    .sort((a, b) => b.length - a.length)

export const pathDependencies = ({ texts }: Pick<Tree, 'texts'>, folder: string): string[] =>
  [...(texts.get(join(folder, 'Cargo.toml')) ?? '').matchAll(/^[^#\n]*\bpath\s*=\s*"([^"\n]+)"/gm)]
    .map((found) => join(folder, found[1]!))
    .filter((one) => !one.endsWith('.rs') && one !== folder)
