import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'

const largestBytes = 64 * 1024

/** The folders of git objects that the repository in this folder cannot do without. Its file may be the agent's work. */
export function borrowedObjects(folder: string): string[] {
  const file = join(folder, '.git/objects/info/alternates')
  const stat = existsSync(file) ? lstatSync(file) : null
  if (stat?.isFile() !== true || stat.size > largestBytes) return []
  const paths = readFileSync(file, 'utf8').split('\n').map(unquoted)
  return paths.filter((path) => isAbsolute(path) && basename(path) === 'objects' && existsSync(join(path, 'pack')))
}

function unquoted(line: string): string {
  return line.startsWith('"') ? line.slice(1, -1).replace(/\\(["\\])/g, '$1') : line
}
