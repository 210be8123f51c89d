import { foldersAround } from '../../delivery/plan/validate.ts'
import { fullyMatches } from '../../std/glob.ts'
import { objectOf, parseJson } from '../../std/json.ts'
import { folderOf, join } from '../files/change.ts'
import { goModules, packageFolders, pathDependencies } from './import-graph.ts'
import { isManifest, type Tree } from './tree.ts'

/** The folders that a check's `packages` name; among folders with and without a manifest only those with one. */
export function packageFoldersOf(patterns: readonly string[], files: readonly string[]): string[] {
  const folders = new Set(files.flatMap(foldersAround))
  const named = [...folders].filter((folder) => patterns.some((pattern) => fullyMatches(pattern, folder)))
  const manifests = new Set(files.filter(isManifest).map(folderOf))
  const real = named.filter((folder) => manifests.has(folder))
  return (real.length > 0 ? real : named).sort()
}

/** The innermost of the folders that holds the file. */
export function folderFor(path: string, folders: readonly string[]): string | null {
  const holding = folders.filter((folder) => folder === '' || path.startsWith(`${folder}/`))
  return holding.sort((a, b) => b.length - a.length)[0] ?? null
}

/** The touched packages and those that depend on them, directly or through others, as their manifests tell. */
export function withDependents(touched: readonly string[], folders: readonly string[], tree: Tree): string[] {
  const names = { javascript: packageFolders(tree), go: goModules(tree), python: pythonNames(folders, tree) }
  const needs = new Map(folders.map((folder) => [folder, dependenciesOf(folder, tree, names)]))
  const reached = new Set(touched)
  for (const one of reached) for (const [folder, needed] of needs) if (needed.includes(one)) reached.add(folder)
  return folders.filter((folder) => reached.has(folder))
}

interface Names {
  javascript: Map<string, string>
  go: Map<string, string>
  python: Map<string, string>
}

/** Folders in this repository that the package needs. */
function dependenciesOf(folder: string, tree: Tree, names: Names): string[] {
  const manifest = (name: string): string => tree.texts.get(join(folder, name)) ?? ''
  const inPackageJson = namesIn(manifest('package.json')).map((name) => names.javascript.get(name))
  const inGoMod = [...manifest('go.mod').matchAll(/^\s*(?:require\s+)?([^\s()]+)\s+v/gm)].map((one) =>
    names.go.get(one[1]!),
  )
  const replaced = [...manifest('go.mod').matchAll(/=>\s*(\.\S*)/g)].map((one) => join(folder, one[1]!))
  const python = manifest('pyproject.toml')
  const inPyproject = [...names.python].filter(([name]) => mentions(python, name)).map(([, other]) => other)
  const all = [...inPackageJson, ...inGoMod, ...replaced, ...pathDependencies(tree, folder), ...inPyproject]
  return all.filter((one): one is string => one !== undefined && one !== folder)
}

function namesIn(text: string): string[] {
  const manifest = objectOf(parseJson(text))
  const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  return kinds.flatMap((kind) => Object.keys(objectOf(manifest[kind])))
}

function pythonNames(folders: readonly string[], { texts }: Tree): Map<string, string> {
  const named = folders.map((folder) => {
    const name = /^name\s*=\s*["']([^"'\n]+)["']/m.exec(texts.get(join(folder, 'pyproject.toml')) ?? '')?.[1]
    return [name, folder] as const
  })
  return new Map(named.filter((one): one is readonly [string, string] => one[0] !== undefined))
}

/** As a dependency: a word in quotes that starts with the name, or a key. */
const mentions = (manifest: string, name: string): boolean => {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[-_]/g, '[-_]')
  const rest = manifest.replace(/^name\s*=.*$/m, '')
  return new RegExp(`["']${plain}(?=["'\\s\\[<>=~!;@])|^${plain}\\s*=`, 'mi').test(rest)
}
