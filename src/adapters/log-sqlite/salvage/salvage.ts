import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Blobs } from '../../../ports/blobs.ts'
import { TerminalError } from '../../../ports/errors.ts'
import { Connection } from '../connection.ts'
import { translated } from '../errors.ts'
import { createAs, logFile, syncFile } from '../file.ts'
import { copyIntact, type SalvagedDelivery } from './copy.ts'
import { openDamaged } from './open.ts'

export type SalvageReport =
  | { status: 'intact' }
  /** The log is whole again; what was lost from it may still be found in the damaged file. */
  | { status: 'salvaged'; damagedFile: string; deliveries: SalvagedDelivery[] }

/** Makes a fresh log of the intact prefix of every delivery, and keeps the damaged file beside it. An intact log stays as it is. */
export async function salvage(home: string, blobs: Blobs): Promise<SalvageReport> {
  const file = logFile(home)
  if (!existsSync(file)) throw new TerminalError(`there is no log at ${file}`, 'check ROPEWALK_HOME')
  const [copy, fresh, settled] = [`${file}.copy`, `${file}.fresh`, `${file}.settled`]
  try {
    for (const name of [copy, fresh, settled]) remove(name)
    copyLog(file, copy)
    createAs(fresh)
    const { intact, deliveries } = await rebuild(copy, fresh, blobs)
    if (intact) return { status: 'intact' }
    settle(fresh, settled)
    return { status: 'salvaged', damagedFile: swap(file, settled), deliveries }
  } catch (error) {
    throw translated(error, file)
  } finally {
    for (const name of [copy, fresh, settled]) remove(name)
  }
}

type Rebuilt = { intact: boolean; deliveries: SalvagedDelivery[] }

async function rebuild(copy: string, fresh: string, blobs: Blobs): Promise<Rebuilt> {
  const damaged = openDamaged(copy, fresh)
  const target = new Connection(fresh)
  try {
    // All of it in the one file while it is filled; it is synced at the end.
    target.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF')
    const deliveries = await copyIntact({ from: damaged.connection, to: target, blobs })
    target.exec('PRAGMA journal_mode = WAL')
    return { intact: damaged.sound && deliveries.every(({ lost }) => lost === 0), deliveries }
  } finally {
    damaged.connection.close()
    target.close()
  }
}

/** The binding keeps a closed file open while its statements live, so the log becomes a file nobody has opened. */
function settle(fresh: string, settled: string): void {
  copyFileSync(fresh, settled)
  chmodSync(settled, 0o600)
  syncFile(settled)
}

/** In this order: at no moment is there no log, and never a write-ahead log beside a file that is not its own. */
function swap(file: string, settled: string): string {
  const kept = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  linkSync(file, kept)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${kept}-wal`)
  rmSync(`${file}-shm`, { force: true })
  renameSync(settled, file)
  syncFile(dirname(file))
  return kept
}

function copyLog(file: string, copy: string): void {
  copyFileSync(file, copy)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
}

function remove(name: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(name + suffix, { force: true })
}
