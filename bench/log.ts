import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { fileBlobs } from '../src/adapters/blobs-files/blobs.ts'
import { openSqliteLog } from '../src/adapters/log-sqlite/log.ts'
import { evolve } from '../src/delivery/evolve.ts'
import { initialState } from '../src/delivery/state.ts'
import { type Figure, interleaved, ms, timed } from './figure.ts'
import { eventOf, fillLog } from './filled-log.ts'

const appends = 500

export async function benchLog(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-bench-'))
  try {
    return [await appending(folder), await opening(folder), await tail(folder)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One durable transaction an event, on both sides. */
async function appending(folder: string): Promise<Figure> {
  const log = await openSqliteLog(join(folder, 'ours'), fileBlobs(join(folder, 'ours')))
  const bare = new DatabaseSync(join(folder, 'bare.sqlite'))
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE events(position INTEGER PRIMARY KEY, delivery TEXT, version INTEGER, payload TEXT, UNIQUE(delivery, version))`)
  const insert = bare.prepare('INSERT INTO events(delivery, version, payload) VALUES(?, ?, ?)')
  let version = 0
  let bareVersion = 0
  const ours = async () => {
    for (let n = 0; n < appends; n++) {
      const fresh = { at: 1, actor: 'bench', cause: null, event: eventOf(n) }
      const appended = await log.append({
        delivery: 'bench',
        expected: version,
        events: [fresh],
        fence: null,
        slots: [],
      })
      if (appended.status !== 'appended') throw new Error(appended.status)
      version += 1
    }
  }
  const theirs = () => {
    for (let n = 0; n < appends; n++) {
      bare.exec('BEGIN IMMEDIATE')
      insert.run('bench', ++bareVersion, JSON.stringify({ at: 1, actor: 'bench', cause: null, event: eventOf(n) }))
      bare.exec('COMMIT')
    }
  }
  const found = await interleaved({ ours: () => timed(ours), bare: () => timed(theirs) })
  await log.close()
  bare.close()
  const share = found.bare! / found.ours!
  const rate = (took: number) => `${Math.round((appends / took) * 1_000)}/s`
  return figure('durable appends against bare SQLite inserts with the same key', {
    ours: rate(found.ours!),
    bare: rate(found.bare!),
    share,
    least: 0.7,
  })
}

/** Reading and folding against reading and parsing the same rows. */
async function opening(folder: string): Promise<Figure> {
  const home = join(folder, 'filled')
  const delivery = await fillLog(home, 100_000)
  const log = await openSqliteLog(home, fileBlobs(home))
  const bare = new DatabaseSync(join(home, 'log.sqlite'), { readOnly: true })
  const ours = async () => {
    const state = initialState(delivery)
    for (const recorded of await log.read(delivery, 0)) evolve(state, recorded)
  }
  const theirs = () => {
    const rows = bare.prepare('SELECT record FROM events WHERE delivery = ? ORDER BY version').all(delivery) as {
      record: string
    }[]
    return rows.map(({ record }) => parsed(record))
  }
  const found = await interleaved({ ours: () => timed(ours), bare: () => timed(theirs) })
  await log.close()
  bare.close()
  const share = found.bare! / found.ours!
  return figure('opening a delivery of 100,000 events against bare read-and-parse', {
    ours: ms(found.ours!),
    bare: ms(found.bare!),
    share,
    least: 0.6,
  })
}

/** A record is two lines of JSON: the envelope and the event. */
const parsed = (record: string): unknown[] => record.split('\n').map((line) => JSON.parse(line))

async function tail(folder: string): Promise<Figure> {
  const home = join(folder, 'million')
  await fillLog(home, 1_000_000)
  const log = await openSqliteLog(home, fileBlobs(home))
  const last = () => log.query({ delivery: null, types: [], story: null, after: 0, limit: 50, from: 'last' })
  const found = await interleaved({ ours: () => timed(last) })
  await log.close()
  return {
    name: 'the last 50 of a million events',
    ours: ms(found.ours!),
    bare: '',
    ratio: '',
    promised: 'under 50 ms',
    kept: found.ours! < 50,
  }
}

function figure(
  name: string,
  { ours, bare, share, least }: { ours: string; bare: string; share: number; least: number },
): Figure {
  const percent = `${Math.round(share * 100)} %`
  return { name, ours, bare, ratio: percent, promised: `at least ${Math.round(least * 100)} %`, kept: share >= least }
}
