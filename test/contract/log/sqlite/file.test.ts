import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileBlobs } from '../../../../src/adapters/blobs-files/blobs.ts'
import { schemaNumber } from '../../../../src/adapters/log-sqlite/record.ts'
import { salvage } from '../../../../src/adapters/log-sqlite/salvage.ts'
import { initialState } from '../../../../src/delivery/state.ts'
import { fold } from '../../../../src/engine/load.ts'
import { TransientError } from '../../../../src/ports/errors.ts'
import type { EventQuery, Recorded } from '../../../../src/ports/event-log.ts'
import { batch, concern, day, requested } from '../samples.ts'
import { failure, Home } from './home.ts'

let home: Home
beforeEach(async () => {
  home = await Home.make()
})
afterEach(() => home.remove())

describe('the file', () => {
  it('is 0600 in a home of 0700, and leaves nothing else behind', async () => {
    const log = await home.open()
    await log.append(batch('d1', 0, [requested('x')]))
    expect((await stat(home.path)).mode & 0o777).toBe(0o700)
    const names = await readdir(home.path)
    expect(names).toEqual(['log.sqlite', 'log.sqlite-shm', 'log.sqlite-wal'])
    for (const name of names) expect((await stat(join(home.path, name))).mode & 0o777).toBe(0o600)
    await log.close()
  })

  it('can be made by several at once', async () => {
    const logs = await Promise.all([home.open(), home.open(), home.open()])
    await logs[0]!.append(batch('d1', 0, [requested('x')]))
    expect(await logs[2]!.read('d1', 0)).toHaveLength(1)
    for (const log of logs) await log.close()
  })

  it('of a newer schema is refused, as a home.file and as a single event', async () => {
    const newer = schemaNumber + 1
    const words = new RegExp(`newer ropewalk .*schema ${newer}`)
    await home.fill(11)
    home.tamper(
      `UPDATE events SET record = replace(record, ',${schemaNumber},"ada",null]', ',${newer},"ada",null]') WHERE version = 4`,
    )
    const log = await home.open()
    expect((await failure(log.query(last(100)))).message).toMatch(words)
    await log.close()
    home.tamper(`PRAGMA user_version = ${newer}`)
    const error = await failure(home.open())
    expect(error.message).toMatch(words)
    expect(error.remedy).toMatch(/upgrade/)
  })

  it.each([0, -3])('of schema %i is none of ours, and damaged', async (number) => {
    await home.fill(1)
    home.tamper(`PRAGMA user_version = ${number}`)
    expect((await failure(home.open())).message).toMatch(/is damaged: it is empty, or no log of ours/)
  })

  it('from before the first release is named as such, and nobody touches it', async () => {
    await home.fill(3)
    home.tamper('PRAGMA application_id = 0; PRAGMA user_version = 8')
    const before = await readFile(home.file)
    const words = `${home.file} was written by a version of ropewalk before its first release, and cannot be read`
    for (const met of [home.open(), salvage(home.path, fileBlobs(home.path))])
      expect(await failure(met)).toMatchObject({ message: words, remedy: expect.stringMatching(/move it away/) })
    expect(await readFile(home.file)).toEqual(before)
  })

  it('locked for longer than the busy timeout is a passing trouble, and nothing is written', async () => {
    const log = await home.open()
    const other = new DatabaseSync(home.file)
    other.exec('BEGIN IMMEDIATE')
    await expect(log.append(batch('d1', 0, [requested('x')]))).rejects.toBeInstanceOf(TransientError)
    other.exec('ROLLBACK')
    other.close()
    expect(await log.read('d1', 0)).toEqual([])
    expect(await log.append(batch('d1', 0, [requested('x')]))).toMatchObject({ status: 'appended' })
    await log.close()
  })

  it('reads the golden log of schema 1', async () => {
    const lines = (await readFile(new URL('golden/schema-1.jsonl', import.meta.url), 'utf8')).trim().split('\n')
    const golden = lines.map((line) => JSON.parse(line) as Recorded)
    const log = await home.open()
    for (const delivery of new Set(golden.map((one) => one.delivery))) {
      const written = golden.filter((one) => one.delivery === delivery)
      const event = { type: 'DeliveryImported', repository: null, by: 'ada' } as const
      await log.takeIn(written, { at: day, actor: 'ada', cause: 'import', event })
      expect(await log.verify(delivery)).toMatchObject({ status: 'intact', events: written.length + 1 })
      const events = await log.read(delivery, 0)
      expect(events.slice(0, -1).map((one) => one.hash)).toEqual(written.map((one) => one.hash))
      expect(fold(initialState(delivery), events)).toMatchObject({
        version: written.length + 1,
        mode: { status: 'ended' },
      })
    }
    expect(new Set(golden.map((one) => one.event.type)).size).toBe(kindsInGolden)
    await log.close()
  })
})

