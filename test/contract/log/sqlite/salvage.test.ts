import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileBlobs } from '../../../../src/adapters/blobs-files/blobs.ts'
import { salvage } from '../../../../src/adapters/log-sqlite/salvage.ts'
import type { Recorded } from '../../../../src/ports/event-log.ts'
import { batch, concern, requested } from '../samples.ts'
import { failure, Home } from './home.ts'

let home: Home
beforeEach(async () => {
  home = await Home.make()
})
afterEach(() => home.remove())

async function readAll(id: string): Promise<Recorded[]> {
  const log = await home.open()
  const events = await log.read(id, 0)
  expect(await log.verify(id)).toMatchObject({ status: 'intact', events: events.length })
  await log.close()
  return events
}

describe('salvage of events', () => {
  it('leaves an intact log alone', async () => {
    await home.fill(31)
    const before = await readFile(home.file)
    expect(await salvage(home.path, fileBlobs(home.path))).toEqual({ status: 'intact' })
    expect(await readFile(home.file)).toEqual(before)
    expect(await readdir(home.path)).toEqual(['log.sqlite'])
  })

  it('keeps the prefix before a damaged event, all of the other delivery, places and facts', async () => {
    await home.fill(31)
    const log = await home.open()
    await log.moveCursor('hook', 1000)
    const intact = [await log.read('d1', 0), await log.read('d2', 0)]
    await log.takeLease({ delivery: 'd1', worker: 'w', host: 'elsewhere', pid: 1, at: 0, ttlMs: 1e15 })
    await log.close()
    await home.settle()
    home.tamper(`UPDATE events SET record = 'x' WHERE delivery = 'd1' AND version = 16`)
    const damagedBytes = await readFile(home.file)
    const report = await salvage(home.path, fileBlobs(home.path))
    expect(report).toMatchObject({
      status: 'salvaged',
      deliveries: [
        { delivery: 'd1', kept: 15, lost: 16, problem: expect.stringMatching(/version 16.*hash/) },
        { delivery: 'd2', kept: 31, lost: 0, problem: null },
      ],
    })
    expect(await readAll('d1')).toEqual(intact[0]!.slice(0, 15))
    expect(await readAll('d2')).toEqual(intact[1])
    expect(await readFile((report as { damagedFile: string }).damagedFile)).toEqual(damagedBytes)
    const again = await home.open()
    expect(await again.cursor('hook')).toBe(intact[1]!.at(-1)!.position)
    const held = { delivery: 'd1', worker: 'w2', host: 'here', pid: 2, at: 0, ttlMs: 1 }
    expect(await again.takeLease(held)).toMatchObject({ fence: 2 })
    expect(await again.append(batch('d1', 15, [concern('on')]))).toMatchObject({ status: 'appended' })
    await again.close()
  })
})

describe('salvage of pages', () => {
  it('keeps everything when only the first page is destroyed', async () => {
    await home.fill(201)
    await home.overwrite(0, 4096)
    await failure(home.open())
    const report = await salvage(home.path, fileBlobs(home.path))
    expect(report).toMatchObject({
      deliveries: [
        { kept: 201, lost: 0 },
        { kept: 201, lost: 0 },
      ],
    })
    expect(await readAll('d1')).toHaveLength(201)
  })

  it('keeps the beginning of a truncated file', async () => {
    await home.fill(501)
    await truncate(home.file, Math.floor((await stat(home.file)).size * 0.6))
    const report = await salvage(home.path, fileBlobs(home.path))
    if (report.status !== 'salvaged') throw new Error('not salvaged')
    for (const { delivery, kept, lost } of report.deliveries) {
      expect(kept).toBeGreaterThan(100)
      expect(kept).toBeLessThan(501)
      expect(lost === null || lost === 501 - kept).toBe(true)
      expect(await readAll(delivery)).toHaveLength(kept)
    }
    expect(report.deliveries).toHaveLength(2)
  })

  it('keeps what is before and beside any one damaged page', async () => {
    await home.fill(201)
    const pages = (await stat(home.file)).size / 4096
    const whole = await readFile(home.file)
    for (let page = 1; page < pages; page += 11) {
      await rm(home.path, { recursive: true })
      await mkdir(home.path, { recursive: true })
      await writeFile(home.file, whole)
      await home.overwrite(page * 4096, 4096)
      const report = await salvage(home.path, fileBlobs(home.path))
      if (report.status === 'intact') throw new Error(`page ${page} was taken for intact`)
      for (const { delivery, kept, lost } of report.deliveries) {
        expect(await readAll(delivery)).toHaveLength(kept)
        expect([null, 201 - kept]).toContain(lost)
      }
    }
  })

  it('includes what is still in the write-ahead log', async () => {
    const log = await home.open()
    await log.append(batch('d1', 0, [requested('x'), concern('a')]))
    const copy = `${home.path}-copy`
    await cp(home.path, copy, { recursive: true })
    await log.close()
    expect((await readdir(copy)).sort()).toContain('log.sqlite-wal')
    const db = new DatabaseSync(join(copy, 'log.sqlite'))
    db.exec(`UPDATE events SET hash = 'x' WHERE version = 2`)
    const report = await salvage(copy, fileBlobs(copy))
    db.close()
    expect(report).toMatchObject({ deliveries: [{ delivery: 'd1', kept: 1, lost: 1 }] })
  })
})
