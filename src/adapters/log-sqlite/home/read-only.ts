import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
