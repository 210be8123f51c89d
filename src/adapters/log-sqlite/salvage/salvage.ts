import { chmodSync, copyFileSync, existsSync, linkSync, lstatSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Blobs } from '../../../ports/blobs.ts'
import { TerminalError } from '../../../ports/errors.ts'
import { Connection } from '../connection.ts'
import { translated } from '../errors.ts'
import { createAs, logFile, refuseUnreleased, syncFile } from '../file.ts'
import { workBeside } from '../home.ts'
import { tolerant } from '../verify.ts'
import { copyIntact, type SalvagedDelivery } from './copy.ts'
import { openDamaged } from './open.ts'

export type SalvageReport =
  | { status: 'intact' }
  /** The log is whole again; what was lost from it may still be found in the damaged file. */
  | { status: 'salvaged'; damagedFile: string | null; deliveries: SalvagedDelivery[] }

/** Makes a fresh log of the intact prefix of every delivery, and keeps the damaged file beside it. An intact log stays as it is. */
export async function salvage(home: string, blobs: Blobs): Promise<SalvageReport> {
  const file = logFile(home)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined && workBeside(home).length === 0 && !existsSync(`${file}-wal`))
    throw new TerminalError(`there is no log at ${file}`, 'check ROPEWALK_HOME')
  if (found === undefined || !found.isFile()) return await startAnew(file)
  const [copy, fresh, settled] = [`${file}.copy`, `${file}.fresh`, `${file}.settled`]
  try {
    for (const name of [copy, fresh, settled]) remove(name)
    copyLog(file, copy)
    createAs(fresh)
    const { intact, deliveries } = await rebuild({ file, copy, fresh }, blobs)
    if (intact) return { status: 'intact' }
    settle(fresh, settled)
    return { status: 'salvaged', damagedFile: swap(file, settled), deliveries }
  } catch (error) {
    throw translated(error, file)
  } finally {
    for (const name of [copy, fresh, settled]) remove(name)
  }
}

/** There is no file of which anything could be kept. */
async function startAnew(file: string): Promise<SalvageReport> {
  const settled = `${file}.settled`
  try {
    remove(settled)
    createAs(settled)
    const kept = asideOf(file)
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix)
    renameSync(settled, file)
    syncFile(dirname(file))
    return {
      status: 'salvaged',
      damagedFile: existsSync(kept) || existsSync(`${kept}-wal`) ? kept : null,
      deliveries: [],
    }
  } catch (error) {
    throw translated(error, file)
  } finally {
    remove(settled)
  }
}

const asideOf = (file: string): string => `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`

type Rebuilt = { intact: boolean; deliveries: SalvagedDelivery[] }

async function rebuild(
  { file, copy, fresh }: Record<'file' | 'copy' | 'fresh', string>,
  blobs: Blobs,
): Promise<Rebuilt> {
  const damaged = openDamaged(copy, fresh)
  const target = new Connection(fresh)
  try {
    refuseUnreleased(damaged.connection, file)
    // All of it in the one file while it is filled; it is synced at the end.
    target.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF')
    const deliveries = await copyIntact({ from: damaged.connection, to: target, blobs })
    target.exec('PRAGMA journal_mode = WAL')
    const same = listOf(damaged.connection) === listOf(target)
    return { intact: damaged.sound && same && deliveries.every(({ lost }) => lost === 0), deliveries }
  } finally {
    damaged.connection.close()
    target.close()
  }
}

/** What it says of its deliveries has to be what their events say. */
const listOf = (connection: Connection): string =>
  JSON.stringify(tolerant(() => connection.all('SELECT * FROM deliveries ORDER BY delivery')))

/** The binding keeps a closed file open while its statements live, so the log becomes a file nobody has opened. */
function settle(fresh: string, settled: string): void {
  copyFileSync(fresh, settled)
  chmodSync(settled, 0o600)
  syncFile(settled)
}

/** In this order: at no moment is there no log, and never a write-ahead log beside a file that is not its own. */
function swap(file: string, settled: string): string {
  const kept = asideOf(file)
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
