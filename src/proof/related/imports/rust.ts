import { folderOf, join } from '../../files/change.ts'
import type { Reads, Tree } from '../tree.ts'

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
