import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import { Connection, DamagedError, translated } from './connection.ts'
import { copyWhole, createAs, logFile, refuseUnreleased, syncFile, workBeside } from './file.ts'
import { checked, tolerant } from './read.ts'
import { genesis, type Link } from './record.ts'
import { type Head, type Row, writeRows } from './write.ts'

type SalvageReport =
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
    copyWhole(file, copy)
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

function remove(name: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(name + suffix, { force: true })
}

interface SalvagedDelivery {
  delivery: string
  /** Events that are in the log again. */
  kept: number
  /** Events that are not; null when nobody can say how many there were. */
  lost: number | null
  /** Why the prefix ends where it does; null when nothing is lost. */
  problem: string | null
}

/** Copies the prefix of every delivery that its chain vouches for, at the same positions. */
async function copyIntact(files: { from: Connection; to: Connection; blobs: Blobs }): Promise<SalvagedDelivery[]> {
  const { from, to, blobs } = files
  const copies = new Map<string, Copy>()
  for (const rows of readableRows(from)) {
    const intact = await intactAmong(rows, copies, blobs)
    to.transaction(() => {
      for (const row of intact) {
        const copy = copies.get(row.entry.delivery)!
        copy.head = writeRows(to, copy.head, { rows: [row], withFacts: true }).head
      }
    })
  }
  to.transaction(() => copyMarks(from, to))
  return report(from, copies)
}

interface Copy {
  last: Link
  head: Head
  problem: string | null
}

type Found = [position: number, delivery: string, hash: string, record: string]

const chunk = 500

/** Everything that can be read at all, in order; where a page is damaged, on from the first event behind it. */
function* readableRows(from: Connection): Generator<Found[]> {
  const sql = 'SELECT position, delivery, hash, record FROM events WHERE position > ? ORDER BY position LIMIT ?'
  const end = lastPosition(from)
  let [after, limit] = [0, chunk]
  while (after < end) {
    const rows = tolerant(() => from.all<Found>(sql, after, limit))
    if (rows instanceof DamagedError) {
      if (limit === 1) after++
      limit = 1
      continue
    }
    if (rows.length === 0) return
    yield ascending(rows, after)
    after = Math.max(after + 1, rows.at(-1)![0])
    limit = chunk
  }
}

/** A damaged page may give rows out of order, the same ones again, or none of anybody's. */
function ascending(rows: Found[], after: number): Found[] {
  let last = after
  return rows.filter(([position, delivery]) => {
    if (position <= last || typeof delivery !== 'string') return false
    last = position
    return true
  })
}

/** When even that cannot be read: no more than would fit, at 200 bytes each. */
function lastPosition(from: Connection): number {
  const last = tolerant(() => from.get<[number | null]>('SELECT max(position) FROM events'))
  return last instanceof DamagedError ? Math.ceil(statSync(from.file).size / 200) : (last?.[0] ?? 0)
}

async function intactAmong(rows: Found[], copies: Map<string, Copy>, blobs: Blobs): Promise<Row[]> {
  const intact: Row[] = []
  for (const [position, delivery, hash, record] of rows) {
    const copy = copies.get(delivery) ?? emptyCopy(delivery)
    copies.set(delivery, copy)
    if (copy.problem !== null) continue
    const entry = await checked([position, hash, record], copy.last, blobs)
    if (typeof entry === 'string') copy.problem = `version ${copy.last.version + 1}: ${entry}`
    else {
      intact.push({ entry, record, position })
      copy.last = entry
    }
  }
  return intact
}

function emptyCopy(delivery: string): Copy {
  const head = { version: 0, hash: genesis, repository: '', result: null }
  return { last: { delivery, version: 0, hash: genesis }, head, problem: null }
}

/** Listeners go on where they were, but not beyond the end; every lease is free, but no fence falls. */
function copyMarks(from: Connection, to: Connection): void {
  const [end] = to.get<[number | null]>('SELECT max(position) FROM events') ?? [0]
  for (const [listener, position] of readable<[string, number]>(from, 'SELECT listener, position FROM cursors'))
    to.run('INSERT INTO cursors VALUES(?, min(?, ?))', listener, position, end ?? 0)
  for (const [delivery, fence] of readable<[string, number]>(from, 'SELECT delivery, fence FROM leases'))
    to.run('INSERT INTO leases(delivery, fence) VALUES(?, ?)', delivery, fence)
}

function readable<Columns extends unknown[]>(from: Connection, sql: string): Columns[] {
  const rows = tolerant(() => from.all<Columns>(sql))
  return rows instanceof DamagedError ? [] : rows
}

function report(from: Connection, copies: Map<string, Copy>): SalvagedDelivery[] {
  const heads = tolerant(() => from.all<[string, number]>('SELECT delivery, version FROM deliveries'))
  const recorded = new Map(heads instanceof DamagedError ? [] : heads)
  const ids = [...new Set([...copies.keys(), ...recorded.keys()])].sort()
  return ids.map((delivery) => {
    const { last, problem } = copies.get(delivery) ?? emptyCopy(delivery)
    const [kept, version] = [last.version, recorded.get(delivery)]
    const lost = version === undefined ? null : version - kept
    return { delivery, kept, lost, problem: problem ?? (lost === 0 ? null : 'nothing readable follows') }
  })
}

/**
 * Opens a copy of a damaged log, whatever is wrong with it. The first page holds nothing but our schema, so one from
 * a fresh log does as well. `sound` is true when SQLite finds nothing wrong.
 */
function openDamaged(copy: string, fresh: string): { connection: Connection; sound: boolean } {
  const first = tolerant(() => opened(copy))
  if (!(first instanceof DamagedError)) return { connection: first, sound: isSound(first) }
  replaceFirstPage(copy, fresh)
  return { connection: opened(copy), sound: false }
}

function opened(copy: string): Connection {
  const connection = new Connection(copy)
  try {
    // Makes SQLite go on with a file that is shorter than it says.
    connection.exec('PRAGMA writable_schema = ON')
    connection.get('SELECT position FROM events LIMIT 0')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function isSound(connection: Connection): boolean {
  const result = tolerant(() => connection.get<[string]>('PRAGMA integrity_check(1)'))
  return !(result instanceof DamagedError) && result?.[0] === 'ok'
}

const pageBytes = 4096
const pageCountAt = 28

function replaceFirstPage(copy: string, fresh: string): void {
  const page = readFileSync(fresh).subarray(0, pageBytes)
  // At least as many as the schema speaks of: one that is not there at all would make it unusable as a whole.
  const pages = Math.floor(Math.max(statSync(fresh).size, statSync(copy).size) / pageBytes)
  page.writeUInt32BE(pages, pageCountAt)
  const handle = openSync(copy, 'r+')
  ftruncateSync(handle, pages * pageBytes)
  writeSync(handle, page, 0, pageBytes, 0)
  closeSync(handle)
}
