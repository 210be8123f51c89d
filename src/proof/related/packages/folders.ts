import { fullyMatches } from '../../../std/glob.ts'
import { folderOf } from '../../files/change.ts'
import { isManifest } from '../tree.ts'

/** The folders that a check's `packages` name; among folders with and without a manifest only those with one. */
export function packageFoldersOf(patterns: readonly string[], files: readonly string[]): string[] {
  const folders = new Set(files.flatMap(foldersAround))
  const named = [...folders].filter((folder) => patterns.some((pattern) => fullyMatches(pattern, folder)))
  const manifests = new Set(files.filter(isManifest).map(folderOf))
  const real = named.filter((folder) => manifests.has(folder))
  return (real.length > 0 ? real : named).sort()
}

function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** The innermost of the folders that holds the file. */
export function folderFor(path: string, folders: readonly string[]): string | null {
  const holding = folders.filter((folder) => folder === '' || path.startsWith(`${folder}/`))
  return holding.sort((a, b) => b.length - a.length)[0] ?? null
}
