import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { scan } from './scan.ts'

export interface Module {
  /** From the repository's root, with slashes. */
  path: string
  text: string
  code: string
  comments: string[]
  /** What it imports or re-exports, types included: paths from the root for our files, names for packages. */
  imports: string[]
}

const root = join(import.meta.dirname, '../..')

export function moduleOf(path: string, text: string): Module {
  const { code, comments } = scan(text)
  const imports = specifiers(text, code).map((one) => (one.startsWith('.') ? posix.join(dirname(path), one) : one))
  return { path, text, code, comments, imports }
}

/** All scripts below these folders of the repository; test fixtures are data. */
export function modulesBelow(folders: string[]): Module[] {
  return folders
    .flatMap(filesBelow)
    .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.startsWith('test/fixtures/'))
    .map((path) => moduleOf(path, read(path)))
}

export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)))
    .sort()
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

export const isTest = (path: string): boolean => path.endsWith('.test.ts')

function specifiers(text: string, code: string): string[] {
  const places = code.matchAll(/\b(?:from\s*|import\s*\(\s*|import\s+)(['"])/g)
  return [...places].map((place) => {
    const start = place.index + place[0].length
    return text.slice(start, text.indexOf(place[1]!, start))
  })
}
