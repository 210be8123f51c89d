import { mkdtempSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Shell } from '../../ports/shell.ts'
import { isCramped, isDiskFull } from '../../std/disk-full.ts'
import { removeTree } from '../../std/remove-tree.ts'
import { bornAt, isGone } from '../../std/running/process.ts'

// Running a proof again needs a home for that time. It is named after the process that made it, so that it is known
// when that one is gone.

const named = /^ropewalk-verify-(\d+)\.(\d+|x)\./

/** A home for this use alone: gone afterwards. Where there is no room for it, that is said. */
export async function inFreshHome<T>(folder: string, use: (home: string) => Promise<T>): Promise<T> {
  let home: string | null = null
  try {
    home = makeHome(folder)
    return await use(home)
  } catch (error) {
    throw isDiskFull(error) || isCramped(folder) ? noRoom(folder, error) : error
  } finally {
    if (home !== null) await removeTree(home)
  }
}

export const makeHome = (folder: string): string =>
  mkdtempSync(join(folder, `ropewalk-verify-${process.pid}.${bornAt(process.pid) ?? 'x'}.`))

const noRoom = (folder: string, error: unknown): TerminalError =>
  new TerminalError(
    `disk full: there is no room in ${folder} to run it again (${error instanceof Error ? error.message.trim() : error})`,
    'Free some space there, or name another folder with TMPDIR, then verify again.',
  )

/** Of every process that works in it. */
export const markOf = (home: string): string => `verify:${basename(home)}:`

/** Ends what a verification that was killed has left running, and removes what it has left on disk. */
export async function freeGoneHomes(shell: Pick<Shell, 'sweep'>, folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [, pid, born] = named.exec(name) ?? []
    if (pid === undefined || !isGone(Number(pid), born === 'x' ? null : born!)) continue
    await shell.sweep(markOf(name))
    // Somebody else's, or in use after all: the next one may remove it.
    await Promise.allSettled([removeTree(join(folder, name))])
  }
}
