import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { Connection } from '../connection.ts'
import { DamagedError } from '../errors.ts'
import { tolerant } from '../verify.ts'

/**
 * Opens a copy of a damaged log, whatever is wrong with it. The first page holds nothing but our schema, so one from
 * a fresh log does as well. `sound` is true when SQLite finds nothing wrong.
 */
export function openDamaged(copy: string, fresh: string): { connection: Connection; sound: boolean } {
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
