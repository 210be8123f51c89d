import { lstatSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'

/** Where tools work, and what bounds them. */
export interface ToolPlace {
  workspace: string
  /** The one file outside of the workspace that may be written. */
  resultFile: string | null
  /** For commands; the key is not in it. */
  env: Record<string, string | undefined>
  maxOutputBytes: number
  signal: AbortSignal
}

/** For the model to read: what it asked for cannot be done. */
export class ToolError extends Error {}

/** The real path of what is meant, which is inside the workspace also when links are followed. */
export function pathInside({ workspace }: ToolPlace, path: string): string {
  const root = realpathSync(workspace)
  const asked = resolve(root, path)
  const real = realPath(asked)
  if (real === null) throw new ToolError(`${path} is a link that leads nowhere`)
  if (!isBelow(root, real)) throw new ToolError(`${path} is outside of the workspace`)
  return real
}

/** As above, or the file for the result. */
export function writablePath(place: ToolPlace, path: string): string {
  const { resultFile } = place
  if (resultFile !== null && isAbsolute(path) && resolve(path) === resolve(resultFile)) return resultFile
  return pathInside(place, path)
}

/** A pattern for git, which must not lead out either. */
export function patternInside(pattern: string): string {
  if (isAbsolute(pattern) || pattern.startsWith(':') || pattern.split('/').includes('..'))
    throw new ToolError(`${pattern} must be relative to the workspace and stay in it`)
  return pattern
}

/** Of something that may not exist yet: its nearest folder that does counts. Null for a link to nothing. */
function realPath(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return followed(path)
  if (found !== undefined) return realpathSync(path)
  const folder = realPath(dirname(path))
  return folder === null ? null : resolve(folder, relative(dirname(path), path))
}

function followed(link: string): string | null {
  try {
    return realpathSync(link)
  } catch {
    return null
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
