import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

/**
 * A log in a folder that nobody may write to cannot be opened where it is, for SQLite keeps files beside it; and without
 * its write-ahead log it would be older than it says. So it is copied, and the copy is looked at.
 */
export function copiedAway(file: string): { copy: string; discard(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-log-'))
  const copy = join(folder, 'log.sqlite')
  const discard = () => rmSync(folder, { recursive: true, force: true })
  try {
    copyWhole(file, copy)
  } catch (error) {
    discard()
    throw error
  }
  return { copy, discard }
}

const tries = 20

/** Elsewhere somebody may be writing to it: what has changed meanwhile is copied again. */
function copyWhole(file: string, copy: string): void {
  for (let tried = 1; tried <= tries; tried++) {
    const before = stampOf(file)
    copyFileSync(file, copy)
    rmSync(`${copy}-wal`, { force: true })
    if (statSync(`${file}-wal`, { throwIfNoEntry: false }) !== undefined) copyFileSync(`${file}-wal`, `${copy}-wal`)
    if (stampOf(file) === before) return
  }
}

const stampOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((name) => statSync(name, { throwIfNoEntry: false, bigint: true }))
    .map((stat) => `${stat?.size} ${stat?.mtimeNs}`)
    .join()
