import type { Blobs } from '../../ports/blobs.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Connection } from './connection.ts'
import { openFile } from './file.ts'
import { breakLease, leaseOf, releaseLease, renewLease, spentOn, takeLease } from './leases.ts'
import { deliveries, findProof, query, read, verify } from './read.ts'
import { liftedRecord, recordedIn } from './record.ts'
import { append, refusalOf, takeIn } from './write.ts'

/** The log of a home, in one SQLite file; events over 64 KiB in the blob store. */
export async function openSqliteLog(home: string, blobs: Blobs): Promise<EventLog> {
  const connection = openFile(home)
  return {
    append: (batch) => append(connection, blobs, batch),
    read: (delivery, after) => read(connection, blobs, { delivery, after }),
    recorded: recordedIn,
    lifted: (events) => events.map(liftedRecord),
    written: (delivery) => read(connection, blobs, { delivery, after: 0, asWritten: true }),
    query: (wanted) => query(connection, blobs, wanted),
    deliveries: async (repository) => deliveries(connection, repository),
    takeLease: async (request) => takeLease(connection, request),
    renewLease: async (lease, at, ttlMs) => renewLease(connection, lease, at + ttlMs),
    releaseLease: async (lease) => releaseLease(connection, lease),
    leaseOf: async (delivery) => leaseOf(connection, delivery),
    breakLease: async (delivery) => breakLease(connection, delivery),
    ...caches(connection),
    findProof: (key) => findProof(connection, blobs, key),
    spentOn: async (day) => ({ ...spentOn(connection, day) }),
    refusalOf: async (account, model) => refusalOf(connection, account, model),
    verify: (delivery) => verify(connection, blobs, delivery),
    takeIn: (events, mark) => takeIn({ connection, blobs }, events, mark),
    close: async () => connection.close(),
  }
}

function caches(connection: Connection): Pick<EventLog, 'saveSnapshot' | 'loadSnapshot' | 'cursor' | 'moveCursor'> {
  return {
    saveSnapshot: async (...[delivery, version, shape, state]) => {
      const sql = `INSERT INTO snapshots VALUES(?, ?, ?, ?) ON CONFLICT(delivery, shape)
        DO UPDATE SET version = excluded.version, state = excluded.state WHERE excluded.version > version`
      connection.run(sql, delivery, shape, version, state)
    },
    loadSnapshot: async (delivery, shape) => {
      const sql = 'SELECT version, state FROM snapshots WHERE delivery = ? AND shape = ?'
      const row = connection.get<[number, string]>(sql, delivery, shape)
      return row === undefined ? null : { version: row[0], state: row[1] }
    },
    cursor: async (listener) =>
      connection.get<[number]>('SELECT position FROM cursors WHERE listener = ?', listener)?.[0] ?? 0,
    moveCursor: async (listener, position) => {
      connection.run('INSERT OR REPLACE INTO cursors VALUES(?, ?)', listener, position)
    },
  }
}
