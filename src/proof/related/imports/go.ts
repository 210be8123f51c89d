import { folderOf, join } from '../../files/change.ts'
import type { Reads, Tree } from '../tree.ts'

const blocks = /^import\s*(?:\(([^)]{0,10000})\)|(?:[\w.]+\s+)?"([^"\n]+)")/gm

/** Go: a package is a folder, and its files need each other. */
export function goReads({ texts }: Tree): Reads {
  const modules = goModules({ texts })
  return (path) => {
    const text = texts.get(path)
    if (text === undefined) return []
    const imported = [...text.matchAll(blocks)].flatMap(([, many, one]) =>
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
