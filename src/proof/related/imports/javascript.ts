import { folderOf, join } from '../../files/change.ts'
import { parseJson } from '../../files/script-closure.ts'
import type { Reads, Tree } from '../tree.ts'

// Also what only looks like an import: one test too many is run, none is missed.
const specifiers =
  /(?:\bfrom|\bimport|\b(?:require(?:\.resolve)?|import|URL)\s*\(|\.(?:mock|doMock|requireActual|importActual|importMock)\s*(?:<[^>\n]*>)?\()\s*['"`]([^'"`\n]+)['"`]/g

const endings = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.vue', '.svelte', '.json']

/** JavaScript and TypeScript: by relative path, by the name of a package in the same repository, by `@/` and `~/`. */
export function javascriptReads({ files, texts }: Tree): Reads {
  const packages = packageFolders({ files, texts })
  return (path) => {
    const text = texts.get(path)
    if (text === undefined) return []
    return [...text.matchAll(specifiers)].flatMap((found) => resolve(path, found[1]!.replace(/[?#].*$/, '')))
  }

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
    const name = (parseJson(text) as { name?: unknown } | null)?.name
    if (typeof name === 'string') folders.set(name, folderOf(path))
  }
  return folders
}
