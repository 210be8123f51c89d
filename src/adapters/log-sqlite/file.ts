import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newerThanUs, schemaNumber } from '../../ports/log/lift.ts'
import { Connection } from './connection.ts'
import { damaged, translated } from './errors.ts'
import { schemaSql, upgrades } from './schema.ts'

/** Opens the log of a home; makes both when they are not there. */
export function openFile(home: string): Connection {
  const file = logFile(home)
  if (!existsSync(file)) create(file)
  const connection = new Connection(file)
  try {
    checkSchema(connection)
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
  connection.exec('PRAGMA journal_mode = WAL')
  connection.transaction(() => connection.exec(schemaSql))
  connection.close()
}

/** A file or a folder. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function create(file: string): void {
  if (existsSync(`${file}-wal`)) throw damaged(file, 'it is missing, though its write-ahead log is there')
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    createVia(`${file}.${randomBytes(6).toString('hex')}.making`, file)
    syncFile(dirname(file))
  } catch (error) {
    throw translated(error, file)
  }
}

function createVia(making: string, file: string): void {
  try {
    createAs(making)
    linkUnlessThere(making, file)
  } finally {
    rmSync(making, { force: true })
  }
}

/** Another process may have made it in the meantime: then theirs it is. */
function linkUnlessThere(making: string, file: string): void {
  try {
    linkSync(making, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function checkSchema(connection: Connection): void {
  const [found] = connection.get<[number]>('PRAGMA user_version') ?? [0]
  if (found > schemaNumber) throw newerThanUs(found)
  if (found === 0) throw damaged(connection.file, 'it is empty')
  if (found < schemaNumber) connection.transaction(() => upgrade(connection))
}

/** Another process may have done it in the meantime. */
function upgrade(connection: Connection): void {
  const [found] = connection.get<[number]>('PRAGMA user_version')!
  for (let number = found; number < schemaNumber; number += 1) connection.exec(upgrades[number]!)
  connection.exec(`PRAGMA user_version = ${schemaNumber}`)
}