/** All but two: a question that expired, and a story that was upheld. */
const kindsInGolden = 59

describe('an event of 50 MB', () => {
  it('is read whole, verified, exported, and short in lists', async () => {
    const text = 'große Ausgabe\n'.repeat(3_500_000)
    const log = await home.open()
    await log.append(batch('d1', 0, [requested('x'), concern(text, 's1'), concern('small')]))
    expect((await stat(home.file)).size).toBeLessThan(1_000_000)
    const events = await log.read('d1', 0)
    expect(events[1]!.event).toEqual(concern(text, 's1'))
    const listed = await log.query(last(10))
    expect(listed.map(({ hash }) => hash)).toEqual(events.map(({ hash }) => hash))
    const [, short] = listed
    expect(JSON.stringify(short).length).toBeLessThan(3000)
    expect(short!.event).toMatchObject({ type: 'ConcernRaised', story: 's1' })
    expect(JSON.stringify(short!.event)).toMatch(/cut here: 49000000 characters/)
    expect(await log.verify('d1')).toMatchObject({ status: 'intact', events: 3 })
    const [digest] = await readdir(join(home.path, 'blobs'))
    await rm(join(home.path, 'blobs', digest!), { recursive: true })
    expect(await log.verify('d1')).toMatchObject({ status: 'broken', version: 2, position: 2 })
    expect((await failure(log.read('d1', 0))).message).toMatch(/version 2 \(position 2\).*blob store/)
    expect((await log.query(last(1)))[0]!.event).toEqual(concern('small'))
    await log.close()
  })
})

describe('a disk', () => {
  it.runIf(process.getuid?.() === 0)(
    'that is full stops cleanly, loses nothing, and goes on after space is freed',
    async () => {
      await mkdir(home.path, { recursive: true })
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', home.path])
      try {
        const log = await home.open()
        let version = 0
        const more = () => log.append(batch('d1', version, [concern('y'.repeat(5000))])).then(() => version++)
        const error = await failure(
          Array.from({ length: 1000 }).reduce<Promise<unknown>>((all) => all.then(more), Promise.resolve()),
        )
        expect(error.message).toMatch(/disk full/)
        expect(version).toBeGreaterThan(10)
        expect(await log.read('d1', 0)).toHaveLength(version)
        execFileSync('mount', ['-o', 'remount,size=8m', home.path])
        expect(await log.append(batch('d1', version, [concern('on')]))).toMatchObject({ status: 'appended' })
        expect(await log.verify('d1')).toMatchObject({ status: 'intact', events: version + 1 })
        await log.close()
      } finally {
        execFileSync('umount', ['-l', home.path])
      }
    },
  )

  it.runIf(process.getuid?.() === 0)('that is read-only is named, with what to do', async () => {
    await home.fill(11)
    const content = await readFile(home.file)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', home.path])
    try {
      await writeFile(home.file, content)
      execFileSync('mount', ['-o', 'remount,ro', home.path])
      const append = home.open().then((log) => log.append(batch('d1', 0, [requested('x')])).finally(() => log.close()))
      const error = await failure(append)
      expect(error.message).toMatch(/read-only/)
      expect(error.remedy).toMatch(/ROPEWALK_HOME/)
    } finally {
      execFileSync('umount', ['-l', home.path])
    }
  })

  it('whose home cannot be made is named, with what to do', async () => {
    await writeFile(home.path, 'a file')
    expect((await failure(home.open())).remedy).toMatch(/ROPEWALK_HOME/)
  })
})

const last = (limit: number): EventQuery => ({ delivery: null, types: [], story: null, after: 0, limit, from: 'last' })
