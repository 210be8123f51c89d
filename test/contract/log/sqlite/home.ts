import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { fileBlobs } from '../../../../src/adapters/blobs-files/blobs.ts'
import { openSqliteLog } from '../../../../src/adapters/log-sqlite/log.ts'
import { TerminalError } from '../../../../src/ports/errors.ts'
import type { EventLog } from '../../../../src/ports/event-log.ts'
import { batch, concern, requested } from '../samples.ts'

/** A home that does not exist yet, and what a test does to the log in it. */
export class Home {
  readonly path: string
  readonly file: string

  constructor(path: string) {
    this.path = path
    this.file = join(path, 'log.sqlite')
  }

  static async make(): Promise<Home> {
    return new Home(join(await mkdtemp(join(tmpdir(), 'ropewalk-log-')), 'home'))
  }

  remove(): Promise<void> {
    return rm(join(this.path, '..'), { recursive: true, force: true })
  }

  open(): Promise<EventLog> {
    return openSqliteLog(this.path, fileBlobs(this.path))
  }

  /** Two deliveries of so many events each, interleaved. */
  async fill(count: number): Promise<void> {
    const log = await this.open()
    for (const id of ['d1', 'd2']) await log.append(batch(id, 0, [requested(id)]))
    for (let version = 1; version < count; version += 10)
      for (const id of ['d1', 'd2'])
        await log.append(
          batch(
            id,
            version,
            Array.from({ length: 10 }, (_, i) => concern(`${id}-${version + i}`)),
          ),
        )
    await log.close()
    await this.settle()
  }

  /** As another process finds the log: one file, that nobody here has open. */
  async settle(): Promise<void> {
    this.tamper('PRAGMA wal_checkpoint(TRUNCATE)')
    const content = await readFile(this.file)
    for (const suffix of ['', '-wal', '-shm']) await rm(this.file + suffix, { force: true })
    await writeFile(this.file, content, { mode: 0o600 })
  }

  tamper(sql: string): void {
    const db = new DatabaseSync(this.file)
    db.exec(sql)
    db.close()
  }

  async overwrite(offset: number, bytes: number): Promise<void> {
    const handle = await open(this.file, 'r+')
    await handle.write(Buffer.alloc(bytes, 0xa5), 0, bytes, offset)
    await handle.close()
  }
}

/** What it fails with, which must be terminal. */
export async function failure(work: Promise<unknown>): Promise<TerminalError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(TerminalError)
  return error as TerminalError
}
