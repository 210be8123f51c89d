import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a home has of deliveries besides the log; where there is any of it, there has been a log. */
export function workBeside(home: string): string[] {
  const clones = namesIn(join(home, 'repositories')).map((name) => join(home, 'repositories', name))
  return [
    ...(namesIn(join(home, 'workspaces')).length > 0 ? ['workspaces'] : []),
    ...(namesIn(join(home, 'blobs')).length > 0 ? ['blobs'] : []),
    ...(clones.some(hasWork) ? ['commits of stories'] : []),
  ]
}

/** What git knows without any delivery. */
const others = new Set(['target', 'pull', 'notes'])

function hasWork(clone: string): boolean {
  const loose = namesIn(join(clone, 'refs', 'ropewalk'))
  const packed = [...textOf(join(clone, 'packed-refs')).matchAll(/ refs\/ropewalk\/([^/\n]+)\//g)].map(
    ([, name]) => name!,
  )
  return [...loose, ...packed].some((name) => !others.has(name))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
