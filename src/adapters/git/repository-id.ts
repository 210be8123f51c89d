import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Readable, and the same for every worktree of the repository. */
export function repositoryId(commonDir: string): string {
  const folder = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir
  const slug = basename(folder)
    .toLowerCase()
    .replace(/\.git$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  const digest = createHash('sha256').update(commonDir).digest('hex').slice(0, 8)
  return slug === '' ? digest : `${slug.replace(/-$/, '')}-${digest}`
}

/** Of the repository around a folder, found as git finds it but without starting git; null when there is none. */
export function repositoryIdAround(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const commonDir = commonDirIn(at)
    if (commonDir !== null) return repositoryId(realpathSync(commonDir))
    if (dirname(at) === at) return null
  }
}

function commonDirIn(folder: string): string | null {
  const path = join(folder, '.git')
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return isBare(folder) ? folder : null
  if (stat.isDirectory()) return path
  // A linked worktree: its own folder names the one that all share.
  const [, gitDir] = /^gitdir: (.*)$/m.exec(readFileSync(path, 'utf8')) ?? []
  if (gitDir === undefined) return null
  const own = resolve(folder, gitDir)
  const shared = statSync(join(own, 'commondir'), { throwIfNoEntry: false })
  return shared === undefined ? own : resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim())
}

const isBare = (folder: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined)
