import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Connection, damaged, inOurWords, mayNot } from './connection.ts'
import { beforeFirstRelease, newerThanUs, schemaNumber } from './record.ts'

/** Opens the log of a home; makes both when they are not there. */
export function openFile(home: string): Connection {
  const file = logFile(home)
  const found = inOurWords(file, () => lstatSync(file, { throwIfNoEntry: false }))
  if (found === undefined) create(file, workBeside(home))
  if (found?.isDirectory() === true) throw damaged(file, 'it is a folder')
  const readOnly = mayNot(file, constants.W_OK) || mayNot(home, constants.W_OK)
  const connection = readOnly ? inOurWords(file, () => openCopy(file)) : new Connection(file)
  try {
    checkSchema(connection)
    connection.readOnly = readOnly
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

export const logFile = (home: string): string => join(home, 'log.sqlite')

/** Made whole under another name, so that an empty or half-made file can only be a damaged one. */
export function createAs(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
  const connection = new Connection(file)
  // It counts once it has its name, and is on disk before that: it need not be at each step.
  connection.exec('PRAGMA synchronous = OFF')
  connection.transaction(() => connection.exec(schemaSql))
  // Last: what is in a write-ahead log would stay behind when only the file is moved, as on a full disk.
  connection.exec('PRAGMA journal_mode = WAL')
  connection.close()
  syncFile(file)
}

/** A file or a folder. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function create(file: string, beside: string[]): void {
  const left = existsSync(`${file}-wal`) ? ['write-ahead log', ...beside] : beside
  if (left.length > 0) throw damaged(file, `it is missing, though its home has ${left.join(', ')}`)
  inOurWords(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    createVia(`${file}.${randomBytes(6).toString('hex')}.making`, file)
    syncFile(dirname(file))
  })
}

function createVia(making: string, file: string): void {
  try {
    createAs(making)
    linkSync(making, file)
  } catch (error) {
    // Another process may have made it in the meantime: then theirs it is.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(making, { force: true })
  }
}

function checkSchema(connection: Connection): void {
  const found = numberIn(connection, 'user_version')
  if (found < 1) throw damaged(connection.file, 'it is empty, or no log of ours')
  refuseUnreleased(connection, connection.file)
  if (found > schemaNumber) throw newerThanUs(found)
}

/** `file`: the log, of which the connection may have a copy open. */
export function refuseUnreleased(connection: Connection, file: string): void {
  const isOurs = numberIn(connection, 'application_id') === applicationId
  if (!isOurs && numberIn(connection, 'user_version') > 0) throw beforeFirstRelease(file)
}

const numberIn = (connection: Connection, pragma: string): number =>
  connection.get<[number]>(`PRAGMA ${pragma}`)?.[0] ?? 0

// The whole of it fits on the file's first page; salvage counts on that when the page itself is damaged.
// `record` is the text that `hash` covers. An event over 64 KiB has `@<digest>` on the line before, and its short form.

/** Says that a file is a log of ours: `Rope`. What was written before the first release does not say it. */
const applicationId = 0x52_6f_70_65

const schemaSql = `
CREATE TABLE events(position INTEGER PRIMARY KEY, delivery TEXT, version INTEGER, type TEXT, story TEXT, hash TEXT, record TEXT, UNIQUE(delivery, version));
CREATE TABLE deliveries(delivery TEXT PRIMARY KEY, version INTEGER, head TEXT, repository TEXT, title TEXT, requestedAt INTEGER, updatedAt INTEGER, result TEXT) WITHOUT ROWID;
CREATE TABLE leases(delivery TEXT PRIMARY KEY, fence INTEGER, worker TEXT, expiresAt INTEGER, host TEXT, pid INTEGER, born TEXT) WITHOUT ROWID;
CREATE TABLE slots(delivery TEXT, holder TEXT, kind TEXT, usd REAL, PRIMARY KEY(delivery, holder, kind)) WITHOUT ROWID;
CREATE TABLE proofs(repository TEXT, tree TEXT, command TEXT, environmentKey TEXT, delivery TEXT, version INTEGER, durationMs INTEGER, outputDigest TEXT, counts TEXT, PRIMARY KEY(repository, tree, command, environmentKey)) WITHOUT ROWID;
CREATE TABLE days(day TEXT PRIMARY KEY, usd REAL, tokens INTEGER, ms INTEGER) WITHOUT ROWID;
CREATE TABLE refusals(account TEXT, model TEXT, since INTEGER, until INTEGER, kind TEXT, message TEXT, remedy TEXT, PRIMARY KEY(account, model)) WITHOUT ROWID;
CREATE TABLE snapshots(delivery TEXT, shape TEXT, version INTEGER, state TEXT, PRIMARY KEY(delivery, shape));
CREATE TABLE cursors(listener TEXT PRIMARY KEY, position INTEGER) WITHOUT ROWID;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaNumber};`

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
  const packed = unlessUnread(() => readFileSync(join(clone, 'packed-refs'), 'utf8'), '')
  const inPacked = [...packed.matchAll(/ refs\/ropewalk\/([^/\n]+)\//g)].map(([, name]) => name!)
  return [...namesIn(join(clone, 'refs', 'ropewalk')), ...inPacked].some((name) => !others.has(name))
}

const namesIn = (folder: string): string[] => unlessUnread(() => readdirSync(folder), [])

function unlessUnread<T>(look: () => T, otherwise: T): T {
  try {
    return look()
  } catch {
    return otherwise
  }
}

/**
 * A log in a folder that nobody may write to cannot be opened where it is, for SQLite keeps files beside it; and without
 * its write-ahead log it would be older than it says. So it is copied, and the copy is looked at.
 */
function openCopy(file: string): Connection {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-log-'))
  const closed = () => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'log.sqlite')
    copyWhole(file, copy)
    return new Connection(copy, { shownAs: file, closed })
  } catch (error) {
    closed()
    throw error
  }
}

const tries = 20

/** Elsewhere somebody may be writing to it: what has changed meanwhile is copied again. */
export function copyWhole(file: string, copy: string): void {
  for (let tried = 1; tried <= tries; tried++) {
    const before = stampOf(file)
    copyFileSync(file, copy)
    rmSync(`${copy}-wal`, { force: true })
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
    if (stampOf(file) === before) return
  }
}

const stampOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((name) => statSync(name, { throwIfNoEntry: false, bigint: true }))
    .map((stat) => `${stat?.size} ${stat?.mtimeNs}`)
    .join()
